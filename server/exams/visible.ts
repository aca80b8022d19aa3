/**
 * Who sees which exam and which reports. Every read of exams starts here; what is not seen is 404. It is the same for
 * lecturers and assistants: an exam has no class and no course, only a creator and schools.
 *
 * - An exam is seen by its creator, and once it is published by the staff of its school and of the schools that it is
 *   shared with. A draft is its creator's alone.
 * - Of a seen exam, the reports of students of one's own school are seen; the creator sees those of all schools.
 *   Statistics are over the reports that one sees, ranks over all reports of the exam.
 * - Correcting a report takes seeing it and the permission `correct`.
 */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memo } from '#server/platform/db/page-cache.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { missingExam } from './rules.ts';

/** Somebody whose view a query takes when it is executed. */
export type Person = Pick<Actor, 'id' | 'schoolId'>;

/** The same, or the placeholders of a prepared statement. */
export type Viewer = Record<'id' | 'schoolId', Operand<number>>;

/** Ids of the exams that the actor sees. */
export function examsOf(db: Database, actor: Viewer) {
  return db
    .selectFrom('exam')
    .select('exam.id')
    .where((eb) =>
      eb.or([
        eb('exam.creator_id', '=', actor.id),
        eb.and([
          eb('exam.status', '=', 1),
          eb.or([
            eb('exam.school_id', '=', actor.schoolId),
            eb(
              'exam.id',
              'in',
              db.selectFrom('exam_school').select('exam_school.exam_id').where('school_id', '=', actor.schoolId),
            ),
          ]),
        ]),
      ]),
    );
}

/** The exam, where the actor sees it. */
export async function seenExam(db: Database, actor: Person, examId: number): Promise<Exam | Refusal> {
  const { id, schoolId } = actor;
  const [exam] = await memo(db, `exam ${examId}`, () => oneExam(db, { examId, id, schoolId }));
  return exam ?? missing(missingExam);
}

const oneExam = prepared((db, { examId, ...actor }: Placeholders<Record<'examId' | 'id' | 'schoolId', number>>) =>
  db.selectFrom('exam').selectAll().where('id', '=', examId).where('id', 'in', examsOf(db, actor)),
);

/** The school whose reports of this exam the actor sees, or undefined for all schools. */
export const schoolSeen = (exam: Pick<Exam, 'creator_id'>, actor: Person): number | undefined =>
  exam.creator_id === actor.id ? undefined : actor.schoolId;

/** A condition on `exam_report`, in whatever query that stands. */
export type ExamReportCondition = (eb: ExpressionBuilder<Tables, 'exam_report'>) => Expression<SqlBool>;

/** Whether a report is one that the actor sees. */
export function isSeenExamReport(db: Database, actor: Viewer): ExamReportCondition {
  const own = db.selectFrom('exam').select('exam.id').where('exam.creator_id', '=', actor.id);
  return (eb) =>
    eb.or([
      eb('exam_report.exam_id', 'in', own),
      eb.and([eb('exam_report.school_id', '=', actor.schoolId), eb('exam_report.exam_id', 'in', examsOf(db, actor))]),
    ]);
}

/** The reports that the actor sees. */
export const examReportsSeen = (db: Database, actor: Viewer) =>
  db.selectFrom('exam_report').where(isSeenExamReport(db, actor));

/** Whether the actor sees a report. */
export async function seesExamReport(db: Database, actor: Viewer, reportId: number): Promise<boolean> {
  const seen = await examReportsSeen(db, actor)
    .select('exam_report.id')
    .where('exam_report.id', '=', reportId)
    .executeTakeFirst();
  return seen !== undefined;
}

/**
 * The exams that an administrator sees: their own drafts, and what is published in a school that they look after. Another
 * administrator's draft is not there.
 */
export const administeredExams = (db: Database, actor: Actor) =>
  db
    .selectFrom('exam')
    .where((eb) =>
      eb.or([
        eb('exam.creator_id', '=', actor.id),
        eb.and([
          eb('exam.status', '=', 1),
          eb.or([
            eb('exam.school_id', 'in', schoolsOf(db, actor)),
            eb(
              'exam.id',
              'in',
              db.selectFrom('exam_school').select('exam_school.exam_id').where('school_id', 'in', schoolsOf(db, actor)),
            ),
          ]),
        ]),
      ]),
    );
