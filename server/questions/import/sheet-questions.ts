/**
 * Reads questions from sheets: one for each type as in the template, or one for all with a column 题型. The rows of a
 * material question are its parts.
 */
import { columnLetters } from '#server/platform/office/cell-address.ts';
import { formulaPattern } from '#server/platform/text/render-math.ts';
import { blanksFault, optionCount, type QuestionType, remarkLimit, tagsIn } from '#server/questions/rules.ts';
import type { Column, ColumnMapping } from './column-names.ts';
import type { Sheet, SheetRow } from './excel-reader.ts';
import { importedTags } from './from-draft.ts';
import { emptyRawQuestion, type RawField, type RawQuestion } from './raw-question.ts';
import type { ReaderResult } from './reading.ts';
import {
  cutLine,
  isBlankLine,
  isTable,
  isText,
  type Line,
  plainLine,
  plainText,
  type Segment,
  type TextLine,
  trimLines,
} from './rich-line.ts';
import { excerpt, noColumnMessage, noStemColumnMessage, qtiMessages, sheetMessages } from './rules.ts';
import { findTitles, mappedTitles, type Titles } from './sheet-columns.ts';
import { describeSheets } from './sheet-mapping.ts';
import { judgementOptionIds, readBlanks, readType } from './spelling.ts';

type SheetResult = Pick<ReaderResult, 'questions' | 'errors' | 'leftOut' | 'doubts' | 'sheets'>;

/** `mapping`: chosen columns, in place of the titles. */
export function readQuestionSheets(sheets: readonly Sheet[], mapping?: ColumnMapping): SheetResult {
  const read = sheets.map((sheet) => readSheet(sheet, mapping));
  const result: SheetResult = {
    questions: read.flatMap(({ questions }) => questions),
    errors: read.flatMap(({ errors }) => errors),
    leftOut: read.flatMap(({ leftOut }) => leftOut),
    doubts: read.flatMap(({ doubts }) => doubts),
    sheets: describeSheets(sheets, mapping),
  };
  if (result.questions.length === 0 && result.errors.length === 0 && result.leftOut.length > 0) {
    result.errors.push({ where: '文件', message: sheetMessages.noTitles });
  }
  return result;
}

function readSheet(sheet: Sheet, mapping: ColumnMapping | undefined): SheetResult {
  const type = readType(sheet.name);
  const result: SheetResult = { questions: [], errors: [], leftOut: [], doubts: [] };
  if (sheet.rows.length === 0) return result;
  const titles = mapping ? mappedTitles(mapping[sheet.name]) : findTitles(sheet, type === 6);
  if (!titles && mapping) {
    result.leftOut.push({ where: sheet.name, message: sheetMessages.notChosen });
    return result;
  }
  if (!titles) {
    // Instructions and an empty Sheet1 are fine beside sheets with questions.
    if (type === undefined) result.leftOut.push({ where: sheet.name, message: sheetMessages.noStemColumn });
    else result.errors.push({ where: sheet.name, message: noStemColumnMessage(type) });
    return result;
  }
  if (!titles.columns.has('answer')) {
    result.errors.push({ where: sheet.name, message: noColumnMessage(['答案']) });
    return result;
  }
  const rows = sheet.rows.filter((row) => row.number > titles.row && isFilled(row, titles));
  const reading: Reading = { sheet: sheet.name, titles, type };
  const isMaterials = type === 6 || (type === undefined && titles.columns.has('material'));
  result.questions = isMaterials ? readMaterials(reading, rows) : readMixed(reading, rows);
  for (const question of result.questions) question.score ??= scoreOfParts(question);
  if (type === undefined && !titles.columns.has('type') && result.questions.length > 0) {
    result.doubts.push({ where: sheet.name, message: sheetMessages.noTypes });
  }
  for (const { column, title } of titles.unknown) {
    if (rows.some((row) => hasContent(fieldAt(sheet.name, row, column)))) {
      result.leftOut.push({ where: sheet.name, message: sheetMessages.unknownColumn(excerpt(title)) });
    }
  }
  return result;
}

interface Reading {
  sheet: string;
  titles: Titles;
  /** The type that the sheet's name says. */
  type: QuestionType | undefined;
}

