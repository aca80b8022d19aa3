import type { ImportNote } from './imported-question.ts';
import { readPaper } from './paper/read-paper.ts';
import { emptyRawQuestion, type RawField, type RawQuestion } from './raw-question.ts';
import { commonTitles, questionsReader, type ReaderResult } from './reading.ts';
import {
  cutLine,
  isBlankLine,
  isTable,
  type Line,
  plainLine,
  plainText,
  type TextLine,
  trimLines,
} from './rich-line.ts';
import { readWordLines } from './word-reader.ts';

const place = (line: number): string => `第${line}行`;

/**
 * Reads questions from a .docx file. By the rules of the template, a line of five # ends a question, a line of four #
 * ends a part; names of fields are in brackets, in any order. Any other document is read as a paper.
 */
export const readWordQuestions = questionsReader(
  'docx',
  async (zip, onProgress, more) => {
    const lines = await readWordLines(zip, onProgress);
    const keys = await Promise.all(more.map((key) => readWordLines(key, () => {})));
    return readWordQuestionsIn(lines, keys);
  },
  (_, number) => place(number),
);

/** Finds the questions in the lines of a document. `keys`: the lines of further files with its answers. */
export const readWordQuestionsIn = (lines: readonly Line[], keys: readonly (readonly Line[])[] = []): ReaderResult => ({
  ...(isTemplate(lines) ? readTemplate(lines) : { format: 'docx-paper', ...readPaper(lines, keys) }),
  paper: [...lines],
});

function readTemplate(lines: readonly Line[]): ReaderResult {
  const found: ReaderResult = {
    format: 'docx-template',
    questions: [],
    errors: [],
    leftOut: [],
    doubts: [],
  };
  for (const [index, section] of splitQuestions(lines).entries()) {
    const raw = readSection(section, index === 0);
    if (!('nothing' in raw)) found.questions.push(raw);
    else if (raw.nothing) found.errors.push(raw.nothing);
  }
  return found;
}

/** True if a document follows the template: fields 【题干】 or 【题型】, or questions that end with #####. */
const isTemplate = (lines: readonly Line[]): boolean =>
  lines.some(
    (line) =>
      hashes(line) >= 4 ||
      (!isTable(line) && markersOf(line).some(({ field }) => field === 'stem' || field === 'type')),
  );

/** The lines of a question before its closing line of #, and the lines of each part. */
interface Section {
  head: Line[];
  items: Line[][];
}

/** Returns how many # a line consists of, half-width or full-width; 0 for any other line. */
function hashes(line: Line): number {
  if (isTable(line)) return 0;
  const signs = plainLine(line).replace(/\s+/g, '');
  return /^[#＃﹟]+$/.test(signs) ? signs.length : 0;
}

function splitQuestions(lines: readonly Line[]): Section[] {
  const sections: Section[] = [];
  let section: Section = { head: [], items: [] };
  let part = section.head;
  for (const line of lines) {
    const count = hashes(line);
    if (count >= 5) {
      sections.push(section);
      section = { head: [], items: [] };
      part = section.head;
    } else if (count === 4) {
      part = [];
      section.items.push(part);
    } else {
      part.push(line);
    }
  }
  sections.push(section);
  const isFilled = (part: readonly Line[]) => part.some((line) => !isBlankLine(line));
  return sections
    .map(({ head, items }) => ({ head, items: items.filter(isFilled) }))
    .filter(({ head, items }) => isFilled(head) || items.length > 0);
}

type FieldName = 'type' | 'stem' | 'options' | 'answer' | 'analysis' | 'difficulty' | 'point' | 'remark' | 'case';

const fieldByLabel: ReadonlyMap<string, FieldName> = new Map<string, FieldName>([
  ...commonTitles,
  ['题型', 'type'],
  ['题目类型', 'type'],
  ['试题类型', 'type'],
  ['小题题干', 'stem'],
  ['选项', 'options'],
  ['备选项', 'options'],
  ['知识点', 'point'],
]);

const labelOfField: Readonly<Record<FieldName, string>> = {
  type: '题型',
  stem: '题干',
  options: '选项',
  answer: '答案',
  analysis: '解析',
  difficulty: '难度',
  point: '知识点',
  remark: '备注',
  case: '大小写',
};

/**
 * Matches the name of a field. In 【】 or 〖〗 it can be anywhere in a line. Square brackets occur in texts too, so they
 * count only at the start of a line or after a space.
 */
const fieldMarker =
  /(?:[【〖]|(?<=^|\s|[.．、)）])[[［〔])\s*([\u4e00-\u9fff](?:[\s\u3000]*[\u4e00-\u9fff]){1,3})\s*[】〗\]］〕][ \t\u3000]*[:：]?/g;

