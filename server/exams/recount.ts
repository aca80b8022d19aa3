import { sql } from 'kysely';
import { answerStatus, isMaterial, isSubjective } from '#server/grading/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { maxRowsPerStatement } from './figures.ts';
import { wrongChoices } from './wrong-choices.ts';

/** Recomputes all stored sums and effective submissions of an exam from its reports. Needed after bulk loading. */
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
      wrong_count, waiting_count, score_sum)
    select question_id, exam_report.school_id,
      sum(case when test_status = 3 and status <> 3 then 1 else 0 end),
      sum(case when test_status = 3 and status = 3 then 1 else 0 end),
      sum(case when test_status = 3 and status = 1 then 1 else 0 end),
      sum(case when test_status = 3 and status = 2 then 1 else 0 end),
      sum(case when status = 4 then 1 else 0 end),
      sum(case when test_status = 3 then coalesce(score, 0) else 0 end)
    from exam_report join exam_answer on exam_answer.report_id = exam_report.id
    where exam_id = ${examId} group by question_id, exam_report.school_id`.execute(db);
  const given = await db
    .selectFrom('exam_report')
    .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
    .select((eb) => ['question_id', 'exam_report.school_id', 'user_answer', eb.fn.countAll<number>().as('times')])
    .where('exam_id', '=', examId)
    .where('status', '=', answerStatus.wrong)
    .groupBy(['question_id', 'exam_report.school_id', 'user_answer'])
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
  for (let from = 0; from < rows.length; from += maxRowsPerStatement) {
    await db
      .insertInto('exam_wrong_option')
      .values(rows.slice(from, from + maxRowsPerStatement))
      .execute();
  }
}
