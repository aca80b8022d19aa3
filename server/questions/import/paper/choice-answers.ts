/** Decides the options and the answer of a choice question. */
import { optionLetter } from '#server/platform/text/rules.ts';
import { hasOptions, type QuestionType } from '#server/questions/rules.ts';
import type { RawField, RawQuestion } from '../raw-question.ts';
import { cutLine, isTable, type Line, plainLine, type TextLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { readJudgement, removeSpaces } from '../spelling.ts';
import { type Draft, noteAt, type Piece } from './draft.ts';
import { cutFrom, lineName } from './facts.ts';
import { addAnalysis, contradiction, fieldOf, isMark, textLine, textOf } from './fields.ts';

/** Letters of an answer to a choice question, and the text after them. */
const letterAnswer =
  /^[\s\u3000]*(?:选项?|故?选|应?选)?[:：]?[\s\u3000]*[（(【[]?[\s\u3000]*([A-L]+(?![A-Za-z])(?:[\s\u3000,，、;；/|和与]+[A-L]+(?=$|[\s\u3000,，、;；/|。.)）】\]]))*)[\s\u3000]*[)）】\]]?(.*)$/s;

interface Letters {
  indexes: number[];
  rest: string;
}

/** Reads the letters that a text begins with. `rest`: the text after them. */
export function lettersIn(text: string): Letters | undefined {
  const isCircled = /^[\s\u3000①-⑧、,，;；]+[。.]?$/.test(text);
  const plain = text
    .replace(/[Ａ-Ｌ]/g, (letter) => letter.normalize('NFKC'))
    .replace(/[①-⑧]/g, (sign) => (isCircled ? String.fromCharCode(sign.charCodeAt(0) - 0x2460 + 65) : sign));
  const upper = /^[\s\u3000]*[a-h](?:[\s,，、]*[a-h])*[\s\u3000。.]*$/.test(plain) ? plain.toUpperCase() : plain;
  const match = letterAnswer.exec(upper);
  if (!match?.[1]) return undefined;
  const indexes = [...new Set([...match[1].matchAll(/[A-L]/g)].map(([letter]) => letter.charCodeAt(0) - 65))];
  const rest = match[2] ?? '';
  return {
    indexes: indexes.sort((one, other) => one - other),
    rest: rest.replace(/^[\s\u3000]*[.．。、，,;；:：)）]?[\s\u3000]*/, ''),
  };
}

/** True if two spellings of an answer mean the same, or one only adds to the other. */
export function isSameAnswer(one: string, other: string): boolean {
  const [letters, others] = [lettersIn(one), lettersIn(other)];
  if (letters && others) return letters.indexes.join() === others.indexes.join();
  const [mark, otherMark] = [readJudgement(one), readJudgement(other)];
  if (mark !== undefined && otherMark !== undefined) return mark === otherMark;
  const [plain, otherPlain] = [removeSpaces(one), removeSpaces(other)];
  return plain === otherPlain || plain.startsWith(otherPlain) || otherPlain.startsWith(plain);
}

/** A bracket in the stem that may hold the answer: （ABD）, (√). */
const stemBracket =
  /[（(【［][\s\u3000\u00a0]*((?:[A-HＡ-Ｈ][\s\u3000,，、]*){1,8}|√|×|✓|✔|✗|✘|[xX]|对|错|正确|错误|[TF])[\s\u3000\u00a0]*[)）】］]/g;

interface StemAnswer {
  text: string;
  line: TextLine;
  from: number;
  to: number;
}

