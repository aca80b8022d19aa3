/** A student's report with averages for comparison and its grading history (批改记录). */

import { averagePoints, fractionOf } from '#server/analysis/figures.ts';
import { answerStatus, reportStatus, wholeTenths } from '#server/grading/rules.ts';
import { fullScore, wholePercent } from '#server/grading/scoring.ts';
import { recordsFault } from '#server/homework/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { logView } from '#server/school/view-log.ts';
import {
  answeredQuestion,
  answersOf,
  cardOf,
  type NumberedQuestion,
  questionsWithContent,
  type ReportHead,
  scoresOf,
} from './paper.ts';
import type { StudentReport, StudentReportSummary } from './report.contract.ts';
import { findVisibleReport, reportNotFound, sourceLesson } from './review.ts';
import { numbersOf, reviewHistory } from './review-history.ts';
import { visibleReportsById } from './visible.ts';

/**
 * Returns a report, compared with all reports of the homework that the actor sees; with `classId` only with the class's
 * reports. Records in the history that the actor viewed it. `now` in unix seconds. 404: no such report. 409: the
 * homework is recalled.
 */
export async function reportOfStudent(
  db: Database,
  actor: Actor,
  { reportId, classId, now, timezone }: { reportId: number; classId?: number; now: number; timezone: string },
): Promise<StudentReport | Refusal> {
  const head = await findVisibleReport(db, actor, { report_id: reportId, class_id: classId });
  if (!head) return reportNotFound();
  const refusal = refuseFor('conflict', recordsFault({ status: head.homework_status }));
  if (refusal) return refusal;
  await logView({ db, actor, now }, head.student_id);
  const questions = await questionsWithContent(db, head.homework_id);
  const answers = await answersOf(db, head.id);
  const mode = head.is_set_score;
  const scope = { homeworkId: head.homework_id, classId };
  const compared = await comparison(db, actor, scope);
  const counts = await questionCounts(db, actor, scope);
  return {
    course_arrange: await sourceLesson(db, head.homework_id, timezone),
    report: reportView(head, questions, answers, compared),
    report_questions: questions.map((question) => {
      const answered = answeredQuestion(mode, question, answers.get(question.id));
      return {
        ...answered,
        imgs: answered.answerImages.map(({ url }) => url),
        ...ratesOf(counts.get(question.id), compared.submitted, fullScore(mode, question.score)),
      };
    }),
    card_info: cardOf(questions, answers).all,
    review_history: await reviewHistory(
      db,
      mode,
      { report: 'report', answer: 'answer' },
      head.id,
      numbersOf(questions, answers),
    ),
  };
}

function reportView(
  head: ReportHead,
  questions: readonly NumberedQuestion[],
  answers: ReadonlyMap<number, { status: number }>,
  compared: Comparison,
): StudentReportSummary {
  const { mode, sumStored, ...scores } = scoresOf(head, questions);
  const answered = questions.filter(
    ({ id }) => (answers.get(id)?.status ?? answerStatus.unanswered) !== answerStatus.unanswered,
  );
  return {
    report_id: head.id,
    hw_id: head.homework_id,
    uid: head.student_id,
    class_id: head.class_id,
    homework_name: head.homework_name,
    nickname: head.nickname,
    class_name: head.class_name,
    course_title: head.course_title,
    periods_name: head.period_title ?? '',
    status: head.status,
    is_set_score: mode,
    answer_time: head.answer_time,
    question_num: questions.length,
    completion_rate: wholePercent(answered.length, questions.length),
    submit_at: head.submit_time ?? 0,
    score: scores.sum_score,
    object_score: scores.objective_score,
    object_total_score: scores.objective_total_score,
    object_rate: scores.objective_rate,
    subject_score: scores.subjective_score,
    subject_total_score: scores.subjective_total_score,
    subject_rate: scores.subjective_rate,
    max_score: wholeTenths(mode, compared.max),
    avarage_score: averagePoints(mode, compared.sum, compared.graded),
    user_score: scores.user_score,
    correct_rate: scores.correct_rate,
    max_rate: wholePercent(compared.max, sumStored),
    average_rate: wholePercent(compared.sum, sumStored * compared.graded),
    end_time: head.ending_time,
    comment: head.comment,
    reviewer_name: head.reviewer_name ?? '',
    graded_at: head.graded_at ?? 0,
  };
}

interface CompareScope {
  homeworkId: number;
  classId: number | undefined;
}

interface Comparison {
  submitted: number;
  graded: number;
  /** Highest score and sum of the graded reports, in stored units. */
  max: number;
  sum: number;
}

function reportsCompared(db: Database, actor: Actor, { homeworkId, classId }: CompareScope) {
  const reports = visibleReportsById(db, actor)
    .where('homework.id', '=', homeworkId)
    .where('report.status', '>=', reportStatus.waiting);
  return classId === undefined ? reports : reports.where('report.class_id', '=', classId);
}

async function comparison(db: Database, actor: Actor, scope: CompareScope): Promise<Comparison> {
  const rows = await reportsCompared(db, actor, scope)
    .groupBy('report.status')
    .select('report.status')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('report.user_score').as('max'),
      eb.fn.sum<number>('report.user_score').as('sum'),
    ])
    .execute();
  const graded = rows.find(({ status }) => status === reportStatus.graded);
  return {
    submitted: rows.reduce((total, { count }) => total + count, 0),
    graded: graded?.count ?? 0,
    max: graded?.max ?? 0,
    sum: graded?.sum ?? 0,
  };
}

interface QuestionCounts {
  right: number;
  wrong: number;
  unanswered: number;
  waiting: number;
  total: number;
  /** Sum of scores in stored units. */
  score: number;
}

async function questionCounts(db: Database, actor: Actor, scope: CompareScope): Promise<Map<number, QuestionCounts>> {
  const rows = await db
    .selectFrom('answer')
    .where('answer.report_id', 'in', reportsCompared(db, actor, scope).select('report.id'))
    .groupBy(['answer.question_id', 'answer.status'])
    .select(['answer.question_id', 'answer.status'])
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.sum<number>('answer.score'), eb.val(0)).as('score'),
    ])
    .execute();
  const counts = new Map<number, QuestionCounts>();
  for (const { question_id, status, count, score } of rows) {
    const entry = counts.get(question_id) ?? { right: 0, wrong: 0, unanswered: 0, waiting: 0, total: 0, score: 0 };
    if (status === answerStatus.right) entry.right += count;
    if (status === answerStatus.wrong) entry.wrong += count;
    if (status === answerStatus.unanswered) entry.unanswered += count;
    if (status === answerStatus.waiting) entry.waiting += count;
    entry.total += count;
    entry.score += score;
    counts.set(question_id, entry);
  }
  return counts;
}

/**
 * Computes the average rate: the sum of scores divided by the full score of all graded answers. Unanswered questions
 * count as 0.
 */
function ratesOf(counts: QuestionCounts | undefined, submitted: number, full: number) {
  const { right = 0, wrong = 0, unanswered = 0, waiting = 0, total = 0, score = 0 } = counts ?? {};
  const possible = (submitted - waiting) * full;
  return {
    average_right_rate: fractionOf(score, possible),
    average_right_percent: wholePercent(score, possible),
    right_count: right,
    wrong_count: wrong,
    answered_count: total - unanswered,
    waiting_count: waiting,
    un_answer_count: unanswered,
  };
}
