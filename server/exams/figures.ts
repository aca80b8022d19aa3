/**
 * The sums of an exam, moved in the transaction that hands in, marks or finishes a
 * report; and rank and pass, which follow from them. Everything that changes reports goes through here.
 */
import { type RawBuilder, sql } from 'kysely';
import { answerStatus, isMaterial, isSubjective } from '#server/homework/rules.ts';
import type { ScoredAnswer } from '#server/homework/scoring.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Exam } from '#server/school/tables.ts';
import { testStatus } from './rules.ts';

/** Passed when `user_score >= pass_score`; a waiting report has not been decided. */
export const isPassed = (report: { test_status: number; user_score: number }, exam: Pick<Exam, 'pass_score'>) =>
  report.test_status === testStatus.reviewed && report.user_score >= exam.pass_score;

/**
 * Competition ranks (1, 1, 3) among all graded reports of the exam, highest first: the rank of each score that a
 * graded report has.
 */
export async function examRanks(
  db: Database,
  examId: number,
  scores: readonly number[],
): Promise<{ rankOf: (score: number) => number; graded: number }> {
  const least = scores.length > 0 ? Math.min(...scores) : 0;
  const [higher, all] = await Promise.all([
    db
      .selectFrom('exam_score')
      .select((eb) => ['user_score', eb.fn.sum<number>('report_count').as('reports')])
      .where('exam_id', '=', examId)
      .where('user_score', '>', least)
      .groupBy('user_score')
      .execute(),
    db
      .selectFrom('exam_figures')
      .select((eb) => eb.fn.sum<number>('graded_count').as('graded'))
      .where('exam_id', '=', examId)
      .executeTakeFirst(),
  ]);
  const rankOf = (score: number) =>
    1 + higher.reduce((before, row) => before + (row.user_score > score ? Number(row.reports) : 0), 0);
  return { rankOf, graded: Number(all?.graded ?? 0) };
}

interface CountedReport {
  exam_id: number;
  student_id: number;
  school_id: number;
  user_score: number;
}

interface CountedAnswer extends Pick<ScoredAnswer, 'status' | 'score'> {
  question: { id: number; ques_type: number; right_answer: string };
  userAnswer: string;
}

