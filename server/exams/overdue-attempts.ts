/** Submits attempts whose time is up: regularly by a background job, and at once when the student asks. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { count } from '#server/platform/monitoring/metrics.ts';
import type { Services } from '#server/school/context.ts';
import { type EndingAttempt, endAttempts } from './attempt-end.ts';
import { batchSize, isEndReached, type Taker } from './attempts.ts';
import { attemptEnd } from './rules.ts';

const batch = 100;

/** Pause between two batches in milliseconds. */
const rest = 20;

/**
 * Submits overdue attempts, of all students or of one; returns their number. May run in several processes at once: each
 * attempt is locked and checked again.
 */
export async function handInOverdue(
  db: Database,
  now: number,
  of?: Pick<Taker, 'examId' | 'studentId'>,
): Promise<{ handedIn: number; failed: number }> {
  let handedIn = 0;
  const failed: number[] = [];
  for (;;) {
    const due = await overdueAttempts(db, now, { of, without: failed });
    for (const [examId, some] of groupRows(due, ({ exam_id }) => exam_id)) {
      for (let from = 0; from < some.length; from += batchSize) {
        const ids = some.slice(from, from + batchSize).map(({ id }) => id);
        const outcome = await handInBatch(db, examId, ids, now, of !== undefined);
        handedIn += outcome.handedIn;
        count('handIns', { kind: 'exam' }, outcome.handedIn);
        failed.push(...outcome.failed);
      }
    }
    if (due.length < batch) return { handedIn, failed: failed.length };
    await pause(rest);
  }
}

const overdueAttempts = (
  db: Database,
  now: number,
  { of, without }: { of: Pick<Taker, 'examId' | 'studentId'> | undefined; without: readonly number[] },
) =>
  db
    .selectFrom('exam_attempt')
    .innerJoin('exam', 'exam.id', 'exam_attempt.exam_id')
    .select(['exam_attempt.id', 'exam_attempt.exam_id'])
    .where('exam_attempt.handed_in_at', 'is', null)
    .where((eb) => eb.or([eb('exam_attempt.limit_at', '<=', now), eb('exam.end_at', '<=', now)]))
    .where('exam_attempt.id', 'not in', [0, ...without])
    .$if(of !== undefined, (query) =>
      query
        .where('exam_attempt.exam_id', '=', of?.examId ?? 0)
        .where('exam_attempt.student_id', '=', of?.studentId ?? 0),
    )
    .orderBy('exam_attempt.id')
    .limit(batch)
    .execute();

/** If the batch fails, submits its attempts one by one. */
async function handInBatch(
  db: Database,
  examId: number,
  ids: readonly number[],
  now: number,
  mustSucceed: boolean,
): Promise<{ handedIn: number; failed: readonly number[] }> {
  try {
    return { handedIn: await db.transaction().execute((trx) => handInLocked(trx, examId, ids, now)), failed: [] };
  } catch (error) {
    if (mustSucceed) throw error;
    if (ids.length === 1) return { handedIn: 0, failed: ids };
    const outcomes = [];
    for (const id of ids) outcomes.push(await handInBatch(db, examId, [id], now, mustSucceed));
    return {
      handedIn: outcomes.reduce((sum, one) => sum + one.handedIn, 0),
      failed: outcomes.flatMap(({ failed }) => failed),
    };
  }
}

async function handInLocked(db: Database, examId: number, ids: readonly number[], now: number): Promise<number> {
  const attempts = await forUpdate(db)(
    db.selectFrom('exam_attempt').selectAll().where('id', 'in', ids).where('handed_in_at', 'is', null).orderBy('id'),
  ).execute();
  if (attempts.length === 0) return 0;
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', examId).executeTakeFirstOrThrow();
  const ending = attempts.flatMap((attempt): EndingAttempt[] => {
    const end = attemptEnd(attempt, exam);
    return isEndReached(end, now) ? [{ attempt, at: end, byServer: 1 }] : [];
  });
  if (ending.length > 0) await endAttempts(db, exam, ending, now);
  return ending.length;
}

/**
 * Background job that runs every minute. After a downtime it starts with the attempts that became overdue meanwhile.
 */
export const handInJob = ({
  database: { db },
  now,
  log,
}: Pick<Services, 'database' | 'now' | 'log'>): BackgroundWork => ({
  kind: 'hand-in',
  every: 60,
  async run() {
    const { handedIn, failed } = await handInOverdue(db, now());
    if (handedIn > 0) log.info({ handedIn }, 'exams handed in whose time was over');
    if (failed > 0) throw new Error(`${failed} exams whose time is over could not be handed in`);
  },
});
