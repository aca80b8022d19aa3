/** Decides the answers of fill-in and written questions. */
import type { QuestionType } from '#server/questions/rules.ts';
import type { RawQuestion } from '../raw-question.ts';
import { isTable, type Line, plainLine, type TextLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { readBlanks, removeSpaces } from '../spelling.ts';
import type { Draft } from './draft.ts';
import { fieldOf, textLine, textOf } from './fields.ts';
import { numberAt } from './numbers.ts';

/** Matches a stem with letters to choose from: `（填字母）`, or a list of its own. */
const namesLetters = /字母|序号|选项|代号|编号|标号|[（(\s]?[A-H][.．、)）:：]/;

/** Maximum length of an answer that is compared letter by letter. */
const maxBlank = 30;

export function decideWrittenAnswer(
  draft: Draft,
  raw: RawQuestion,
  named: QuestionType | undefined,
  isPart: boolean,
): void {
  if (named === 7 && blanksIn(draft.stem) === 0) markSpaces(draft);
  if (!draft.answer) takeSolution(draft);
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
  if (/^[A-H]{1,4}$/.test(removeSpaces(textOf(answer)).replace(/[.。]$/, '')) && !namesLetters.test(stem))
    draft.doubts.push({ where, message: paperMessages.lettersWithoutOptions });
  if (named === 7) draft.doubts.push({ where, message: paperMessages.blanksUnclear(marked) });
  if (stem === '' && isPart) draft.doubts.push({ where, message: paperMessages.noStem });
}

/** Answers a question that has only a solution: with its conclusion, else with the whole solution. */
function takeSolution(draft: Draft): void {
  const { analysis, solution } = draft;
  if (!analysis) return;
  if (blanksIn(draft.stem) > 0) {
    const concluded = /故答案[为是][:：]?[\s\u3000]*([^\n]+?)[\s\u3000．。.，,;；]*$/m.exec(
      textOf(analysis.lines),
    )?.[1];
    if (!concluded) return;
    draft.answer = { where: analysis.where, lines: [textLine(concluded, draft.from)] };
    draft.doubts.push({ where: analysis.where, message: paperMessages.concluded });
  } else if (solution) {
    draft.answer = solution;
    const isLabel = (line: Line) => !isTable(line) && plainLine(line).startsWith('【解答】');
    const rest = analysis.lines.filter((line) => !solution.lines.includes(line) && !isLabel(line));
    draft.analysis = rest.length > 0 ? { ...analysis, lines: rest } : undefined;
  }
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
    splitAtNumbers(plain),
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

/** Splits `（1）氢（2）氧` and `①氢②氧`; empty if the numbers do not follow each other from 1. */
function splitAtNumbers(text: string): string[] {
  const labels = [...text.matchAll(/[（(]\s*(\d{1,2})\s*[)）]|[①-⑳]/g)];
  const values = labels.map(([sign, digits]) => (digits ? Number(digits) : (sign.codePointAt(0) ?? 0) - 0x2460 + 1));
  if (labels[0]?.index !== 0 || values.some((value, index) => value !== index + 1)) return [];
  return labels.map((label, index) =>
    text
      .slice(label.index + label[0].length, labels[index + 1]?.index)
      .replace(/[\s；;，,、]+$/, '')
      .trim(),
  );
}

function numbersRemoved(blanks: string[]): string[] {
  const rest = blanks.map((blank, index) => {
    const label = numberAt(blank);
    return label && label.value === index + 1 && !label.isWeak ? blank.slice(label.to) : undefined;
  });
  return rest.every((blank) => blank !== undefined) && blanks.length > 1 ? (rest as string[]) : blanks;
}

/** Finds the answers that a stem has in its blanks: underlined text, or text in brackets. */
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
