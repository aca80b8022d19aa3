/** Converts tables with a question in each row to lines, so that they are read like the rest of a paper. */
import {
  isTable,
  type Line,
  plainLine,
  plainText,
  type TableCell,
  type TableLine,
  type TextLine,
  trimLines,
} from '../rich-line.ts';
import { cutFrom } from './facts.ts';
import { numberAt } from './numbers.ts';
import { kindIn } from './question-kinds.ts';

type Column =
  | 'number'
  | 'type'
  | 'stem'
  | 'options'
  | 'answer'
  | 'analysis'
  | 'difficulty'
  | 'points'
  | 'score'
  | `option ${number}`;

const titles: readonly (readonly [RegExp, Column])[] = [
  [/^(?:题号|序号|编号|号)$/, 'number'],
  [/^(?:题型|题目类型|试题类型|类型|题类)$/, 'type'],
  [/^(?:题干|题目|试题|题目内容|试题内容|问题|内容|题目描述)$/, 'stem'],
  [/^(?:选项|备选项|备选答案|选项内容)$/, 'options'],
  [/^(?:答案|正确答案|参考答案|标准答案)$/, 'answer'],
  [/^(?:解析|答案解析|试题解析|说明|依据)$/, 'analysis'],
  [/^(?:难度|难易度|难易程度)$/, 'difficulty'],
  [/^(?:知识点|考点|章节)$/, 'points'],
  [/^(?:分值|分数)$/, 'score'],
];

function columnOf(cell: TableCell): Column | undefined {
  const title = plainText(cell.lines).replace(/[\s（(].*$|[:：*]/g, '');
  const letter = /^(?:选项)?([A-H])(?:选项)?$/.exec(title)?.[1];
  if (letter) return `option ${letter.charCodeAt(0) - 65}`;
  return titles.find(([pattern]) => pattern.test(title))?.[1];
}

/** Replaces each table of questions by lines: number and stem, options, then the labelled fields. */
export const spellOutTables = (lines: readonly Line[]): Line[] =>
  lines.flatMap((line) => (isTable(line) ? (questionsIn(line) ?? questionBeside(line) ?? [line]) : [line]));

/** Converts a table that is one question, with the titles in the first column. */
function questionBeside(table: TableLine): Line[] | undefined {
  const columns = table.rows.map(([title]) => title && columnOf(title));
  if (table.rows.some((row) => row.length !== 2) || columns.some((column) => column === undefined)) return undefined;
  const flat: TableLine = {
    ...table,
    rows: [0, 1].map((at) => table.rows.map((row) => row[at] as TableCell)),
  };
  // Without a number in the table, the question has none.
  return questionsIn(flat, columns.includes('number'));
}

/** `isNumbered`: false if the question gets no number, because it is the only one of its table. */
function questionsIn(table: TableLine, isNumbered = true): Line[] | undefined {
  const [first, ...rows] = table.rows;
  const columns = first?.map(columnOf) ?? [];
  if (!columns.includes('stem') || !columns.includes('answer') || rows.length === 0) return undefined;
  return rows.flatMap((row, index) => {
    const cell = (column: Column) => row[columns.indexOf(column)]?.lines ?? [];
    const { stem, own } = withoutNumber(trimLines(cell('stem')));
    if (stem.length === 0) return [];
    const number = /\d+/.exec(plainText(cell('number')))?.[0] ?? own ?? String(index + 1);
    const type = plainText(cell('type'));
    const tag = kindIn(type) === undefined ? '' : `【${type}】`;
    const options = columns.flatMap((column, at): Line[] => {
      const lines = trimLines(row[at]?.lines ?? []);
      return column?.startsWith('option ') && lines.length > 0
        ? behind(`${String.fromCharCode(65 + Number(column.slice(7)))}. `, lines)
        : [];
    });
    const field = (label: string, column: Column) => {
      const content = trimLines(cell(column));
      return content.length === 0 ? [] : behind(`${label}：`, content);
    };
    return [
      ...behind(isNumbered ? `${number}. ${tag}` : tag || '题目：', stem),
      ...options,
      ...trimLines(cell('options')),
      ...field('答案', 'answer'),
      ...field('解析', 'analysis'),
      ...field('难度', 'difficulty'),
      ...field('知识点', 'points'),
      ...field('分值', 'score'),
    ].map((line) => ({ ...line, number: table.number }));
  });
}

/** Removes the number at the start of a stem: `1．水的化学式是`. */
function withoutNumber(stem: readonly Line[]): { stem: readonly Line[]; own: string | undefined } {
  const [first, ...more] = stem;
  const label = first && !isTable(first) ? numberAt(plainLine(first)) : undefined;
  if (!first || isTable(first) || label?.style !== 'dot' || label.isWeak) return { stem, own: undefined };
  return { stem: [cutFrom(first, label.to), ...more], own: label.printed };
}

/** Puts a text in front of the first line. */
function behind(text: string, lines: readonly Line[]): Line[] {
  const [first, ...more] = lines;
  if (!first || isTable(first)) return [{ number: 0, continues: false, segments: [{ text, marks: [] }] }, ...lines];
  const line: TextLine = { ...first, continues: false, segments: [{ text, marks: [] }, ...first.segments] };
  return [line, ...more];
}
