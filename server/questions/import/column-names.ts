/** The columns of a sheet of questions, with their names on the screens. */

/** Options that have a column of their own on the mapping page; `options` holds all in one cell. */
const mappedOptions = 8;

export type Column =
  | 'number'
  | 'material'
  | 'type'
  | 'stem'
  | `option ${number}`
  | 'options'
  | 'answer'
  | 'analysis'
  | 'difficulty'
  | 'item difficulty'
  | 'score'
  | 'chapter'
  | 'point'
  | 'remark'
  | 'tags'
  | 'case';

const names = {
  number: '题号',
  type: '题型',
  material: '材料题干',
  stem: '题干',
  options: '全部选项',
  answer: '答案',
  analysis: '解析',
  difficulty: '难度',
  'item difficulty': '小题难度',
  score: '分值',
  chapter: '章节',
  point: '知识点',
  remark: '备注',
  tags: '标签',
  case: '大小写',
} satisfies Record<Exclude<Column, `option ${number}`>, string>;

const optionNames = Array.from({ length: mappedOptions }, (_, index): [Column, string] => [
  `option ${index}`,
  `选项${String.fromCharCode(65 + index)}`,
]);

/** The choices of the mapping page, in the order of a sheet. */
export const columnNames: ReadonlyMap<Column, string> = new Map<Column, string>([
  ...(Object.entries(names).slice(0, 4) as [Column, string][]),
  ...optionNames,
  ...(Object.entries(names).slice(4) as [Column, string][]),
]);

export const columnName = (column: Column): string => columnNames.get(column) ?? column;

export const isColumn = (text: string): text is Column => columnNames.has(text as Column);

/** Meaning of each column from A on; '' for one that is not imported. */
export type ColumnList = (Column | '')[];

/** Chosen columns of a sheet. `title_row`: number of the row with the titles; 0: there is none. */
export interface SheetMapping {
  title_row: number;
  columns: ColumnList;
}

/** Chosen columns by the name of the sheet. A sheet without a choice is not read. */
export type ColumnMapping = Readonly<Record<string, SheetMapping>>;

/** A sheet for the mapping page: its first filled rows, and the meaning of its columns as guessed or chosen. */
export interface SheetColumns extends SheetMapping {
  name: string;
  rows: { number: number; cells: string[] }[];
}
