/** Guesses what the columns of a list of people mean, by headings and content. */
import type { ListPreview, Mapping } from '../source-record.ts';
import { normaliseWord } from './nearest-word.ts';
import { classHead, isKnownHead, knownWords, listChoices, plainHead } from './people-columns.ts';
import { readMobile } from './values.ts';
import type { SheetRow, SheetTable } from './workbook-file.ts';
import { identityOfTitle, identityWords, reasonHead } from './workbook-words.ts';

/** A sheet or CSV file that is a list of students or staff. */
export type PeopleTable = Pick<SheetTable, 'name' | 'rows' | 'rowCount'>;

const isMobile = (text: string): boolean => 'value' in readMobile(text);

/** Number of rows at the top that are searched for headings. */
const maxHeadRow = 10;
const sampleRows = 200;
const maxExamples = 5;
const maxExampleLength = 40;
/** Maximum characters of a heading that are shown and stored. */
const maxHeadLength = 100;

export function guessList(list: PeopleTable): ListPreview {
  const sample: SheetRow[] = [];
  for (const row of list.rows()) {
    sample.push(row);
    if (sample.length >= sampleRows) break;
  }
  const { last: headRow, texts } = headingsOf(sample);
  const at = sample.findIndex(({ row }) => row === headRow);
  const body = sample.slice(at + 1);
  const width = Math.max(texts.length, ...body.map(({ cells }) => cells.length));
  const heads = uniqueHeads(texts, width);
  const samples = heads.map((_, column) =>
    body.map(({ cells }) => cells[column]?.text ?? '').filter((text) => text !== ''),
  );
  const examples = body
    .slice(0, maxExamples)
    .map(({ cells }) => heads.map((_, column) => (cells[column]?.text ?? '').slice(0, maxExampleLength)));
  const mapping = guessMapping(heads, samples, isNamedStaff(list) ? { likely: 'staff' } : {});
  return { heads, examples, mapping, headRow, isGuessed: true };
}

const staffWord = '(?:教师|教职工|教工|教职员|老师|员工|讲师|助教)';
const staffName = new RegExp(`^${staffWord}|${staffWord}.{0,4}(?:名单|名册|花名册|一览|信息|通讯录|表)`);

/** True if the name or title of the list says that it is about staff. */
const isNamedStaff = (list: PeopleTable): boolean =>
  [list.name, ...titlesOf(list).map(({ text }) => text)].some((text) => staffName.test(text));

/** Guesses the columns of a list of the given kind. */
export function guessColumns(
  kind: Mapping['kind'],
  { heads, examples }: Pick<ListPreview, 'heads' | 'examples'>,
): Mapping {
  const samples = heads.map((_, column) => examples.map((cells) => cells[column] ?? '').filter((text) => text !== ''));
  return guessMapping(heads, samples, { asked: kind });
}

/**
 * Uses the columns that a person assigned for the source's previous list; headings that are new get the remaining
 * guesses.
 */
export function recallMapping({ heads, mapping: guess }: ListPreview, remembered: Mapping): Mapping {
  const { kind, columns: said } = remembered;
  const columns: Record<string, string> = {};
  const free = new Set(listChoices[kind]);
  for (const head of heads) {
    const field = said[head];
    if (field !== undefined) columns[head] = free.delete(field) ? field : '';
  }
  for (const head of heads) {
    const field = guess.kind === kind ? (guess.columns[head] ?? '') : '';
    columns[head] ??= free.delete(field) ? field : '';
  }
  return { ...remembered, columns };
}

/** Headings of a list. If there are two rows, the upper one groups columns (学生: 姓名, 学号). */
interface Headings {
  /** First and last row of the headings; 0 if there are none. */
  first: number;
  last: number;
  texts: string[];
}

/** Finds the headings at the top of a list. */
export function headingsOf(top: readonly SheetRow[]): Headings {
  const found = headRowOf(top.slice(0, maxHeadRow));
  if (!found) return { first: 0, last: 0, texts: [] };
  const above = top.find(({ row }) => row === found.row - 1);
  if (above && isGroupRow(above, found))
    return { first: above.row, last: found.row, texts: joinHeadRows(above, found) };
  const lower = top.find(({ row }) => row === found.row + 1);
  if (!lower || !isSecondHeadRow(found, lower))
    return { first: found.row, last: found.row, texts: found.cells.map(({ text }) => text) };
  return { first: found.row, last: lower.row, texts: joinHeadRows(found, lower) };
}

/** Returns the first row with two known headings, or with one and no mobile number. */
function headRowOf(first: readonly SheetRow[]): SheetRow | undefined {
  const found =
    first.find(({ cells }) => cells.filter(({ text }) => isKnownHead(text)).length >= 2) ??
    first.find(({ cells }) => cells.some(({ text }) => isKnownHead(text)));
  if (found) return found;
  const [top] = first;
  return top && !top.cells.some(({ text }) => isMobile(text)) ? top : undefined;
}

/** True if a cell continues the one before it: it is merged with it, or empty. */
const isGap = ({ cells }: SheetRow, at: number) => cells[at]?.isMerged !== false || cells[at]?.text === '';

/** True if the lower row has headings too, some of them below a merged or empty cell of the upper row. */
function isSecondHeadRow(upper: SheetRow, lower: SheetRow): boolean {
  const written = lower.cells.flatMap(({ text, isMerged }, at) => (isMerged || text === '' ? [] : [{ text, at }]));
  const joined = joinHeadRows(upper, lower);
  const known = written.filter(({ text, at }) => isKnownHead(text) || isKnownHead(joined[at] ?? ''));
  if (known.length === 0 || !known.some(({ at }) => isGap(upper, at))) return false;
  return known.length >= 2 || written.every(({ text }) => !/\d/.test(text));
}

