/**
 * Queue for grading one question of all students: the position of the current report, and the next report. Has no side
 * effects.
 */

import { createHash } from 'node:crypto';
import { answerStatus, type ScoreMode } from '#server/grading/rules.ts';
import { markOf } from '#server/grading/scoring.ts';
import type { QuestionQueue } from './mark.contract.ts';
import { statusOf } from './paper.ts';

/** Number of reports listed before and after the current one. */
const maxEachSide = 30;

/** A report in the queue, with the status and the score of its answer to the question. */
interface QueueRow {
  id: number;
  status: number;
  /** Score in stored units. */
  score: number | null;
}

interface Queue {
  rows: readonly QueueRow[];
  position: number;
  /** Position of the first report in `shown`, from 0. */
  first: number;
  shown: readonly QueueRow[];
  nextId: number | null;
}

/**
 * Builds the queue. Reports are in order of submission, or shuffled so that nobody is always graded last. The shuffle
 * depends only on `seed` (the question), so every grader has the same order.
 */
export function buildQuestionQueue(
  inOrder: readonly QueueRow[],
  options: { hereId: number; seed: number; order?: 'shuffled' | undefined; skip: readonly number[] },
): Queue {
  const rows = options.order === 'shuffled' ? shuffled(inOrder, options.seed) : inOrder;
  const position = Math.max(
    0,
    rows.findIndex((row) => row.id === options.hereId),
  );
  const first = Math.max(0, position - maxEachSide);
  const skipped = new Set(options.skip);
  const onwards = [...rows.slice(position + 1), ...rows.slice(0, position)];
  const next = onwards.find((row) => row.status === answerStatus.waiting && !skipped.has(row.id));
  return { rows, position, first, shown: rows.slice(first, position + maxEachSide + 1), nextId: next?.id ?? null };
}

function shuffled(rows: readonly QueueRow[], seed: number): QueueRow[] {
  const place = (row: QueueRow) => createHash('md5').update(`${seed} ${row.id}`).digest('hex');
  const places = new Map(rows.map((row) => [row.id, place(row)]));
  return rows.toSorted((one, other) => ((places.get(one.id) as string) < (places.get(other.id) as string) ? -1 : 1));
}

/** Converts the queue to the answer of the call. */
export function queueAnswer(
  { rows, position, first, shown, nextId }: Queue,
  details: { mode: ScoreMode; nicknames: ReadonlyMap<number, string>; finishable: number },
): QuestionQueue {
  const count = (status: number) => rows.filter((row) => row.status === status).length;
  return {
    counts: {
      total: rows.length,
      right: count(answerStatus.right),
      wrong: count(answerStatus.wrong),
      unanswered: count(answerStatus.unanswered),
      waiting: count(answerStatus.waiting),
      reviewed: count(answerStatus.reviewed),
    },
    position,
    list: shown.map((row, index) => ({
      report_id: row.id,
      position: first + index,
      nickname: details.nicknames.get(row.id) ?? '',
      status: statusOf(row),
      user_score: row.score === null ? null : markOf(details.mode, row.score),
    })),
    next_report_id: nextId,
    finishable_count: details.finishable,
  };
}