function fieldAt(sheet: string, row: SheetRow, column: number | undefined): RawField | undefined {
  const cell = column === undefined ? undefined : row.cells.get(column);
  if (!cell) return undefined;
  return { where: `${sheet}!${cell.address}`, lines: trimLines(cell.lines), problem: cell.problem };
}

const fieldOf = ({ sheet, titles }: Reading, row: SheetRow, column: Column): RawField | undefined =>
  fieldAt(sheet, row, titles.columns.get(column));

const hasContent = (field: RawField | undefined): field is RawField =>
  field !== undefined && (field.problem !== undefined || field.lines.some((line) => !isBlankLine(line)));

const isFilled = (row: SheetRow, titles: Titles): boolean =>
  [...titles.columns.values()].some((column) => hasContent(fieldAt('', row, column)));

const textOf = (field: RawField | undefined): string => (field ? plainText(field.lines) : '');

function readRow(reading: Reading, row: SheetRow, type: QuestionType | undefined): RawQuestion {
  const field = (column: Column) => fieldOf(reading, row, column);
  const start = `${reading.sheet}!${addressOf(reading, row, 'stem')}`;
  const raw = emptyRawQuestion({ sheet: reading.sheet, row: row.number, cell: addressOf(reading, row, 'stem') }, start);
  raw.type = type ?? field('type');
  raw.stem = withFormulas(field('stem'));
  raw.options = type === 2 ? [] : optionFields(reading, row);
  raw.answer = field('answer');
  raw.analysis = withFormulas(field('analysis'));
  raw.difficulty = field('difficulty');
  raw.letterCase = field('case');
  raw.number = textOf(field('number')) || undefined;
  readRemark(reading, row, raw);
  readTags(field('tags'), raw);
  readScore(field('score'), raw);
  if (row.isHidden) raw.losses.push({ where: start, message: sheetMessages.hiddenRow });
  const isTyped = typeof raw.type === 'number' || textOf(raw.type) !== '';
  if (!isTyped) guessType(raw, reading.titles.columns.has('type'));
  const typeName = typeof raw.type === 'number' ? raw.type : readType(textOf(raw.type));
  if (typeName === 5) raw.answer = withFormulas(raw.answer);
  // A true/false question has fixed options; the row's options only give each letter its meaning.
  if (typeName === 2 && !judgementOptionIds(raw.options.map(textOf))) raw.options = [];
  return raw;
}

/** Without a type, a stem with as many blanks as the answer has is a fill-in question; the rest is told by options. */
function guessType(raw: RawQuestion, isSaid: boolean): void {
  const blanks = readBlanks(textOf(raw.answer));
  const stem = textOf(raw.stem);
  const isBlanks = raw.options.length === 0 && /[_＿]{2,}/.test(stem) && blanksFault(stem, blanks.length) === undefined;
  raw.type = isBlanks ? 7 : undefined;
  if (isSaid) raw.doubts.push({ where: raw.where, message: sheetMessages.noType });
}

function readRemark(reading: Reading, row: SheetRow, raw: RawQuestion): void {
  const remark = fieldOf(reading, row, 'remark');
  const point = fieldOf(reading, row, 'point');
  if (hasContent(point)) raw.point = point;
  const extra = fieldOf(reading, row, 'chapter');
  raw.remark = remark;
  if (hasContent(extra)) {
    const joined = [textOf(raw.remark), textOf(extra)].filter((text) => text !== '').join(' ');
    if ([...joined].length > remarkLimit) {
      raw.losses.push({ where: extra.where, message: sheetMessages.longRemark(excerpt(textOf(extra))) });
    } else {
      raw.remark = { where: (raw.remark ?? extra).where, lines: [textLine([{ text: joined, marks: [] }])] };
    }
  }
}

function readTags(field: RawField | undefined, raw: RawQuestion): void {
  const lose = (message: string) => raw.losses.push({ where: field?.where ?? raw.where, message });
  const tags = importedTags(tagsIn(textOf(field)), lose);
  if (tags !== undefined) raw.tags = tags;
}

const textLine = (segments: Segment[]): TextLine => ({ number: 0, segments, continues: false });