/** Counts a report that was just handed in, with its answers; one that waits for nothing is counted as graded, too. */
export async function countSubmission(
  db: Database,
  exam: Exam,
  report: CountedReport & { test_status: number; answer_time: number },
  answers: readonly CountedAnswer[],
): Promise<void> {
  const { exam_id, school_id } = report;
  // Before the sums: whoever marks an earlier submission of this student holds that and waits for a question's sum.
  await chooseEffective(db, report);
  const { reports } = await db
    .selectFrom('exam_report')
    .select((eb) => eb.fn.countAll<number>().as('reports'))
    .where('exam_id', '=', exam_id)
    .where('student_id', '=', report.student_id)
    .where('school_id', '=', school_id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('exam_figures')
    .values({
      exam_id,
      school_id,
      submitted_count: 1,
      answer_time_sum: report.answer_time,
      student_count: Number(reports) === 1 ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['exam_id', 'school_id'])
        .doUpdateSet(raised('exam_figures', ['student_count', 'submitted_count', 'answer_time_sum'])),
    )
    .execute();
  if (answers.length > 0) {
    await db
      .insertInto('exam_question_figures')
      .values(
        answers.map(({ question, status, score }) => ({
          question_id: question.id,
          school_id,
          answered_count: status === answerStatus.unanswered ? 0 : 1,
          unanswered_count: status === answerStatus.unanswered ? 1 : 0,
          right_count: status === answerStatus.right ? 1 : 0,
          wrong_count: status === answerStatus.wrong ? 1 : 0,
          score_sum: score ?? 0,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['question_id', 'school_id'])
          .doUpdateSet(
            raised('exam_question_figures', [
              'answered_count',
              'unanswered_count',
              'right_count',
              'wrong_count',
              'score_sum',
            ]),
          ),
      )
      .execute();
  }
  const wrong = answers.flatMap(({ question, userAnswer }) =>
    wrongChoices(question, userAnswer).map((option_id) => ({
      question_id: question.id,
      school_id,
      option_id,
      chosen_count: 1,
    })),
  );
  if (wrong.length > 0) {
    await db
      .insertInto('exam_wrong_option')
      .values(wrong)
      .onConflict((conflict) =>
        conflict
          .columns(['question_id', 'school_id', 'option_id'])
          .doUpdateSet(raised('exam_wrong_option', ['chosen_count'])),
      )
      .execute();
  }
  if (report.test_status === testStatus.reviewed) await countGraded(db, exam, report);
}

/** Counts a mark that a grader gave or changed. */
export async function countMark(
  db: Database,
  {
    questionId,
    schoolId,
    before,
    after,
  }: { questionId: number; schoolId: number; before: ScoredAnswer; after: ScoredAnswer },
): Promise<void> {
  const moved = (status: number) => Number(after.status === status) - Number(before.status === status);
  await db
    .updateTable('exam_question_figures')
    .set({
      right_count: sql<number>`right_count + ${moved(answerStatus.right)}`,
      wrong_count: sql<number>`wrong_count + ${moved(answerStatus.wrong)}`,
      score_sum: sql<number>`score_sum + ${(after.score ?? 0) - (before.score ?? 0)}`,
    })
    .where('question_id', '=', questionId)
    .where('school_id', '=', schoolId)
    .execute();
}

/**
 * Counts a report whose correction was just finished (its test_status and scores are stored): from now on it has a
 * rank, and it is passed or failed. Its scores must not change afterwards.
 */
export async function countGraded(
  db: Database,
  exam: Pick<Exam, 'id' | 'pass_score'>,
  report: CountedReport,
): Promise<void> {
  const { exam_id, school_id, user_score } = report;
  await db
    .updateTable('exam_figures')
    .set({
      graded_count: sql<number>`graded_count + 1`,
      passed_count: sql<number>`passed_count + ${user_score >= exam.pass_score ? 1 : 0}`,
      score_sum: sql<number>`score_sum + ${user_score}`,
    })
    .where('exam_id', '=', exam_id)
    .where('school_id', '=', school_id)
    .execute();
  await db
    .insertInto('exam_score')
    .values({ exam_id, school_id, user_score, report_count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['exam_id', 'school_id', 'user_score']).doUpdateSet(raised('exam_score', ['report_count'])),
    )
    .execute();
  await chooseEffective(db, report);
}

/**
 * Of a student's submissions of one exam, the one that counts: the graded one with the highest score, on a tie the
 * later; while none is graded, the last.
 */
async function chooseEffective(
  db: Database,
  { exam_id, student_id }: Pick<CountedReport, 'exam_id' | 'student_id'>,
): Promise<void> {
  const reports = await db
    .selectFrom('exam_report')
    .select(['id', 'is_effective'])
    .where('exam_id', '=', exam_id)
    .where('student_id', '=', student_id)
    .orderBy('test_status', 'desc')
    .orderBy(sql`case when test_status = 3 then user_score else 0 end`, 'desc')
    .orderBy('submit_time', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const [index, report] of reports.entries()) {
    const is_effective = index === 0 ? 1 : 0;
    if (report.is_effective === is_effective) continue;
    await db.updateTable('exam_report').set({ is_effective }).where('id', '=', report.id).execute();
  }
}

/** The wrong options (of a matching question: pairs) of an answer to a choice question, each once. */
export function wrongChoices(question: { ques_type: number; right_answer: string }, userAnswer: string): string[] {
  if (question.ques_type > 4) return [];
  const right = new Set(choices(question.right_answer));
  return [...new Set(choices(userAnswer))].filter((choice) => !right.has(choice));
}

/** Option ids or pairs of them; text that is neither was never an option. */
const choices = (answer: string) =>
  answer
    .normalize('NFKC')
    .split(/[\s,]+/)
    .filter((choice) => /^\d{1,9}(-\d{1,9})?$/.test(choice));

/** For an insert that finds its row there: adds what it brings. */
function raised<Column extends string>(table: string, columns: readonly Column[]): Record<Column, RawBuilder<number>> {
  const sums = columns.map((column) => [
    column,
    sql`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  return Object.fromEntries(sums) as Record<Column, RawBuilder<number>>;
}

/**
 * Sets every sum of an exam from its reports and answers, and which reports count: for rows that were loaded in bulk.
 */
export async function recountExam(db: Database, examId: number): Promise<void> {
  const questions = await db
    .selectFrom('exam_question')
    .select(['id', 'ques_type', 'right_answer'])
    .where('exam_id', '=', examId)
    .execute();
  const questionOf = new Map(questions.map((question) => [question.id, question]));
  const ids = db.selectFrom('exam_question').select('id').where('exam_id', '=', examId);
  await db.deleteFrom('exam_figures').where('exam_id', '=', examId).execute();
  await db.deleteFrom('exam_score').where('exam_id', '=', examId).execute();
  await db.deleteFrom('exam_question_figures').where('question_id', 'in', ids).execute();
  await db.deleteFrom('exam_wrong_option').where('question_id', 'in', ids).execute();
  await sql`
    update exam_report set is_effective = case when not exists (
      select 1 from exam_report other
      where other.exam_id = exam_report.exam_id and other.student_id = exam_report.student_id
        and (other.test_status > exam_report.test_status or (other.test_status = exam_report.test_status and (
          (other.test_status = 3 and other.user_score > exam_report.user_score)
          or ((other.test_status = 2 or other.user_score = exam_report.user_score) and (
            other.submit_time > exam_report.submit_time
            or (other.submit_time = exam_report.submit_time and other.id > exam_report.id))))))
    ) then 1 else 0 end
    where exam_id = ${examId}`.execute(db);
  await sql`
    insert into exam_figures (exam_id, school_id, student_count, submitted_count, graded_count, passed_count,
      score_sum, answer_time_sum)
    select exam.id, exam_report.school_id, count(distinct student_id), count(*),
      sum(case when test_status = 3 then 1 else 0 end),
      sum(case when test_status = 3 and user_score >= exam.pass_score then 1 else 0 end),
      sum(case when test_status = 3 then user_score else 0 end), sum(answer_time)
    from exam_report join exam on exam.id = exam_report.exam_id
    where exam.id = ${examId} group by exam.id, exam_report.school_id`.execute(db);
  await sql`
    insert into exam_score (exam_id, school_id, user_score, report_count)
    select exam_id, school_id, user_score, count(*) from exam_report
    where exam_id = ${examId} and test_status = 3 group by exam_id, school_id, user_score`.execute(db);
  await sql`
    insert into exam_question_figures (question_id, school_id, answered_count, unanswered_count, right_count,
      wrong_count, score_sum)
    select question_id, school_id, sum(case when status = 3 then 0 else 1 end), sum(case when status = 3 then 1 else 0 end),
      sum(case when status = 1 then 1 else 0 end), sum(case when status = 2 then 1 else 0 end), sum(coalesce(score, 0))
    from exam_report join exam_answer on exam_answer.report_id = exam_report.id
    where exam_id = ${examId} group by question_id, school_id`.execute(db);
  const given = await db
    .selectFrom('exam_report')
    .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
    .select((eb) => ['question_id', 'school_id', 'user_answer', eb.fn.countAll<number>().as('times')])
    .where('exam_id', '=', examId)
    .where('status', '=', answerStatus.wrong)
    .groupBy(['question_id', 'school_id', 'user_answer'])
    .execute();
  const chosen = new Map<string, { question_id: number; school_id: number; option_id: string; chosen_count: number }>();
  for (const { question_id, school_id, user_answer, times } of given) {
    const question = questionOf.get(question_id);
    if (!question || isMaterial(question.ques_type) || isSubjective(question.ques_type)) continue;
    for (const option_id of wrongChoices(question, user_answer)) {
      const key = `${question_id} ${school_id} ${option_id}`;
      const row = chosen.get(key) ?? { question_id, school_id, option_id, chosen_count: 0 };
      row.chosen_count += Number(times);
      chosen.set(key, row);
    }
  }
  const rows = [...chosen.values()];
  for (let from = 0; from < rows.length; from += 500) {
    await db
      .insertInto('exam_wrong_option')
      .values(rows.slice(from, from + 500))
      .execute();
  }
}
