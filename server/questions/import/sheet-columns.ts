/** Finds out which column of a sheet holds what, by its titles or by a mapping that a person made. */
import type { Column, SheetMapping } from './column-names.ts';
import type { Sheet } from './excel-reader.ts';
import { commonTitles } from './reading.ts';
import { plainText } from './rich-line.ts';
import { removeSpaces } from './spelling.ts';

const titlesOf = {
  number: ['题号', '序号', '编号', '题目编号', '试题编号', 'no', 'no.', 'number', 'id'],
  type: ['题型', '类型', '试题类型', '题目类型', '试题题型', 'type', 'questiontype'],
  material: ['材料', '材料题干', '阅读材料', '题组材料'],
  stem: [
    '试题',
    '问题',
    '题目内容',
    '试题内容',
    '题干内容',
    '试题题干',
    '题目题干',
    'question',
    'questiontext',
    'stem',
    'title',
  ],
  options: ['选项', '备选项', '备选答案', '全部选项', '选项内容', '候选项', 'options', 'choices'],
  answer: ['标准答案', '正确选项', '答案选项', 'answer', 'answers', 'correctanswer', 'rightanswer', 'key'],
  analysis: ['解释', '解题思路', '答案解释', '分析', 'analysis', 'explanation', 'feedback'],
  difficulty: ['难度等级', '难度级别', 'difficulty', 'level'],
  score: ['分值', '分数', '得分', '每题分值', '题目分值', 'score', 'points', 'marks'],
  chapter: ['章节', '章', '单元', '所属章节', 'chapter', 'unit'],
  point: ['知识点', '考点', '所属知识点', 'topic'],
  tags: ['标签', 'tag', 'tags'],
  remark: ['说明', 'remark', 'note', 'notes'],
  case: ['区分大小写'],
} satisfies Partial<Record<Column, readonly string[]>>;

const columnByTitle: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...Object.entries(titlesOf).flatMap(([column, titles]) =>
    titles.map((title): [string, Column] => [title, column as Column]),
  ),
  ...commonTitles,
]);

/** On the sheet of material questions, 题干 is the material; the parts have columns of their own. */
const materialColumnByTitle: ReadonlyMap<string, Column> = new Map([
  ...columnByTitle,
  ['题干', 'material'],
  ['小题题型', 'type'],
  ['题型', 'type'],
  ['小题题干', 'stem'],
  ['小题', 'stem'],
  ['小题答案', 'answer'],
  ['小题解析', 'analysis'],
  ['小题难度', 'item difficulty'],
]);

/** Finds the column that a title means; ignores spaces, stars, colons and hints in brackets. */
function columnOf(title: string, isMaterials: boolean): Column | undefined {
  const bare = removeSpaces(title)
    .replace(/\([^)]*\)/g, '')
    .replace(/[*:#【】[\]]/g, '')
    .toLowerCase();
  const letter = /^(?:备?选项?|备选答案|option|choice)?([a-z])(?:选项)?$/.exec(bare)?.[1];
  if (letter) return `option ${letter.charCodeAt(0) - 97}`;
  const number = /^(?:备?选项|备选答案|option|choice)([1-9]|1\d|2[0-6])$/.exec(bare)?.[1];
  if (number) return `option ${Number(number) - 1}`;
  return (isMaterials ? materialColumnByTitle : columnByTitle).get(bare);
}

const maxTitleRows = 10;

export interface Titles {
  row: number;
  columns: Map<Column, number>;
  /** Columns with a title that means nothing here. */
  unknown: { column: number; title: string }[];
}

/** Finds the row of titles: the first one that names a stem, because templates have instructions above it. */
export function findTitles(sheet: Sheet, isMaterials: boolean): Titles | undefined {
  for (const row of sheet.rows.filter((candidate) => candidate.number <= maxTitleRows)) {
    const columns = new Map<Column, number>();
    const unknown: Titles['unknown'] = [];
    for (const cell of row.cells.values()) {
      const title = plainText(cell.lines);
      const column = columnOf(title, isMaterials);
      if (column && !columns.has(column)) columns.set(column, cell.column);
      else if (title !== '') unknown.push({ column: cell.column, title });
    }
    if (columns.has(isMaterials ? 'material' : 'stem')) return { row: row.number, columns, unknown };
  }
  return undefined;
}

/** Columns as a person chose them; undefined if the sheet is not to be read. */
export function mappedTitles(mapping: SheetMapping | undefined): Titles | undefined {
  const columns = new Map<Column, number>();
  for (const [index, column] of mapping?.columns.entries() ?? []) if (column !== '') columns.set(column, index + 1);
  return mapping && columns.size > 0 ? { row: mapping.title_row, columns, unknown: [] } : undefined;
}