/** Finds the answer that the stem itself names in brackets. `marks`: true/false signs count, else letters. */
export function stemAnswer(draft: Draft, marks: boolean): StemAnswer | undefined {
  const found: (StemAnswer & { isLast: boolean; isSpaced: boolean })[] = [];
  const lines = draft.stem.filter((line): line is TextLine => !isTable(line));
  let emptyBrackets = 0;
  for (const line of lines) {
    const text = plainLine(line);
    emptyBrackets += text.match(/[（(][\s\u3000\u00a0]*[)）]/g)?.length ?? 0;
    for (const match of text.matchAll(stemBracket)) {
      const spelled = match[1] ?? '';
      if (marks ? !isMark(spelled) : !/^[A-HＡ-Ｈ]/.test(spelled)) continue;
      found.push({
        text: spelled.normalize('NFKC').replace(/[\s,，、]/g, ''),
        line,
        from: match.index,
        to: match.index + match[0].length,
        isLast: /^[\s\u3000。.？?！!；;]*$/.test(text.slice(match.index + match[0].length)),
        isSpaced: /[（(【［][\s\u3000\u00a0]/.test(match[0]),
      });
    }
  }
  const last = found.findLast(({ isLast }) => isLast);
  if (last) return last;
  const largest = draft.options.at(-1)?.index ?? -1;
  const possible = found.filter(
    ({ text }) => marks || [...text].every((letter) => letter.charCodeAt(0) - 65 <= largest),
  );
  return possible.length === 1 && emptyBrackets === 0 ? possible[0] : undefined;
}

/** Replaces the answer in the stem by an empty bracket. */
export function blankStemAnswer(draft: Draft, { line, from, to }: StemAnswer): void {
  const before = cutLine(line, 0, from);
  const after = cutLine(line, to, plainLine(line).length);
  const blanked: TextLine = {
    ...line,
    segments: [...before.segments, { text: '（    ）', marks: [] }, ...after.segments],
  };
  draft.stem = draft.stem.map((other) => (other === line ? blanked : other));
}

export function decideChoiceAnswer(draft: Draft, raw: RawQuestion, named: QuestionType | undefined): void {
  optionsFromTable(draft);
  circledOptions(draft);
  raw.options = choiceOptions(draft);
  const inStem = stemAnswer(draft, false);
  const own = draft.answer && choiceAnswer(draft, draft.answer);
  const stem = inStem && lettersIn(inStem.text)?.indexes;
  if (inStem && stem) {
    blankStemAnswer(draft, inStem);
    if (own && own.join() !== stem.join()) contradiction(draft, lineName(inStem.line.number), inStem.text);
  }
  const indexes = own ?? stem ?? (draft.answer ? undefined : tickedOptions(draft, raw)) ?? concludedAnswer(draft);
  if (!own && draft.answer && draft.answer.lines.length > 0)
    raw.answer = fieldOf(draft.answer.where, draft.answer.lines);
  else if (indexes)
    raw.answer = {
      where: draft.answer?.where ?? draft.where,
      lines: [textLine(answerText(draft, indexes), draft.from)],
    };
  raw.type = choiceType(draft, named, indexes?.length ?? 0);
}

/** Options that end with a tick, `B．北京√`, if some of them do and others do not. The ticks are taken out. */
function tickedOptions(draft: Draft, raw: RawQuestion): number[] | undefined {
  const tick = /[\s\u3000]*[（(]?[√✓✔][)）]?[\s\u3000]*$/;
  const isTicked = ({ lines }: { lines: Line[] }) => tick.test(textOf(lines)) && textOf(lines).replace(tick, '') !== '';
  const ticked = draft.options.filter(isTicked);
  if (ticked.length === 0 || ticked.length === draft.options.length) return undefined;
  raw.options = raw.options.map((option) => {
    const last = option.lines.at(-1);
    if (!isTicked(option) || !last || isTable(last)) return option;
    const text = plainLine(last);
    return { ...option, lines: [...option.lines.slice(0, -1), cutFrom(last, 0, text.search(tick))] };
  });
  return ticked.map(({ index }) => index);
}

function choiceType(draft: Draft, named: QuestionType | undefined, answers: number): QuestionType {
  const type = named !== undefined && hasOptions(named) && named !== 2 ? named : undefined;
  if (type === undefined) return answers > 1 ? 3 : 1;
  if (type === 1 && answers > 1) {
    draft.doubts.push({ where: draft.answer?.where ?? draft.where, message: paperMessages.singleWithSeveral(answers) });
    return 3;
  }
  return type;
}

/** Converts letters to positions among the options, because a letter may be missing. Unknown letters stay, as an error. */
function answerText(draft: Draft, indexes: readonly number[]): string {
  return indexes
    .map((index) => {
      const at = draft.options.findIndex((option) => option.index === index);
      return optionLetter(at === -1 ? index : at);
    })
    .join('');
}

/** Reads the letters of an answer. The text after them becomes analysis, unless it only repeats the option. */
function choiceAnswer(draft: Draft, answer: Piece): number[] | undefined {
  const lines = trimLines(answer.lines);
  const [first, ...more] = lines;
  if (!first || isTable(first)) return undefined;
  const text = plainLine(first);
  const listed = listedOptions(text);
  if (listed) return listed;
  const letters = lettersIn(text);
  if (!letters) return judgementAsOption(draft, text) ?? sameOption(draft, text);
  const rest = letters.rest === '' ? [] : [cutFrom(first, text.length - letters.rest.length)];
  const isRepeated =
    rest.length === 0 ||
    /^[（(]?\s*\d+(?:\.\d+)?\s*分\s*[)）]?$/.test(letters.rest) ||
    letters.indexes.some((index) => {
      const option = draft.options.find((other) => other.index === index);
      return (
        option !== undefined &&
        removeSpaces(letters.rest)
          .replace(/[。.;；)）]+$/, '')
          .endsWith(removeSpaces(textOf(option.lines)).replace(/[。.;；]+$/, ''))
      );
    });
  addAnalysis(
    draft,
    answer.where,
    [...(isRepeated ? [] : rest), ...more].filter((line) => isTable(line) || plainLine(line).trim() !== ''),
  );
  return letters.indexes;
}

