/**
 * Queries of the exams and reports that a user may see. Every read of exams starts here, so that others are 404.
 * Lecturers and assistants have the same rules: an exam has a creator and schools, and may be given to some classes of
 * these schools (`by_class`).
 *
 * - A draft is visible only to its creator. A published exam is visible to its creator and to staff of its school and
 *   of the schools it is shared with; one given to classes only to those who head, assist or teach one of them.
 * - A student sees the exams that are given to the whole school or to a class of theirs (`isGivenTo`).
 * - A report is visible to staff of the student's school who see the exam, and to the exam's creator. Statistics cover
 *   visible reports, but ranks all reports of the exam.
 * - To grade a report, the user must see it and have the permission `correct`.
 */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { memoizePerPage } from '#server/platform/db/page-cache.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import type { Exam } from '#server/schema/database.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { classesTaughtBy, dutiesOf } from '#server/school/staff-duties.ts';
import { missingExam } from './rules.ts';

/** A user with concrete values, for queries that are built for each call. */
export type Person = Pick<Actor, 'id' | 'schoolId'>;

/** A user's id and school as values, or as placeholders of a prepared statement. */
export type Viewer = Record<'id' | 'schoolId', Operand<number>>;

/** Selects the ids of visible exams. */
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
          eb.or([
            eb('exam.by_class', '=', 0),
            eb(
              'exam.id',
              'in',
              examClasses(db)
                .select('exam_class.exam_id')
                .where((given) =>
                  given.or([
                    given('exam_class.class_id', 'in', dutiesOf(db, actor).select('class_staff.class_id')),
                    given('exam_class.class_id', 'in', classesTaughtBy(db, actor)),
                  ]),
                ),
            ),
          ]),
        ]),
      ]),
    );
}

/** Selects the classes that exams are given to; base query to join and narrow. */
export const examClasses = (db: Database) => db.selectFrom('exam_class').where('exam_class.removed_at', 'is', null);

/** Condition on `exam`: it is given to the class, or to its whole school. */
export function isForClass(db: Database, classId: Operand<number>) {
  const given = examClasses(db).select('exam_class.exam_id').where('exam_class.class_id', '=', classId);
  const school = db.selectFrom('class').select('class.school_id').where('class.id', '=', classId);
  const shared = db.selectFrom('exam_school').select('exam_school.exam_id').where('school_id', 'in', school);
  return (eb: ExpressionBuilder<Tables, 'exam'>) =>
    eb.or([
      eb('exam.id', 'in', given),
      eb.and([eb('exam.by_class', '=', 0), eb.or([eb('exam.school_id', 'in', school), eb('exam.id', 'in', shared)])]),
    ]);
}

/**
 * Condition on `exam`: it is given to whole schools or to a class of the student. Once the exam is over, the class at its
 * end counts. A student who has begun the exam keeps it.
 */
export const isGivenTo = (student: Operand<number>): RawBuilder<SqlBool> => sql<SqlBool>`(
  exam.by_class = 0
  or exists (
    select 1 from exam_class inner join class_student on class_student.class_id = exam_class.class_id
    where exam_class.exam_id = exam.id and exam_class.removed_at is null and class_student.student_id = ${student}
      and (class_student.left_at is null or class_student.left_at > exam.end_at)
      and (exam.end_at is null or class_student.joined_at <= exam.end_at)
  )
  or exists (select 1 from exam_attempt where exam_attempt.exam_id = exam.id and exam_attempt.student_id = ${student})
  or exists (select 1 from exam_report where exam_report.exam_id = exam.id and exam_report.student_id = ${student})
)`;

/** Returns the exam if the user sees it. 404: not visible. */
export async function findVisibleExam(db: Database, actor: Person, examId: number): Promise<Exam | Refusal> {
  const { id, schoolId } = actor;
  const [exam] = await memoizePerPage(db, `exam ${examId}`, () => oneExam(db, { examId, id, schoolId }));
  return exam ?? missing(missingExam);
}

const oneExam = prepared((db, { examId, ...actor }: Placeholders<Record<'examId' | 'id' | 'schoolId', number>>) =>
  db.selectFrom('exam').selectAll().where('id', '=', examId).where('id', 'in', examsOf(db, actor)),
);

/** The school whose reports of this exam the user sees; undefined: the user sees the reports of all schools. */
export const visibleSchoolId = (exam: Pick<Exam, 'creator_id'>, actor: Person): number | undefined =>
  exam.creator_id === actor.id ? undefined : actor.schoolId;

/** A condition on `exam_report` that fits any query with that table. */
export type ExamReportCondition = (eb: ExpressionBuilder<Tables, 'exam_report'>) => Expression<SqlBool>;

/** Condition that the user sees the report. */
export function isVisibleExamReport(db: Database, actor: Viewer): ExamReportCondition {
  const own = db.selectFrom('exam').select('exam.id').where('exam.creator_id', '=', actor.id);
  return (eb) =>
    eb.or([
      eb('exam_report.exam_id', 'in', own),
      eb.and([eb('exam_report.school_id', '=', actor.schoolId), eb('exam_report.exam_id', 'in', examsOf(db, actor))]),
    ]);
}

/** Selects the reports that the user sees. */
export const visibleExamReports = (db: Database, actor: Viewer) =>
  db.selectFrom('exam_report').where(isVisibleExamReport(db, actor));

/** True if the user sees the report. */
export async function canSeeExamReport(db: Database, actor: Viewer, reportId: number): Promise<boolean> {
  const seen = await visibleExamReports(db, actor)
    .select('exam_report.id')
    .where('exam_report.id', '=', reportId)
    .executeTakeFirst();
  return seen !== undefined;
}

/** Selects the exams that an administrator sees: their own drafts, and published exams in the schools they manage. */
export const adminExams = (db: Database, actor: Actor) =>
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
