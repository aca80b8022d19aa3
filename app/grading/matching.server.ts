/** Draws the lines of matching questions on the server, so that no drawing code reaches the browser. */
import { matchingLine, matchingRoom, strokePath } from '#server/exams/matching-lines.ts';
import { choiceLabel, isMatching, matchingPairs } from '#server/exams/rules.ts';
import type { MatchingDrawing, MatchingLine } from './matching.tsx';

interface Option {
  id: number;
  label: string;
  content: string;
  is_right: 1 | 2;
}

interface Question {
  ques_option: (Option & { side?: 'left' | 'right' | undefined })[];
  right_answer: string | string[];
}

type LineSelection =
  /** Draws only the two columns, no lines. */
  | 'columns'
  /** Draws the correct lines. */
  | 'answers'
  /** Draws the lines of a student's answer (`given`), and the missing ones. */
  | { given: string };

/** Returns the drawing of a matching question. Undefined for other question types. */
export function drawMatching(
  { ques_option, right_answer }: Question,
  shown: LineSelection,
): MatchingDrawing | undefined {
  const options = ques_option as (Option & { side?: 'left' | 'right' })[];
  if (!isMatching(options) || typeof right_answer !== 'string') return undefined;
  const left = options.filter(({ side }) => side === 'left');
  const right = options.filter(({ side }) => side === 'right');
  const rightPairs = pairsIn(right_answer);
  const given = typeof shown === 'object' ? pairsIn(shown.given) : new Set(shown === 'answers' ? rightPairs : []);
  const all = shown === 'columns' ? [] : [...new Set([...given, ...rightPairs])];
  const lines = all.flatMap((pair): MatchingLine[] => {
    const [ends] = matchingPairs(pair);
    const from = left.findIndex(({ id }) => id === ends?.left);
    const to = right.findIndex(({ id }) => id === ends?.right);
    if (from < 0 || to < 0) return [];
    const kind = !given.has(pair) ? 'missed' : rightPairs.has(pair) ? 'right' : 'wrong';
    // Dashed lines get one stroke: a second one would fill the gaps of the first.
    const sweeps = kind === 'right' ? matchingLine(from, to) : matchingLine(from, to).slice(0, 1);
    return [{ path: strokePath(sweeps), kind, words: choiceLabel(options, pair) }];
  });
  const { width, row } = matchingRoom;
  return { left, right, lines, room: { width, height: row * Math.max(left.length, right.length) } };
}

const pairsIn = (answer: string): Set<string> =>
  new Set(matchingPairs(answer).map(({ left, right }) => `${left}-${right}`));
