/** Versions of a student's exams. A client that polls with the current version gets 304. */

import { type RawBuilder, sql } from 'kysely';
import { batchedVersions } from '#server/learners/application.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import { isGivenTo } from './visible.ts';

/** Selects the exams given to the student, published or not. */
function examsOfStudent(db: Database, studentId: number | RawBuilder<number>) {
  const school = db.selectFrom('student').select('student.school_id').where('student.id', '=', studentId);
  const shared = db.selectFrom('exam_school').select('exam_school.exam_id').where('exam_school.school_id', '=', school);
  return db
    .selectFrom('exam')
    .where((eb) => eb.or([eb('exam.school_id', '=', school), eb('exam.id', 'in', shared)]))
    .where(isGivenTo(studentId));
}

/** Selects, as columns, all facts that determine a student's list of exams, or one exam. */
function examFacts(db: Database, uid: RawBuilder<number>, now: Operand<number>, examId?: Operand<number>) {
  const isOne = examId !== undefined;
  const attempts = db
    .selectFrom('exam_attempt')
    .select(
      sql<string>`count(*) || ' ' || count(handed_in_at) || ' ' || coalesce(sum(case when limit_at <= ${now} then 1 else 0 end), 0)
        || ' ' || ${isOne ? sql`coalesce(sum(saves), 0)` : sql`''`}`.as('facts'),
    )
    .where('student_id', '=', uid)
    .$if(isOne, (query) => query.where('exam_id', '=', examId ?? 0));
  const reports = db
    .selectFrom('exam_report')
    .select(sql<string>`count(*) || ' ' || coalesce(sum(changed_at), 0)`.as('facts'))
    .where('student_id', '=', uid)
    .$if(isOne, (query) => query.where('exam_id', '=', examId ?? 0));
  const exams = examsOfStudent(db, uid)
    .select(
      sql<string>`count(*) || ' ' || coalesce(sum(exam.changed_at + coalesce(exam.published_at, 0) * exam.status), 0)
        || ' ' || coalesce(sum(exam.id), 0)
        || ' ' || coalesce(sum(case when exam.start_at <= ${now} then 1 else 0 end), 0)
        || ' ' || coalesce(sum(case when exam.end_at <= ${now} then 1 else 0 end), 0)`.as('facts'),
    )
    .$if(isOne, (query) => query.where('exam.id', '=', examId ?? 0));
  return [exams.as('exams'), attempts.as('attempts'), reports.as('reports')] as const;
}

const factsOfOne = prepared((db, { uids, now, examId }: Placeholders<{ uids: string; now: number; examId: number }>) =>
  db
    .selectFrom('student as learner')
    .select('learner.id')
    .select(examFacts(db, sql<number>`learner.id`, now, examId))
    .where('learner.id', 'in', inJsonIds(db, uids)),
);

/** Thousands of clients poll every few seconds, so one statement serves all concurrent polls. */
const factsOfLists = prepared((db, { uids, now }: Placeholders<{ uids: string; now: number }>) =>
  db
    .selectFrom('student as learner')
    .select('learner.id')
    .select(examFacts(db, sql<number>`learner.id`, now))
    .where('learner.id', 'in', inJsonIds(db, uids)),
);

/**
 * Version of a student's list. It changes with every exam, attempt and report, and when an exam opens or closes. Saving
 * answers changes only `examVersion`.
 */
export const listVersion = batchedVersions(async (db, uids, now) =>
  (await factsOfLists(db, { uids: JSON.stringify(uids), now })).map(factsOf),
);

/** Version of one exam of a student. */
export const examVersion = batchedVersions(async (db, uids, now, examId) =>
  (await factsOfOne(db, { uids: JSON.stringify(uids), now, examId })).map(factsOf),
);

type Facts = Awaited<ReturnType<typeof factsOfLists>>[number];

const factsOf = ({ id, exams, attempts, reports }: Facts) => ({ uid: id, facts: [exams, attempts, reports] });
