/** Settles the type and the answer of each question from what its lines, its heading and the answer key say. */
import { optionLetter } from '#server/platform/text/rules.ts';
import { hasOptions, type QuestionType, remarkLimit } from '#server/questions/rules.ts';
import { emptyRawQuestion, type RawField, type RawQuestion } from '../assemble.ts';
import { cutLine, isTable, type Line, plainLine, plainText, type TextLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { judgementOptionIds, readBlanks, readJudgement, removeSpaces } from '../spelling.ts';
import type { Draft, Piece } from './drafts.ts';
import { note, partsToText } from './drafts.ts';
import { cutFrom, place } from './facts.ts';
import { kindBehind } from './headings.ts';
import { numberAt } from './numbers.ts';

const textOf = (lines: readonly Line[]): string => plainText(lines);

const textLine = (text: string, number: number): TextLine => ({
  number,
  continues: false,
  segments: [{ text, marks: [] }],
});

/** Letters of an answer to a choice question, and what stands behind them. */
const letterAnswer =
  /^[\s\u3000]*(?:选项?|故?选|应?选)?[:：]?[\s\u3000]*[（(【[]?[\s\u3000]*([A-L]+(?![A-Za-z])(?:[\s\u3000,，、;；/|和与]+[A-L]+(?=$|[\s\u3000,，、;；/|。.)）】\]]))*)[\s\u3000]*[)）】\]]?(.*)$/s;

interface Letters {
  indexes: number[];
  rest: string;
}

/** Reads the letters that a text begins with; `rest`: text behind them. */
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

/** A bracket in the stem that may hold the answer: （ABD）, (√). */
const stemBracket =
  /[（(【［][\s\u3000\u00a0]*((?:[A-HＡ-Ｈ][\s\u3000,，、]*){1,8}|√|×|✓|✔|✗|✘|[xX]|对|错|正确|错误|[TF])[\s\u3000\u00a0]*[)）】］]/g;

const isMark = (text: string): boolean => readJudgement(text) !== undefined;

interface StemAnswer {
  text: string;
  line: TextLine;
  from: number;
  to: number;
}

