/** Grading history of a report (批改记录). */

import { pointsOf, type ScoreMode } from '#server/grading/rules.ts';
import { markOf } from '#server/grading/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { HistoryEntry } from './answer.contract.ts';

/** Maps answer ids to the displayed numbers of their questions. */
export function numbersOf(
  questions: readonly { id: number; number: string }[],
  answers: ReadonlyMap<number, { id: number; question_id: number }>,
): Map<number, string> {
  const numbers = new Map(questions.map(({ id, number }) => [id, number]));
  return new Map([...answers.values()].map(({ id, question_id }) => [id, numbers.get(question_id) ?? '']));
}

/**
 * Returns the entries of the grading history, latest first. `records`: the record types that the history uses for the
 * report and for its answers.
 */
export async function reviewHistory(
  db: Database,
  mode: ScoreMode,
  records: { report: string; answer: string },
  reportId: number,
  numberOf: ReadonlyMap<number, string>,
): Promise<HistoryEntry[]> {
  const answerIds = [...numberOf.keys()];
  const rows = await db
    .selectFrom('history')
    .leftJoin('staff', 'staff.id', 'history.staff_id')
    .select(['history.id', 'at', 'record', 'record_id', 'action', 'before', 'after', 'staff.real_name'])
    .where((eb) =>
      eb.or([
        eb('record', '=', records.report).and('record_id', '=', reportId),
        ...(answerIds.length > 0 ? [eb('record', '=', records.answer).and('record_id', 'in', answerIds)] : []),
      ]),
    )
    .orderBy('history.id', 'desc')
    .execute();
  return withoutRepeats(rows, records.answer).map(({ at, record, record_id, action, before, after, real_name }) => {
    const [was, is] = [before, after].map((text) => JSON.parse(text ?? '{}') as HistoryValues);
    const score = (kept: HistoryValues | undefined) =>
      typeof kept?.score === 'number' ? markOf(mode, kept.score) : null;
    return {
      at,
      name: real_name ?? '',
      action: action as HistoryEntry['action'],
      sort: record === records.answer ? (numberOf.get(record_id) ?? '') : '',
      before: score(was),
      after: record === records.report && is?.user_score !== undefined ? pointsOf(mode, is.user_score) : score(is),
      comment: is?.comment ?? null,
    };
  });
}

interface HistoryRow {
  record: string;
  record_id: number;
  action: string;
  before: string | null;
  after: string | null;
  real_name: string | null;
}

/** Keeps only the latest of consecutive saves of mark-up by one grader: the screen saves after each picture. */
function withoutRepeats<Row extends HistoryRow>(rows: readonly Row[], answer: string): Row[] {
  const drawsOnly = (row: Row) => row.record === answer && row.action === 'grade' && row.before === row.after;
  return rows.filter((row, place) => {
    const later = rows[place - 1];
    const isRepeated =
      later && drawsOnly(later) && later.record_id === row.record_id && later.real_name === row.real_name;
    return !(isRepeated && drawsOnly(row));
  });
}

/** Values of an answer or of a report in a history row. */
interface HistoryValues {
  score?: number | null;
  user_score?: number;
  comment?: string;
}