/** Scores are in halves of a point. */
function readScore(field: RawField | undefined, raw: RawQuestion): void {
  const text = textOf(field);
  if (!field || text === '') return;
  const score = Number(/^(\d+(?:\.\d+)?)\s*分?$/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isInteger(score * 2) && score > 0) raw.score = score;
  else {
    const message = Number.isNaN(score) ? sheetMessages.score(excerpt(text)) : qtiMessages.oddScore(score);
    raw.losses.push({ where: field.where, message });
  }
}

/** Sum of the parts' points, if each has some. */
function scoreOfParts({ items }: RawQuestion): number | undefined {
  const scores = items.map(({ score }) => score).filter((score) => score !== undefined);
  return items.length > 0 && scores.length === items.length ? scores.reduce((sum, score) => sum + score) : undefined;
}

/** Address that a missing cell would have, for messages. */
const addressOf = ({ titles }: Reading, row: SheetRow, column: Column): string =>
  `${columnLetters(titles.columns.get(column) ?? 1)}${row.number}`;

/** Reads the options up to the last one that is not empty. An empty one in between is reported as an error. */
function optionFields(reading: Reading, row: SheetRow): RawField[] {
  const fields = Array.from({ length: optionCount.most }, (_, index): RawField => {
    const column: Column = `option ${index}`;
    const empty = { where: `${reading.sheet}!${addressOf(reading, row, column)}`, lines: [] };
    return withFormulas(fieldOf(reading, row, column)) ?? empty;
  });
  const separate = fields.slice(0, fields.findLastIndex(hasContent) + 1);
  const joined = fieldOf(reading, row, 'options');
  return separate.length === 0 && hasContent(joined) ? splitOptions(joined) : separate;
}

/**
 * Splits a cell that holds all options: by lines, by letters such as `A.`, or by `|`, semicolons and slashes. Letters
 * before the options are removed.
 */
function splitOptions(field: RawField): RawField[] {
  if (field.problem) return [field];
  const lines = field.lines.filter((line) => !isBlankLine(line));
  const [only] = lines;
  const pieces = lines.length > 1 || !only || isTable(only) ? lines : (splitAtLetters(only) ?? splitAtSigns(only));
  const bare = withoutLetters(pieces);
  return bare.map((line) => withFormulas({ where: field.where, lines: trimLines([line]) }) as RawField);
}

const letterLabel = /(?:^|[\s;；|/,，])([A-Za-zＡ-Ｚ])\s*[.．、)）:：]\s*/g;

function splitAtLetters(line: TextLine): TextLine[] | undefined {
  const plain = plainLine(line);
  const starts: number[] = [];
  for (const match of plain.matchAll(letterLabel)) {
    const letter = (match[1] ?? '').normalize('NFKC').toUpperCase();
    // The next letter of the row; others belong to the text.
    if (letter.charCodeAt(0) - 65 === starts.length) starts.push(match.index);
  }
  if (starts.length < 2 || starts[0] !== 0) return undefined;
  return starts.map((start, index) => cutLine(line, start, starts[index + 1] ?? plain.length));
}

function splitAtSigns(line: TextLine): TextLine[] {
  const plain = plainLine(line);
  const sign = [/[|｜]/g, /[;；]/g, /\//g].find((pattern) => plain.search(pattern) >= 0);
  if (!sign) return [line];
  const pieces: TextLine[] = [];
  let from = 0;
  for (const { index } of plain.matchAll(sign)) {
    pieces.push(cutLine(line, from, index));
    from = index + 1;
  }
  pieces.push(cutLine(line, from, plain.length));
  return pieces.filter((piece) => !isBlankLine(piece));
}

/** Removes the letters before options, if all have the one of their place. */
function withoutLetters(pieces: readonly Line[]): Line[] {
  const bare = pieces.map((piece, index) => {
    if (isTable(piece)) return undefined;
    const plain = plainLine(piece);
    const label = /^[\s;；|/,，]*([A-Za-zＡ-Ｚ])\s*[.．、)）:：]\s*/.exec(plain);
    const letter = (label?.[1] ?? '').normalize('NFKC').toUpperCase();
    if (!label || letter.charCodeAt(0) - 65 !== index) return undefined;
    return { ...cutLine(piece, label[0].length, plain.length), continues: false };
  });
  if (bare.every((line) => line !== undefined)) return bare;
  return pieces.map((piece) => (isTable(piece) ? piece : { ...piece, continues: false }));
}