/** Finds the answer that the stem itself names in brackets. `marks`: true/false signs count, else letters. */
function stemAnswer(draft: Draft, marks: boolean): StemAnswer | undefined {
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
function blankStemAnswer(draft: Draft, { line, from, to }: StemAnswer): void {
  const before = cutLine(line, 0, from);
  const after = cutLine(line, to, plainLine(line).length);
  const blanked: TextLine = {
    ...line,
    segments: [...before.segments, { text: '（    ）', marks: [] }, ...after.segments],
  };
  draft.stem = draft.stem.map((other) => (other === line ? blanked : other));
}

const kindTypes: Readonly<Record<string, QuestionType>> = { open: 5 };

/** Type that a tag or heading names; undefined if the answer decides. */
function namedType(draft: Draft): QuestionType | undefined {
  const named = draft.tag?.kind ?? kindBehind(textOf(draft.stem)) ?? draft.kind;
  return typeof named === 'number' ? named : kindTypes[named ?? ''];
}

const wantsChoice = (draft: Draft): boolean => {
  const named = draft.tag?.kind ?? draft.kind;
  return named === 1 || named === 3 || named === 4 || named === 'choice';
};

/** Makes a question of the import from a draft that has the answers of all keys. */
export function rawQuestionOf(draft: Draft, isPart = false): RawQuestion {
  const raw = emptyRawQuestion({ line: draft.from }, draft.where);
  raw.number = draft.number || undefined;
  raw.lines = { from: draft.from, to: draft.to };
  raw.score = draft.score;
  raw.hasUsualDifficulty = true;
  if (draft.parts.length > 0 && !draft.isMaterial) shareAnswers(draft);
  if (draft.parts.length > 0) {
    raw.type = 6;
    raw.items = draft.parts.map((part) => rawQuestionOf(part, true));
    if (draft.answer) draft.losses.push({ where: draft.answer.where, message: paperMessages.materialAnswer });
  } else {
    settle(draft, raw, isPart);
  }
  raw.stem = fieldOf(draft.where, draft.stem);
  // `3．（1）…` has no stem of its own; its number stands in for it.
  if (raw.items.length > 0 && raw.stem.lines.length === 0 && draft.number !== '')
    raw.stem.lines.push(textLine(`${draft.number}.`, draft.from));
  raw.analysis = draft.analysis && fieldOf(draft.analysis.where, draft.analysis.lines);
  keepPoints(draft, raw);
  raw.difficulty = draft.difficulty && fieldOf(draft.difficulty.where, draft.difficulty.lines);
  raw.errors = draft.errors;
  raw.doubts = draft.doubts;
  raw.losses = draft.losses;
  return raw;
}

/** Knowledge points become the remark, or part of the analysis if they are too long for it. */
function keepPoints({ points }: Draft, raw: RawQuestion): void {
  if (!points || textOf(points.lines) === '') return;
  if ([...textOf(points.lines).replace(/\s*\n\s*/g, ' ')].length <= remarkLimit)
    raw.remark = fieldOf(points.where, points.lines);
  else
    raw.analysis = {
      where: raw.analysis?.where ?? points.where,
      lines: [...(raw.analysis?.lines ?? []), ...trimLines(points.lines)],
    };
}

const fieldOf = (where: string, lines: readonly Line[]): RawField => ({ where, lines: trimLines(lines) });

/** Decides type and answer of a question without parts. */
function settle(draft: Draft, raw: RawQuestion, isPart: boolean): void {
  const named = namedType(draft);
  const texts = draft.options.map((option) => textOf(option.lines));
  const isJudgement = judgementOptionIds(texts) !== undefined;
  if (
    isJudgement ||
    (draft.options.length === 0 && (named === 2 || (named === undefined && !wantsChoice(draft) && holdsMark(draft))))
  ) {
    settleJudgement(draft, raw);
    return;
  }
  if (draft.options.length > 0 || wantsChoice(draft) || named === 2) settleChoice(draft, raw, named);
  else settleWritten(draft, raw, named, isPart);
}

const holdsMark = (draft: Draft): boolean => {
  const answer = removeSpaces(textOf(draft.answer?.lines ?? []));
  return answer === '' ? stemAnswer(draft, true)?.text.match(/[√×✓✔✗✘对错]|正确|错误/) != null : isMark(answer);
};

function settleJudgement(draft: Draft, raw: RawQuestion): void {
  raw.type = 2;
  const inStem = stemAnswer(draft, true) ?? (draft.answer ? undefined : stemAnswer(draft, false));
  const options = judgementOptionIds(draft.options.map((option) => textOf(option.lines)));
  const markOf = (text: string): 1 | 2 | undefined => {
    const mark =
      readJudgement(text) ?? readJudgement(text.split(/[\s，,。；;（(:：]/).find((word) => word !== '') ?? '');
    if (mark !== undefined) return mark;
    const letters = lettersIn(text);
    const [letter, ...more] = letters?.indexes ?? [];
    if (letter === undefined || letter > 1 || more.length > 0) return undefined;
    return letter === (options?.right ?? 1) - 1 ? 1 : 2;
  };
  const own = draft.answer && markOf(textOf(draft.answer.lines));
  const stem = inStem && markOf(inStem.text);
  if (inStem && stem !== undefined) {
    blankStemAnswer(draft, inStem);
    if (own !== undefined && own !== stem)
      contradiction(draft, place(inStem.line.number), stem === 1 ? '正确' : '错误');
  }
  if (draft.answer && own === undefined && stem === undefined) {
    raw.answer = fieldOf(draft.answer.where, draft.answer.lines);
    return;
  }
  const mark = own ?? stem;
  const where = draft.answer?.where ?? draft.where;
  if (
    !options &&
    draft.answer &&
    mark !== undefined &&
    lettersIn(textOf(draft.answer.lines)) &&
    !isMark(textOf(draft.answer.lines))
  ) {
    draft.doubts.push({ where, message: paperMessages.judgementLetters });
  }
  if (draft.answer) keepRest(draft, draft.answer, mark);
  if (mark !== undefined) raw.answer = { where, lines: [textLine(mark === 1 ? '正确' : '错误', draft.from)] };
}

/** Text behind the mark of a true/false answer is an explanation. */
function keepRest(draft: Draft, answer: Piece, mark: 1 | 2 | undefined): void {
  const [first, ...more] = trimLines(answer.lines);
  if (mark === undefined || !first || isTable(first)) return;
  const text = plainLine(first);
  const head =
    /^[\s\u3000（(]*(?:正确|错误|[√×✓✔✗✘对错A-Fa-fTtXx])[\s\u3000)）]*[。.，,；;：:、]?[\s\u3000]*/.exec(text)?.[0]
      .length ?? text.length;
  const rest = [cutFrom(first, head), ...more].filter((line) => isTable(line) || plainLine(line).trim() !== '');
  if (isMark(text) || rest.length === 0) {
    if (more.length > 0) addAnalysis(draft, answer.where, more);
    return;
  }
  addAnalysis(draft, answer.where, rest);
}

function addAnalysis(draft: Draft, where: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  draft.analysis = { where: draft.analysis?.where ?? where, lines: [...lines, ...(draft.analysis?.lines ?? [])] };
}

function contradiction(draft: Draft, where: string, other: string): void {
  const own = draft.answer;
  draft.errors.push({
    where,
    message: paperMessages.twoAnswers(short(textOf(own?.lines ?? [])), own?.where ?? draft.where, other),
  });
}

const short = (text: string): string => {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length > 12 ? `${characters.slice(0, 12).join('')}…` : characters.join('');
};

function settleChoice(draft: Draft, raw: RawQuestion, named: QuestionType | undefined): void {
  optionsFromTable(draft);
  circledOptions(draft);
  raw.options = choiceOptions(draft);
  const inStem = stemAnswer(draft, false);
  const own = draft.answer && choiceAnswer(draft, draft.answer);
  const stem = inStem && lettersIn(inStem.text)?.indexes;
  if (inStem && stem) {
    blankStemAnswer(draft, inStem);
    if (own && own.join() !== stem.join()) contradiction(draft, place(inStem.line.number), inStem.text);
  }
  const indexes = own ?? stem ?? concludedAnswer(draft);
  if (!own && draft.answer && draft.answer.lines.length > 0)
    raw.answer = fieldOf(draft.answer.where, draft.answer.lines);
  else if (indexes)
    raw.answer = {
      where: draft.answer?.where ?? draft.where,
      lines: [textLine(answerText(draft, indexes), draft.from)],
    };
  raw.type = choiceType(draft, named, indexes?.length ?? 0);
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

/** Letters as positions among the options, because a letter may be missing; others stay, and are an error. */
function answerText(draft: Draft, indexes: readonly number[]): string {
  return indexes
    .map((index) => {
      const at = draft.options.findIndex((option) => option.index === index);
      return optionLetter(at === -1 ? index : at);
    })
    .join('');
}

/** Reads the letters of an answer; what stands behind them becomes analysis, unless it only repeats the option. */
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
    draft.doubts.push(note(line.number, paperMessages.optionsInTable));
    draft.options.push(
      ...letters.map((letter, index) => ({
        index,
        where: place(line.number),
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
        where: place(line.number),
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

/** Maximum length of an answer that is compared letter by letter. */
const maxBlank = 30;

function settleWritten(draft: Draft, raw: RawQuestion, named: QuestionType | undefined, isPart: boolean): void {
  if (named === 7 && blanksIn(draft.stem) === 0) markSpaces(draft);
  const stem = textOf(draft.stem);
  const marked = blanksIn(draft.stem);
  const answer = draft.answer && trimLines(draft.answer.lines);
  if (!answer || answer.length === 0) {
    const inStem = named === 7 && marked === 0 ? answersInStem(draft) : undefined;
    raw.type = named === 7 ? 7 : 5;
    if (inStem) raw.answer = { where: draft.where, lines: [textLine(inStem.join('@@'), draft.from)] };
    return;
  }
  const where = draft.answer?.where ?? draft.where;
  const blanks = answer.some((line) => isTable(line) || line.segments.some((segment) => !('text' in segment)))
    ? []
    : blankAnswers(textOf(answer), marked);
  // “略” and “言之有理即可” are nothing to compare with.
  const isOpen = blanks.some((blank) => /略|合理|即可|不唯一|言之有理/.test(blank));
  const fits =
    !isOpen &&
    blanks.length > 0 &&
    blanks.length === marked &&
    blanks.every((blank) => blank !== '' && [...blank].length <= maxBlank);
  const isBlanks =
    named === 7 ? blanks.length > 0 && (fits || marked === 0) : fits && named !== 5 && (isPart || named === undefined);
  if (isBlanks && fits) {
    raw.type = 7;
    if (blanks.some((blank) => /或/.test(blank))) draft.doubts.push({ where, message: paperMessages.severalWordings });
    raw.answer = { where, lines: [textLine(blanks.join('@@'), draft.from)] };
    return;
  }
  raw.type = 5;
  raw.answer = fieldOf(where, answer);
  if (named === 7) draft.doubts.push({ where, message: paperMessages.blanksUnclear(marked) });
  if (stem === '' && isPart) draft.doubts.push({ where, message: paperMessages.noStem });
}

/** Wide spaces within a sentence are blanks in a fill-in question: `定义域为      .` */
function markSpaces(draft: Draft): void {
  const wide = /(?<=[^\s\u3000])[ \u3000\u00a0]{3,}(?=[^\s\u3000])/g;
  draft.stem = draft.stem.map((line) =>
    isTable(line)
      ? line
      : {
          ...line,
          segments: line.segments.map((segment) =>
            'text' in segment ? { ...segment, text: segment.text.replace(wide, '____') } : segment,
          ),
        },
  );
  if (blanksIn(draft.stem) > 0) draft.doubts.push({ where: draft.where, message: paperMessages.spacesAsBlanks });
}

/** Counts blanks: underlined or underscores, else empty brackets. */
export function blanksIn(lines: readonly Line[]): number {
  let lineBlanks = 0;
  let brackets = 0;
  for (const line of lines) {
    if (isTable(line)) {
      for (const cell of line.rows.flat()) lineBlanks += blanksIn(cell.lines);
      continue;
    }
    const text = line.segments
      .map((segment) =>
        'text' in segment
          ? segment.marks.includes('u') && segment.text.trim() === '' && segment.text !== ''
            ? '____'
            : segment.text
          : '\ufffc',
      )
      .join('');
    lineBlanks += text.match(/[_＿]{2,}/g)?.length ?? 0;
    brackets += text.match(/[（(][\s\u3000\u00a0]*[)）]/g)?.length ?? 0;
  }
  return lineBlanks || brackets;
}

/** Splits an answer into as many blanks as are marked, at the sign that gives that number. */
function blankAnswers(text: string, marked: number): string[] {
  const plain = text
    .replace(/[（(](?:每[空点个处])?(?:各|共)?\s*\d+(?:\.\d+)?\s*分[)）]/g, '')
    .replace(/[。.]$/, '')
    .trim();
  if (marked === 1 && !/[;；\n]/.test(plain)) {
    const label = numberAt(plain);
    return [label?.value === 1 && !label.isWeak ? plain.slice(label.to) : plain];
  }
  const ways = [
    readBlanks(plain),
    ...[/[\s\u3000]{2,}|\t/, /[、]/, /[,，]/, /[\s\u3000]+/].map((separator) =>
      plain
        .split(separator)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ];
  const fit = ways.find((way) => way.length === marked) ?? ways[0] ?? [];
  return numbersRemoved(fit);
}

function numbersRemoved(blanks: string[]): string[] {
  const rest = blanks.map((blank, index) => {
    const label = numberAt(blank);
    return label && label.value === index + 1 && !label.isWeak ? blank.slice(label.to) : undefined;
  });
  return rest.every((blank) => blank !== undefined) && blanks.length > 1 ? (rest as string[]) : blanks;
}

/** A fill-in question whose blanks hold their answers: underlined text, or text in brackets. */
function answersInStem(draft: Draft): string[] | undefined {
  const answers: string[] = [];
  const replaced = draft.stem.map((line) => {
    if (isTable(line)) return line;
    const segments = line.segments.map((segment) => {
      if (!('text' in segment) || !segment.marks.includes('u') || segment.text.trim() === '') return segment;
      answers.push(segment.text.trim());
      return { text: '____', marks: [] };
    });
    return { ...line, segments };
  });
  if (answers.length === 0) {
    const bracket = /[（(【]\s*([^（）()【】]{1,30}?)\s*[)）】]/g;
    const texts = draft.stem.filter((line): line is TextLine => !isTable(line));
    if (texts.some((line) => line.segments.some((segment) => !('text' in segment)))) return undefined;
    for (const line of texts) answers.push(...[...plainLine(line).matchAll(bracket)].map((match) => match[1] ?? ''));
    if (answers.length === 0 || answers.some((answer) => /填|分|多选|写/.test(answer))) return undefined;
    draft.stem = draft.stem.map((line) =>
      isTable(line) ? line : { ...line, segments: [{ text: plainLine(line).replace(bracket, '____'), marks: [] }] },
    );
  } else draft.stem = replaced;
  draft.doubts.push({ where: draft.where, message: paperMessages.answersInBlanks });
  return answers;
}

/** Gives the parts of a question their shares of an answer that stands behind all of them. */
function shareAnswers(draft: Draft): void {
  const last = draft.parts.at(-1);
  if (!last) return;
  const isSharedByOne = draft.parts.length > 1 && draft.parts.slice(0, -1).every((part) => part.answer === undefined);
  if (isSharedByOne && last.answer) {
    draft.answer ??= last.answer;
    last.answer = undefined;
    if (draft.parts.every((part) => part === last || part.analysis === undefined)) {
      draft.analysis ??= last.analysis;
      last.analysis = undefined;
    }
  }
  if (draft.answer) {
    const shares = splitByParts(draft.answer.lines, draft.parts.length);
    if (!shares) {
      draft.doubts.push({ where: draft.answer.where, message: paperMessages.partsUnclear });
      partsToText(draft);
      return;
    }
    draft.parts.forEach((part, index) => {
      const lines = shares[index] as Line[];
      if (lines.length > 0) part.answer ??= { where: place(lines[0]?.number ?? draft.from), lines };
    });
    draft.answer = undefined;
  }
  const isLabelled = draft.analysis?.lines.some((line) => !isTable(line) && /^【/.test(plainLine(line)));
  const explained = draft.analysis && !isLabelled && splitByParts(draft.analysis.lines, draft.parts.length);
  if (!explained) return;
  draft.parts.forEach((part, index) => {
    const lines = explained[index] as Line[];
    if (lines.length > 0) part.analysis ??= { where: place(lines[0]?.number ?? draft.from), lines };
  });
  draft.analysis = undefined;
}

/** Splits lines at (1), (2), …; undefined if they do not begin with (1) or a number is missing. */
export const splitByParts = (lines: readonly Line[], count: number): Line[][] | undefined =>
  splitAt(lines, count, false) ?? splitAt(lines, count, true);

/** `isLenient`: a number counts wherever it stands in a line, also in 如图（2）. */
function splitAt(lines: readonly Line[], count: number, isLenient: boolean): Line[][] | undefined {
  const shares: Line[][] = [];
  let style: string | undefined;
  for (const line of lines) {
    if (isTable(line)) {
      if (shares.length === 0) return undefined;
      shares.at(-1)?.push(line);
      continue;
    }
    let rest: TextLine = line;
    const spoken =
      shares.length === 0 ? /^[\s\u3000]*(?:解|答|证明|解答)[\s\u3000]*[:：][\s\u3000]*/.exec(plainLine(line)) : null;
    if (spoken) rest = cutFrom(rest, spoken[0].length);
    for (;;) {
      const text = plainLine(rest);
      const label = numberAt(text);
      const isNext = label && label.value === shares.length + 1 && (style === undefined || label.style === style);
      if (isNext) {
        style = label.style;
        rest = cutFrom(rest, label.to);
        shares.push([]);
      } else if (shares.length === 0) {
        if (text.trim() === '') break;
        return undefined;
      }
      // The next number in the same line: behind a space or a full stop.
      const next = nextPart(plainLine(rest), shares.length + 1, style, isLenient);
      const share = cutFrom(rest, 0, next ?? plainLine(rest).length);
      const end = /[\s\u3000]*[;；]?[\s\u3000]*$/.exec(plainLine(share))?.index;
      shares.at(-1)?.push(next === undefined ? share : cutFrom(share, 0, end));
      if (next === undefined) break;
      rest = cutFrom(rest, next);
    }
  }
  return shares.length === count ? shares.map((share) => trimLines(share)) : undefined;
}

function nextPart(text: string, value: number, style: string | undefined, isLenient: boolean): number | undefined {
  const sign =
    style === 'circle'
      ? String.fromCodePoint(0x2460 + value - 1)
      : style === 'bracket'
        ? `[（(]\\s*${value}\\s*[)）]`
        : undefined;
  if (!sign) return undefined;
  const behindMark = `(?<=[\\s\\u3000；;。.，,、])${sign}`;
  const behindWord = `(?<=[^图表在由与和据合如若见第及至到从])${sign}(?=[^中的题小式])`;
  const match = new RegExp(isLenient ? sign : `${behindMark}|${behindWord}`).exec(text);
  return match && match.index > 0 ? match.index : undefined;
}
