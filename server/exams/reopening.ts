/**
 * The end of an exam was moved after the server had handed in what was over by then: whose own time is not up may go on with
 * what they had. Their report is taken back, so that it is no attempt of theirs and no paper in any figure.
 */
import type { Selectable } from 'kysely';
import type { AnswerStatus } from '#server/homework/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { locked } from '#server/platform/db/search.ts';
import type { Exam } from '#server/school/tables.ts';
import { uncountSubmissions } from './figures.ts';
import { attemptEnd } from './rules.ts';

type Attempt = Selectable<Tables['exam_attempt']>;

/** Whether an attempt that the server handed in is not over by now. */
export const mayGoOn = (
  last: Pick<Attempt, 'by_server' | 'limit_at' | 'report_id'>,
  exam: Pick<Exam, 'end_at'>,
  now: number,
): boolean => {
  const end = attemptEnd(last, exam);
  return last.by_server === 1 && last.report_id !== null && (end === null || end > now);
};

/** The last attempts of these students, where these may go on: each is open again, with what was saved of it. */
export async function reopenAttempts(
  db: Database,
  exam: Exam,
  students: readonly { studentId: number; now: number }[],
): Promise<void> {
  if (students.length === 0) return;
  const nowOf = new Map(students.map(({ studentId, now }) => [studentId, now]));
  const last = db
    .selectFrom('exam_attempt')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('exam_id', '=', exam.id)
    .where('student_id', 'in', [...nowOf.keys()])
    .groupBy('student_id');
  const handedIn = await locked(db)(
    db.selectFrom('exam_attempt').selectAll().where('id', 'in', last).where('by_server', '=', 1).orderBy('id'),
  ).execute();
  const attempts = handedIn.filter((one) => mayGoOn(one, exam, nowOf.get(one.student_id) ?? 0));
  if (attempts.length === 0) return;
  await takeBack(db, exam, attempts);
}

async function takeBack(db: Database, exam: Exam, attempts: readonly Attempt[]): Promise<void> {
  const ids = attempts.flatMap(({ report_id }) => report_id ?? []);
  const reports = await locked(db)(
    db.selectFrom('exam_report').selectAll().where('id', 'in', ids).orderBy('id'),
  ).execute();
  const answers = await db
    .selectFrom('exam_answer')
    .innerJoin('exam_question', 'exam_question.id', 'exam_answer.question_id')
    .select(['exam_answer.report_id', 'exam_answer.question_id', 'exam_answer.status', 'exam_answer.score'])
    .select(['exam_answer.user_answer', 'exam_answer.is_sign', 'exam_question.ques_type', 'exam_question.right_answer'])
    .where('exam_answer.report_id', 'in', ids)
    .execute();
  await db
    .updateTable('exam_attempt')
    .set({ handed_in_at: null, report_id: null, by_server: 0 })
    .where(
      'id',
      'in',
      attempts.map(({ id }) => id),
    )
    .execute();
  await db.deleteFrom('exam_answer').where('report_id', 'in', ids).execute();
  await db.deleteFrom('exam_report').where('id', 'in', ids).execute();
  const reportOf = new Map(reports.map((report) => [report.id, report]));
  const saved = attempts.flatMap(({ id, report_id }) =>
    answers
      .filter((answer) => answer.report_id === report_id && (answer.user_answer !== '' || answer.is_sign === 1))
      .map(({ question_id, user_answer, is_sign }) => ({
        attempt_id: id,
        question_id,
        user_answer,
        is_sign,
        serial: 0,
        saved_at: reportOf.get(report_id ?? 0)?.submit_time ?? 0,
      })),
  );
  if (saved.length > 0) await db.insertInto('exam_attempt_answer').values(saved).execute();
  await uncountSubmissions(
    db,
    exam,
    reports.map((report) => ({
      report,
      scored: answers
        .filter(({ report_id }) => report_id === report.id)
        .map(({ question_id, ques_type, right_answer, user_answer, status, score }) => ({
          question: { id: question_id, ques_type, right_answer },
          userAnswer: user_answer,
          status: status as AnswerStatus,
          score,
        })),
    })),
  );
}