/** Answers such as `A:甲;C:丙;`, as some platforms export them. */
function listedOptions(text: string): number[] | undefined {
  const parts = text
    .split(/[;；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2) return undefined;
  const indexes = parts.map((part) => /^([A-L])\s*[.．、:：]/.exec(part)?.[1]);
  return indexes.every((letter) => letter !== undefined)
    ? indexes.map((letter) => (letter as string).charCodeAt(0) - 65)
    : undefined;
}

function judgementAsOption(draft: Draft, text: string): number[] | undefined {
  const mark = readJudgement(text);
  if (mark === undefined) return undefined;
  const option = draft.options.find(({ lines }) => readJudgement(textOf(lines)) === mark);
  return option && [option.index];
}

/** The answer may spell out the option itself. */
function sameOption(draft: Draft, text: string): number[] | undefined {
  const wanted = removeSpaces(text).replace(/[。.;；]+$/, '');
  const option = draft.options.find(({ lines }) => removeSpaces(textOf(lines)).replace(/[。.;；]+$/, '') === wanted);
  return option && wanted !== '' ? [option.index] : undefined;
}

/** Without an answer of its own, an analysis may end with 故选B. */
function concludedAnswer(draft: Draft): number[] | undefined {
  if (!draft.analysis || draft.answer) return undefined;
  const match =
    /(?:故选|故答案为|故本题选|本题选|应选|因此选|所以选|答案[选为是])[:：]?\s*[（(]?\s*([A-H](?:[、,，\s]*[A-H])*)(?![A-Za-z])/.exec(
      textOf(draft.analysis.lines),
    );
  if (!match?.[1]) return undefined;
  draft.doubts.push({ where: draft.analysis.where, message: paperMessages.concluded });
  return lettersIn(match[1])?.indexes;
}

function choiceOptions(draft: Draft): RawField[] {
  placeLonePictures(draft);
  const isEmpty = draft.options.length > 0 && draft.options.every(({ lines }) => isVoid(lines));
  if (isEmpty)
    draft.doubts.push({ where: draft.options[0]?.where ?? draft.where, message: paperMessages.optionsElsewhere });
  return draft.options.map(({ where, lines, index }) =>
    fieldOf(where, isEmpty ? [textLine(optionLetter(index), draft.from)] : lines),
  );
}

const isVoid = (lines: readonly Line[]): boolean =>
  lines.every((line) => !isTable(line) && plainLine(line).trim() === '');

/** Pictures above a row of letters are the options, if there are as many. */
function placeLonePictures(draft: Draft): void {
  if (draft.options.length === 0 || !draft.options.every(({ lines }) => isVoid(lines))) return;
  const at = draft.stem.findLastIndex((line) => isTable(line) || plainLine(line).trim() !== '');
  const line = draft.stem[at];
  if (!line || isTable(line)) return;
  const pictures = line.segments.filter((segment) => !('text' in segment));
  const isOnlyPictures = line.segments.every((segment) => !('text' in segment) || segment.text.trim() === '');
  if (!isOnlyPictures || pictures.length !== draft.options.length) return;
  draft.stem.splice(at, 1);
  draft.options.forEach((option, index) => {
    option.lines = [{ number: line.number, continues: false, segments: pictures.slice(index, index + 1) }];
  });
}

/** Options that are the rows or columns of a table: the question keeps the table, and gets the letters as options. */
function optionsFromTable(draft: Draft): void {
  if (draft.options.length > 0) return;
  for (const line of draft.stem) {
    if (!isTable(line)) continue;
    const column = line.rows.map((row) => textOf(row[0]?.lines ?? []));
    const letters = [column, ...line.rows.map((row) => row.map((cell) => textOf(cell.lines)))]
      .map((texts) => texts.map((text) => text.replace(/[\s.．、]/g, '')).filter((text) => /^[A-H]$/.test(text)))
      .find((texts) => texts.length >= 2 && texts.every((text, index) => text.charCodeAt(0) - 65 === index));
    if (!letters) continue;
    draft.doubts.push(noteAt(line.number, paperMessages.optionsInTable));
    draft.options.push(
      ...letters.map((letter, index) => ({
        index,
        where: lineName(line.number),
        lines: [textLine(letter, line.number)],
        original: textLine(letter, line.number),
      })),
    );
    return;
  }
}

/** Options labelled ①②③, as in papers for children, if there are no letters. */
function circledOptions(draft: Draft): void {
  if (draft.options.length > 0) return;
  const begin = draft.stem.findLastIndex((line) => !isTable(line) && /^[\s\u3000]*①/.test(plainLine(line)));
  const lines = draft.stem.slice(begin);
  if (begin < 1 || lines.some(isTable)) return;
  const options: Draft['options'] = [];
  for (const line of lines as TextLine[]) {
    const text = plainLine(line);
    const labels = [...text.matchAll(/[①-⑧][\s\u3000]*[.．、]?[\s\u3000]*/g)];
    labels.forEach((label, index) => {
      const content = cutFrom(line, label.index + label[0].length, labels[index + 1]?.index);
      options.push({
        index: (label[0].charCodeAt(0) ?? 0) - 0x2460,
        where: lineName(line.number),
        lines: [content],
        original: content,
      });
    });
  }
  if (options.length < 2 || options.some(({ index }, at) => index !== at)) return;
  draft.stem = draft.stem.slice(0, begin);
  draft.options.push(...options);
  draft.doubts.push({ where: options[0]?.where ?? draft.where, message: paperMessages.circledOptions });
}