/** Makes formulas of the LaTeX in a cell, such as `$x^2$`. */
function withFormulas(field: RawField | undefined): RawField | undefined {
  if (
    !field?.lines.some((line) => !isTable(line) && line.segments.some((one) => isText(one) && /[$\\]/.test(one.text)))
  ) {
    return field;
  }
  return {
    ...field,
    lines: field.lines.map((line) =>
      isTable(line) ? line : { ...line, segments: line.segments.flatMap(splitFormulas) },
    ),
  };
}

function splitFormulas(segment: Segment): Segment[] {
  if (!isText(segment)) return [segment];
  const segments: Segment[] = [];
  let at = 0;
  for (const match of segment.text.matchAll(formulaPattern)) {
    const [whole, display, inline, inParentheses, inBrackets] = match;
    const formula = display ?? inline ?? inParentheses ?? inBrackets;
    if (formula === undefined) continue;
    if (match.index > at) segments.push({ ...segment, text: segment.text.slice(at, match.index) });
    segments.push({ formula: formula.trim(), display: display !== undefined || inBrackets !== undefined });
    at = match.index + whole.length;
  }
  if (at < segment.text.length) segments.push({ ...segment, text: segment.text.slice(at) });
  return segments;
}

/**
 * Reads a row for each question. A material question is a row of its own type; the rows below whose number goes on from
 * its number, as 5.1 from 5, are its parts.
 */
function readMixed(reading: Reading, rows: readonly SheetRow[]): RawQuestion[] {
  const questions: RawQuestion[] = [];
  for (const row of rows) {
    const raw = readRow(reading, row, reading.type);
    const last = questions.at(-1);
    if (last && typeOfRaw(last) === 6 && isPartNumber(raw.number, last.number)) last.items.push(asPart(raw, last));
    else questions.push(raw);
  }
  return questions;
}

const typeOfRaw = ({ type }: RawQuestion): QuestionType | undefined =>
  typeof type === 'number' ? type : readType(textOf(type));

function isPartNumber(number: string | undefined, of: string | undefined): boolean {
  const written = number?.normalize('NFKC').replace(/\s/g, '') ?? '';
  if (/^(?:\(\d+\)|[①-⑳])$/.test(number?.trim() ?? '') || /^\(\d+\)$/.test(written)) return true;
  return of !== undefined && written.startsWith(of) && /^(?:[.\-－—]\d+|\(\d+\))$/.test(written.slice(of.length));
}

/** Remarks and points belong to the material, and so do scores, which add up there. */
function asPart(raw: RawQuestion, material: RawQuestion): RawQuestion {
  material.point ??= raw.point;
  return { ...raw, remark: undefined, point: undefined, tags: undefined };
}

/** A row with a material begins a question; the rows below without a material are further parts of it. */
function readMaterials(reading: Reading, rows: readonly SheetRow[]): RawQuestion[] {
  const { sheet, titles } = reading;
  const questions: RawQuestion[] = [];
  let open: RawQuestion | undefined;
  for (const row of rows) {
    const material = fieldOf(reading, row, 'material');
    // On a sheet of all types, a row without a material is a question of its own.
    if (reading.type === undefined && !hasContent(material)) {
      open = undefined;
      questions.push(readRow(reading, row, undefined));
      continue;
    }
    const isSame = reading.type === undefined && open && textOf(open.stem) === textOf(withFormulas(material));
    if (!open || (hasContent(material) && !isSame)) {
      const start = addressOf(reading, row, 'material');
      open = emptyRawQuestion({ sheet, row: row.number, cell: start }, `${sheet}!${start}`);
      open.type = 6;
      open.stem = withFormulas(material);
      open.difficulty = fieldOf(reading, row, 'difficulty');
      readRemark(reading, row, open);
      questions.push(open);
    }
    const item = asPart(readRow(reading, row, undefined), open);
    // The difficulty in this row belongs to the material. Parts have a column of their own; if that is empty, they take
    // the difficulty of the material.
    if (titles.columns.has('item difficulty')) item.difficulty = fieldOf(reading, row, 'item difficulty');
    const isItem = [item.type, item.stem, item.answer, ...item.options].some(
      (field) => typeof field === 'object' && hasContent(field),
    );
    if (isItem) open.items.push(item);
  }
  return questions;
}
