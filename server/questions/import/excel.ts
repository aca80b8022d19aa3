import { columnLetters } from '#server/platform/office/cell-address.ts';
import { optionCount, type QuestionType } from '#server/questions/rules.ts';
import { emptyRawQuestion, type RawField, type RawQuestion } from './assemble.ts';
import { readSheets, type Sheet, type SheetRow } from './excel-reader.ts';
import { commonTitles, questionsReader, type ReaderResult } from './reading.ts';
import { isBlankLine, plainText, trimLines } from './rich-line.ts';
import { missingColumns, missingTitles, sheetMessages } from './rules.ts';
import { readType, removeSpaces } from './spelling.ts';

/**
 * Reads questions from an .xlsx file by the rules of the template: a sheet for each type, a row for each question. The
 * rows of a material question are its parts.
 */
export const readExcelQuestions = questionsReader(
  'xlsx',
  async (zip, onProgress) => {
    const read = (await readSheets(zip, onProgress)).map(readSheet);
    return {
      format: 'xlsx',
      questions: read.flatMap(({ questions }) => questions),
      errors: read.flatMap(({ errors }) => errors),
      leftOut: [],
      doubts: [],
    };
  },
  (field) => field.where,
);

type Column =
  | 'material'
  | 'type'
  | 'stem'
  | `option ${number}`
  | 'answer'
  | 'analysis'
  | 'difficulty'
  | 'item difficulty'
  | 'remark'
  | 'case';

const columnByTitle: ReadonlyMap<string, Column> = new Map<string, Column>([...commonTitles, ['试题', 'stem']]);

