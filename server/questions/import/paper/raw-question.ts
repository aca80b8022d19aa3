/** Decides the type and the answer of each question from its lines, its heading and the answer key. */
import { type QuestionType, remarkLimit } from '#server/questions/rules.ts';
import { emptyRawQuestion, type RawQuestion } from '../raw-question.ts';
import { isTable, plainLine, trimLines } from '../rich-line.ts';
import { paperMessages } from '../rules.ts';
import { judgementOptionIds, readJudgement, removeSpaces } from '../spelling.ts';
import { decideWrittenAnswer } from './blank-answers.ts';
import { blankStemAnswer, decideChoiceAnswer, lettersIn, stemAnswer } from './choice-answers.ts';
import type { Draft, Piece } from './draft.ts';
import { cutFrom, lineName } from './facts.ts';
import { addAnalysis, contradiction, fieldOf, isMark, textLine, textOf } from './fields.ts';
import { shareAnswers } from './part-answers.ts';

const kindTypes: Readonly<Record<string, QuestionType>> = { open: 5 };

/** Type that a tag or heading names; undefined if the answer decides. */
function namedType(draft: Draft): QuestionType | undefined {
  const named = draft.tag?.kind ?? draft.kind;
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
  keepPoints(draft, raw, isPart);
  raw.difficulty = draft.difficulty && fieldOf(draft.difficulty.where, draft.difficulty.lines);
  raw.errors = draft.errors;
  raw.doubts = draft.doubts;
  raw.losses = draft.losses;
  return raw;
}

/** A chapter or source becomes the remark. Texts that are too long for their place join the analysis. */
function keepPoints({ points, notes }: Draft, raw: RawQuestion, isPart: boolean): void {
  // A part has no knowledge point of its own.
  const [remark, point] = isPart ? [joinPieces(points, notes), undefined] : [notes, points];
  if (point && keepsShort(point, raw)) raw.point = fieldOf(point.where, point.lines);
  if (remark && keepsShort(remark, raw)) raw.remark = fieldOf(remark.where, remark.lines);
}

const joinPieces = (one: Piece | undefined, other: Piece | undefined): Piece | undefined =>
  one && other ? { ...one, lines: [...one.lines, ...other.lines] } : (one ?? other);

/** False for an empty text, and for a long one, which it adds to the analysis. */
function keepsShort({ where, lines }: Piece, raw: RawQuestion): boolean {
  const text = textOf(lines).replace(/\s*\n\s*/g, ' ');
  if (text === '') return false;
  if ([...text].length <= remarkLimit) return true;
  raw.analysis = {
    where: raw.analysis?.where ?? where,
    lines: [...(raw.analysis?.lines ?? []), ...trimLines(lines)],
  };
  return false;
}

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
  if (draft.options.length > 0 || wantsChoice(draft) || named === 2) decideChoiceAnswer(draft, raw, named);
  else decideWrittenAnswer(draft, raw, named, isPart);
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
      contradiction(draft, lineName(inStem.line.number), stem === 1 ? '正确' : '错误');
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