interface MarkedLine {
  line: TextLine;
  /** Fields named in the line. `from`: offset of the field's name. `to`: offset of its text. */
  markers: { field: FieldName; from: number; to: number }[];
}

function markersOf(line: TextLine): MarkedLine['markers'] {
  const markers: MarkedLine['markers'] = [];
  for (const match of plainLine(line).matchAll(fieldMarker)) {
    const field = fieldByLabel.get((match[1] ?? '').replace(/\s+/g, ''));
    if (field) markers.push({ field, from: match.index, to: match.index + match[0].length });
  }
  return markers;
}

interface ReadFields {
  fields: Map<FieldName, RawField>;
  /** Lines before the first field of the question. */
  stray: TextLine[];
  errors: ImportNote[];
}

function readFields(lines: readonly Line[]): ReadFields {
  const fields = new Map<FieldName, RawField>();
  const stray: TextLine[] = [];
  const errors: ImportNote[] = [];
  let current: RawField | undefined;
  const put = (line: Line) => {
    if (current) current.lines.push(line);
    else if (!isTable(line) && !isBlankLine(line)) stray.push(line);
  };
  for (const line of lines) {
    if (isTable(line)) {
      put(line);
      continue;
    }
    const markers = markersOf(line);
    const before = markers[0]?.from ?? plainLine(line).length;
    if (before > 0 || markers.length === 0) put(cutLine(line, 0, before));
    for (const [index, marker] of markers.entries()) {
      current = { where: place(line.number), lines: [] };
      if (fields.has(marker.field)) {
        const name = labelOfField[marker.field];
        errors.push({
          where: current.where,
          message: `【${name}】重复，前一题后面可能缺少分隔行“#####”`,
        });
      } else fields.set(marker.field, current);
      put(cutLine(line, marker.to, markers[index + 1]?.from ?? plainLine(line).length));
    }
  }
  for (const field of fields.values()) field.lines = trimLines(field.lines);
  return { fields, stray, errors };
}

/** True if a line before the first field is only a number or heading, such as 1. or 第3题 or 一、 */
const isNumberOnly = (line: TextLine): boolean =>
  /^[\s(（第]*[\d一二三四五六七八九十百①-⑳]{0,4}[\s)）题小.．、:：]*$/.test(plainLine(line));

/**
 * Reads a section; returns `nothing`, with a note, if it contains no question. Text without any field before the first
 * separator is an introduction, such as the template's instructions.
 */
function readSection(section: Section, isFirst: boolean): RawQuestion | { nothing: ImportNote | undefined } {
  const all = [...section.head, ...section.items.flat()];
  const start = all.find((line) => !isBlankLine(line))?.number ?? 1;
  const hasFields = all.some((line) => !isTable(line) && markersOf(line).length > 0);
  if (!hasFields) {
    return {
      nothing: isFirst ? undefined : { where: place(start), message: '没有识别到【题干】等字段，这一段没有导入' },
    };
  }
  const raw = readPart(section.head, section.items, isFirst);
  const from = 'line' in raw.source ? raw.source.line : start;
  raw.lines = { from, to: all.findLast((line) => !isBlankLine(line))?.number ?? from };
  return raw;
}

function readPart(lines: readonly Line[], items: readonly Line[][], mayHaveIntroduction: boolean): RawQuestion {
  const { fields, stray, errors } = readFields(lines);
  const firstMarked = lines.find((line) => !isTable(line) && markersOf(line).length > 0);
  const start = (firstMarked ?? lines.find((line) => !isBlankLine(line)) ?? items[0]?.[0])?.number ?? 1;
  const raw = emptyRawQuestion({ line: start }, place(start));
  raw.type = fields.get('type');
  raw.stem = fields.get('stem');
  raw.answer = fields.get('answer');
  raw.analysis = fields.get('analysis');
  raw.difficulty = fields.get('difficulty');
  raw.point = fields.get('point');
  raw.remark = fields.get('remark');
  raw.letterCase = fields.get('case');
  raw.options = readOptions(fields.get('options'));
  raw.items = items.map((item) => readPart(item, [], false));
  raw.errors = errors;
  raw.losses = mayHaveIntroduction
    ? []
    : stray
        .filter((line) => !isNumberOnly(line))
        .map((line) => ({ where: place(line.number), message: `“${quote(line)}”不在任何字段里，没有导入` }));
  return raw;
}