/** On the sheet of material questions, 题干 is the material; the parts have columns of their own. */
const materialColumnByTitle: ReadonlyMap<string, Column> = new Map([
  ...columnByTitle,
  ['材料', 'material'],
  ['材料题干', 'material'],
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
function columnOf(title: string, type: QuestionType): Column | undefined {
  const bare = removeSpaces(title)
    .replace(/\([^)]*\)/g, '')
    .replace(/[*:#【】[\]]/g, '');
  const option = /^(?:选项?)?([A-Za-z])(?:选项)?$/.exec(bare)?.[1] ?? /^选项([1-9]|1\d|2[0-6])$/.exec(bare)?.[1];
  if (option) return `option ${/\d/.test(option) ? Number(option) - 1 : option.toUpperCase().charCodeAt(0) - 65}`;
  return (type === 6 ? materialColumnByTitle : columnByTitle).get(bare);
}

const maxTitleRows = 10;

interface Titles {
  row: number;
  columns: Map<Column, number>;
}

/** Finds the row of titles: the first one that names a stem, because templates have instructions above it. */
function findTitles(sheet: Sheet, type: QuestionType): Titles | undefined {
  for (const row of sheet.rows.filter((candidate) => candidate.number <= maxTitleRows)) {
    const columns = new Map<Column, number>();
    for (const cell of row.cells.values()) {
      const column = columnOf(plainText(cell.lines), type);
      if (column && !columns.has(column)) columns.set(column, cell.column);
    }
    if (columns.has(type === 6 ? 'material' : 'stem')) return { row: row.number, columns };
  }
  return undefined;
}

const requiredColumns = (type: QuestionType): [Column, string][] => [
  ...(type === 6
    ? ([
        ['type', '小题题型'],
        ['stem', '小题题干'],
      ] satisfies [Column, string][])
    : []),
  ...(type === 1 || type === 3 || type === 4 ? ([['option 0', '选项A']] satisfies [Column, string][]) : []),
  ['answer', '答案'],
  ['difficulty', '难度'],
];

function readSheet(sheet: Sheet): Pick<ReaderResult, 'questions' | 'errors'> {
  const type = readType(sheet.name);
  const refuse = (message: string) => ({ questions: [], errors: [{ where: sheet.name, message }] });
  if (type === undefined) {
    // A sheet with an unknown name is an error only if it has questions; instructions or an empty Sheet1 are fine.
    return findTitles(sheet, 1) ? refuse(sheetMessages.name) : { questions: [], errors: [] };
  }
  if (sheet.rows.length === 0) return { questions: [], errors: [] };
  const titles = findTitles(sheet, type);
  if (!titles) return refuse(missingTitles(type));
  const missing = requiredColumns(type).filter(([column]) => !titles.columns.has(column));
  if (missing.length > 0) return refuse(missingColumns(missing.map(([, name]) => name)));
  const rows = sheet.rows.filter((row) => row.number > titles.row && isFilled(row, titles));
  const questions =
    type === 6 ? readMaterials(sheet.name, rows, titles) : rows.map((row) => readRow(sheet.name, row, titles, type));
  return { questions, errors: [] };
}

function fieldOf(sheet: string, row: SheetRow, titles: Titles, column: Column): RawField | undefined {
  const index = titles.columns.get(column);
  const cell = index === undefined ? undefined : row.cells.get(index);
  if (!cell) return undefined;
  return { where: `${sheet}!${cell.address}`, lines: trimLines(cell.lines), problem: cell.problem };
}

const hasContent = (field: RawField | undefined): field is RawField =>
  field !== undefined && (field.problem !== undefined || field.lines.some((line) => !isBlankLine(line)));

const isFilled = (row: SheetRow, titles: Titles): boolean =>
  [...titles.columns.keys()].some((column) => hasContent(fieldOf('', row, titles, column)));

function readRow(sheet: string, row: SheetRow, titles: Titles, type: QuestionType | undefined): RawQuestion {
  const field = (column: Column) => fieldOf(sheet, row, titles, column);
  const start = addressOf(row, titles, 'stem');
  const raw = emptyRawQuestion({ sheet, row: row.number, cell: start }, `${sheet}!${start}`);
  raw.type = type ?? field('type');
  raw.stem = field('stem');
  raw.options = type === 2 ? [] : optionFields(sheet, row, titles);
  raw.answer = field('answer');
  raw.analysis = field('analysis');
  raw.difficulty = field('difficulty');
  raw.remark = field('remark');
  raw.letterCase = field('case');
  if (row.isHidden) raw.losses.push({ where: `${sheet}!${start}`, message: sheetMessages.hiddenRow });
  return raw;
}

/** Address that a missing cell would have, for messages. */
const addressOf = (row: SheetRow, titles: Titles, column: Column): string =>
  `${columnLetters(titles.columns.get(column) ?? 1)}${row.number}`;

/** Reads the options up to the last one that is not empty. An empty one in between is reported as an error. */
function optionFields(sheet: string, row: SheetRow, titles: Titles): RawField[] {
  const fields = Array.from({ length: optionCount.most }, (_, index): RawField => {
    const column: Column = `option ${index}`;
    const empty = { where: `${sheet}!${addressOf(row, titles, column)}`, lines: [] };
    return fieldOf(sheet, row, titles, column) ?? empty;
  });
  return fields.slice(0, fields.findLastIndex(hasContent) + 1);
}

/** A row with a material begins a question; the rows below without a material are further parts of it. */
function readMaterials(sheet: string, rows: readonly SheetRow[], titles: Titles): RawQuestion[] {
  const questions: RawQuestion[] = [];
  for (const row of rows) {
    const material = fieldOf(sheet, row, titles, 'material');
    let question = questions.at(-1);
    if (!question || hasContent(material)) {
      const start = addressOf(row, titles, 'material');
      question = emptyRawQuestion({ sheet, row: row.number, cell: start }, `${sheet}!${start}`);
      question.type = 6;
      question.stem = material;
      question.difficulty = fieldOf(sheet, row, titles, 'difficulty');
      question.remark = fieldOf(sheet, row, titles, 'remark');
      questions.push(question);
    }
    const item = readRow(sheet, row, titles, undefined);
    item.remark = undefined;
    // The difficulty in this row belongs to the material. Parts have a column of their own; if that is empty, they take
    // the difficulty of the material.
    if (titles.columns.has('item difficulty')) item.difficulty = fieldOf(sheet, row, titles, 'item difficulty');
    const isItem = [item.type, item.stem, item.answer, ...item.options].some(
      (field) => typeof field === 'object' && hasContent(field),
    );
    if (isItem) question.items.push(item);
  }
  return questions;
}