/** Matches what stands above a group of columns. */
const groupHead = /^(?:学生|学员|本人|个人|教师|家长|监护人|父亲|母亲|联系|基本)|(?:信息|情况|资料)$/;

/** True if the row above the headings names groups of their columns. */
function isGroupRow(above: SheetRow, heads: SheetRow): boolean {
  const groups = above.cells.filter(({ text, isMerged }) => text !== '' && !isMerged && groupHead.test(text));
  const covers = heads.cells.some(({ text }, at) => at > 0 && text !== '' && isGap(above, at));
  return groups.length >= 2 && covers && above.cells.every(({ text }) => !/[\d:：]/.test(text));
}

function joinHeadRows(upper: SheetRow, lower: SheetRow): string[] {
  let group = '';
  return Array.from({ length: Math.max(upper.cells.length, lower.cells.length) }, (_, at) => {
    const above = upper.cells[at]?.text ?? '';
    const below = lower.cells[at]?.text ?? '';
    group = above.replace(/(?:信息|情况|资料)$/, '') || group;
    if (below === '' || below === above) return above;
    // 家长: 姓名 is not the student's name.
    const isGuardian = /家长|监护|父|母/.test(group) && !/家长|监护|父|母/.test(below);
    return isGuardian || isKnownHead(group + below) ? group + below : below;
  });
}

/** Returns the cells of the title rows, which are above the headings. */
export function titlesOf(list: PeopleTable): { row: number; text: string }[] {
  const top = topRows(list);
  const { first } = headingsOf(top);
  return top
    .filter(({ row }) => row < first)
    .flatMap(({ row, cells }) =>
      cells.filter(({ text, isMerged }) => text !== '' && !isMerged).map(({ text }) => ({ row, text })),
    );
}

/** Returns the rows that may be titles or headings. */
export function topRows(list: Pick<PeopleTable, 'rows'>): SheetRow[] {
  const top: SheetRow[] = [];
  for (const row of list.rows()) {
    top.push(row);
    if (top.length > maxHeadRow) break;
  }
  return top;
}

function uniqueHeads(written: readonly string[], width: number): string[] {
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, index) => {
    const plain = written[index]?.trim().slice(0, maxHeadLength) || `第${index + 1}列`;
    let head = plain;
    for (let count = 2; taken.has(head); count += 1) head = `${plain}（${count}）`;
    taken.add(head);
    return head;
  });
}

/**
 * Guesses for unknown headings by the content of the column: it gets the first of `fields` that no other column has.
 */
const contentGuesses: readonly { is: (text: string) => boolean; fields: readonly string[] }[] = [
  { is: isMobile, fields: ['手机号', '家长手机号'] },
  { is: (text) => Object.hasOwn(identityWords, text) || identityOfTitle(text) !== undefined, fields: ['身份'] },
  { is: (text) => /^\p{Script=Han}{2,4}$/u.test(text) && !text.endsWith('班'), fields: ['姓名'] },
  { is: (text) => /班$/.test(text), fields: [classHead] },
];

/** Matches headings that only lists of staff have. We have no use for these columns, but they show what the list is. */
const staffHead = /任教|任课|所教|职称|教龄|教研组|入职/;

/** Guesses by heading first, then by content. */
function guessMapping(
  heads: readonly string[],
  samples: readonly string[][],
  { asked, likely }: { asked?: Mapping['kind']; likely?: Mapping['kind'] },
): Mapping {
  const count = (kind: Mapping['kind']): number =>
    heads.filter((head) => knownWords.get(kind)?.some(({ words }) => words.includes(plainHead(head)))).length;
  const hasIdentity = samples.some((texts) => areMostly(texts, (text) => Object.hasOwn(identityWords, text)));
  const lead = count('staff') - count('student') + (heads.some((head) => staffHead.test(head)) ? 1 : 0);
  const kind = asked ?? (hasIdentity || lead > 0 || (lead === 0 && likely === 'staff') ? 'staff' : 'student');
  const known = knownWords.get(kind) ?? [];
  const columns: Record<string, string> = {};
  const free = new Set(listChoices[kind]);
  const take = (head: string, field: string | undefined) => {
    if (field === undefined || !free.delete(field)) return false;
    columns[head] = field;
    return true;
  };
  for (const head of heads) {
    take(head, known.find(({ words, head: field }) => free.has(field) && words.includes(plainHead(head)))?.head);
  }
  heads.forEach((head, index) => {
    if (columns[head] !== undefined || normaliseWord(head) === reasonHead) return;
    const texts = samples[index] ?? [];
    if (texts.length === 0) return;
    for (const { is, fields } of contentGuesses) {
      if (areMostly(texts, is) && fields.some((field) => take(head, field))) break;
    }
  });
  for (const head of heads) columns[head] ??= '';
  return { kind, columns };
}

const areMostly = (texts: readonly string[], is: (text: string) => boolean): boolean =>
  texts.length > 0 && texts.filter(is).length >= texts.length * 0.8;

/** True if one of the first rows has two known headings. */
export function hasListHeads(list: PeopleTable): boolean {
  let rowNumber = 0;
  for (const { cells } of list.rows()) {
    rowNumber += 1;
    if (rowNumber > maxHeadRow) return false;
    if (cells.filter(({ text }) => isKnownHead(text)).length >= 2) return true;
  }
  return false;
}