function quote(line: TextLine): string {
  const text = [...plainText([line])];
  return text.length > 15 ? `${text.slice(0, 15).join('')}…` : text.join('');
}

/**
 * Finds options labelled A, B, C, … in this order. A letter out of order is text (“E. coli” in option A). Word turns a
 * typed (C) into ©. Several options on a line are separated by tabs or wide spaces, or by any space if each label has a
 * sign.
 */
function readOptions(field: RawField | undefined): RawField[] {
  if (!field) return [];
  const options: RawField[] = [];
  const lines = field.lines.flatMap(linesOfCells);
  for (const line of lines) {
    if (isTable(line)) {
      options.at(-1)?.lines.push(line);
      continue;
    }
    const plain = plainLine(line);
    const labels = labelsIn(plain, options.length);
    const before = cutLine(line, 0, labels[0]?.from ?? plain.length);
    if (!isBlankLine(before)) options.at(-1)?.lines.push(before);
    for (const [index, label] of labels.entries()) {
      const content = cutLine(line, label.to, labels[index + 1]?.from ?? plain.length);
      options.push({ where: place(line.number), lines: [{ ...content, continues: false }] });
    }
  }
  if (options.length === 0) return unnamedOptions(field);
  return options.map((option) => ({ ...option, lines: trimLines(option.lines) }));
}

/** Treats the cells of a table as lines, because options are often arranged in a table. */
function linesOfCells(line: Line): Line[] {
  if (!isTable(line)) return [line];
  const cells = line.rows.flatMap((row) => row.map((cell) => trimLines(cell.lines)));
  const first = cells.find((cell) => cell.length > 0)?.[0];
  return first && !isTable(first) && labelsIn(plainLine(first), 0).length > 0 ? cells.flat() : [line];
}

/** If options have no labels, each line is an option. */
const unnamedOptions = (field: RawField): RawField[] =>
  field.lines.flatMap((line) =>
    isBlankLine(line) ? [] : [{ where: place(line.number), lines: isTable(line) ? [line] : trimLines([line]) }],
  );

/**
 * Finds the labels of consecutive options in a line, beginning with option number `count`, whose label must start the
 * line.
 */
function labelsIn(plain: string, count: number): { from: number; to: number }[] {
  const labels: { from: number; to: number }[] = [];
  let at = 0;
  for (let index = count; index < labelPatterns.length; index += 1) {
    const pattern = labelPatterns[index] as RegExp;
    pattern.lastIndex = at;
    const match = pattern.exec(plain);
    if (!match || (labels.length === 0 && plain.slice(0, match.index).trim() !== '')) break;
    const gap = /^\s*/.exec(match[0])?.[0].length ?? 0;
    labels.push({ from: match.index + gap, to: match.index + match[0].length });
    at = match.index + match[0].length;
  }
  return labels;
}

/**
 * Patterns for the label of each option, half-width or full-width. (A), A. and A、 count after any space; a bare A only
 * after a wide one.
 */
const labelPatterns: readonly RegExp[] = Array.from({ length: 26 }, (_, index) => {
  const letter = `[${String.fromCharCode(65 + index, 97 + index, 0xff21 + index, 0xff41 + index)}]`;
  const bracketed = `[(（]\\s*${letter}\\s*[)）]`;
  const copyright = index === 2 ? '|©' : '';
  return new RegExp(
    `(?:^|\\s)\\s*(?:${bracketed}|${letter}\\s*[.．、:：)）]${copyright})` +
      `|(?:^|[\\t\\u3000]|\\s{2,})\\s*${letter}(?:\\s*[,，。]|(?=[\\t\\u3000]|\\s{2,}))`,
    'g',
  );
});
