/** Data of the grading screen for one exam submission. */

import { currentExamJudgments } from '#server/exams/current-judgments.ts';
import { attachmentsOf } from '#server/exams/preview.ts';
import { answerableQuestions, examSections, type NumberedExamQuestion } from '#server/exams/questions.ts';
import { examPoints, missingSheet, testStatus } from '#server/exams/rules.ts';
import { averageRates, sheetPart } from '#server/exams/sheet.ts';
import { findVisibleExam, visibleExamReports, visibleSchoolId } from '#server/exams/visible.ts';
import { judgedBlanks } from '#server/grading/blank-judgments.ts';
import { answerStatus, fillIn, isSubjective, pointsMode } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import type { RuleContext } from '#server/school/context.ts';
import { logView } from '#server/school/view-log.ts';
import type { ExamReviewQuestion } from './exam.contract.ts';
import { frequentComments } from './frequent-comments.ts';
import { cardOf, reviewState } from './paper.ts';
import { numbersOf, reviewHistory } from './review-history.ts';

export const sheetNotFound = () => missing(missingSheet);

/** Returns a submission with the student's nickname; undefined if the actor does not see it. */
export const findVisibleSubmission = (db: Database, actor: Actor, reportId: number | undefined) =>
  visibleExamReports(db, actor)
    .innerJoin('student', 'student.id', 'exam_report.student_id')
    .selectAll('exam_report')
    .select('student.nickname')
    .where('exam_report.id', '=', reportId ?? 0)
    .executeTakeFirst();

/** Returns the id of the oldest ungraded submission of an exam; null if there is none. 404: no such exam. */
export async function firstWaitingSubmission(
  db: Database,
  actor: Actor,
  examId: number | undefined,
): Promise<{ report_id: number | null } | Refusal> {
  const exam = await findVisibleExam(db, actor, examId ?? 0);
  if (isRefusal(exam)) return exam;
  const first = await visibleExamReports(db, actor)
    .select('exam_report.id')
    .where('exam_report.exam_id', '=', exam.id)
    .where('exam_report.test_status', '=', testStatus.waiting)
    .orderBy('exam_report.submit_time')
    .orderBy('exam_report.id')
    .limit(1)
    .executeTakeFirst();
  return { report_id: first?.id ?? null };
}

/** Returns a submission for grading, and records in the history that the actor viewed it. `now` in unix seconds. */
export async function examReportReview(
  db: Database,
  actor: Actor,
  { reportId, skip, now }: { reportId: number; skip: readonly number[]; now: number },
) {
  const report = await findVisibleSubmission(db, actor, reportId);
  if (!report) return sheetNotFound();
  await logView({ db, actor, now }, report.student_id);
  const exam = await db.selectFrom('exam').selectAll().where('id', '=', report.exam_id).executeTakeFirstOrThrow();
  const sections = await examSections(db, exam.id);
  const materials = new Map(
    sections.flatMap(({ questions }) => questions).flatMap((one) => one.parts.map(({ id }) => [id, one] as const)),
  );
  const questions = answerableQuestions(sections);
  const answers = await answersOf(db, report.id);
  const rates = await averageRates(db, exam, visibleSchoolId(exam, actor));
  const [subjective, objective] = [true, false].map((kind) =>
    questions.filter(({ ques_type }) => isSubjective(ques_type) === kind),
  ) as [NumberedExamQuestion[], NumberedExamQuestion[]];
  const comments = await frequentComments(
    db.selectFrom('exam_answer'),
    actor,
    subjective.map(({ id }) => id),
  );
  const waits = [...answers.values()].filter(({ status }) => status === answerStatus.waiting);
  const same = await countExamSame(db, actor, exam.id, waits);
  const hasBlanks = objective.some(({ ques_type }) => ques_type === fillIn);
  const judgments = hasBlanks ? await currentExamJudgments(db, { examId: exam.id }) : [];
  const reviewQuestion = (question: NumberedExamQuestion): ExamReviewQuestion => {
    const answer = answers.get(question.id);
    const part = sheetPart(question, answer, rates.get(question.id));
    const material = materials.get(question.id);
    return {
      ...part,
      parent_id: question.parent_id,
      parent_ques_item: material ? renderMath(material.ques_stem) : '',
      // Parts also show the files of their material question.
      attachments: [...attachmentsOf(material?.attachments ?? '[]'), ...part.attachments],
      is_review: reviewState(part.status),
      get_score: part.user_score,
      remark: part.review_comment,
      version: answer?.version ?? 0,
      reviewer_name: answer?.reviewer_name ?? '',
      same_count: Math.max(0, (same.get(`${question.id} ${answer?.answer_key}`) ?? 0) - 1),
      my_comments: comments.get(question.id) ?? [],
      ...(question.ques_type === fillIn && answer
        ? { blanks: judgedBlanks(question, answer.user_answer, judgments) }
        : {}),
    };
  };
  const totalPoints = (list: readonly NumberedExamQuestion[]) =>
    examPoints(list.reduce((sum, { score }) => sum + score, 0));
  const card = cardOf(questions, answers);
  return {
    report_info: {
      report_id: report.id,
      exam_id: exam.id,
      uid: report.student_id,
      test_name: exam.name,
      nickname: report.nickname,
      test_status: report.test_status,
      is_set_score: 2 as const,
      submit_time: report.submit_time,
      answer_time: report.answer_time,
      user_score: examPoints(report.user_score),
      sum_score: examPoints(exam.score),
      pass_score: examPoints(exam.pass_score),
      objective_score: examPoints(report.objective_score),
      objective_total_score: totalPoints(objective),
      subjective_score: examPoints(report.subjective_score),
      subjective_total_score: totalPoints(subjective),
      comment: report.comment,
      ...(await countsOfExam(db, exam.id, visibleSchoolId(exam, actor))),
    },
    subject_question: subjective.map(reviewQuestion),
    objective_question: objective.map(reviewQuestion),
    subject_card_info: card.subjective,
    objective_card_info: card.objective,
    next_report_id: await nextExamReport(db, actor, report, skip),
  };
}

/** Returns the grading history of a submission, and records that the actor viewed it. */
export async function examHistory({ db, actor, now }: RuleContext<'actor' | 'now'>, reportId: number) {
  const report = await findVisibleSubmission(db, actor, reportId);
  if (!report) return sheetNotFound();
  await logView({ db, actor, now }, report.student_id);
  const questions = answerableQuestions(await examSections(db, report.exam_id));
  const records = { report: 'exam_report', answer: 'exam_answer' };
  return reviewHistory(db, pointsMode, records, report.id, numbersOf(questions, await answersOf(db, report.id)));
}

async function answersOf(db: Database, reportId: number) {
  const rows = await db
    .selectFrom('exam_answer')
    .leftJoin('staff as reviewer', 'reviewer.id', 'exam_answer.reviewed_by')
    .selectAll('exam_answer')
    .select('reviewer.real_name as reviewer_name')
    .where('report_id', '=', reportId)
    .execute();
  return new Map(rows.map((row) => [row.question_id, row]));
}

/**
 * Counts the ungraded answers of the exam that are equal to the given answers. Key of the map: question id and answer
 * key, separated by a space.
 */
async function countExamSame(
  db: Database,
  actor: Actor,
  examId: number,
  answers: readonly { question_id: number; answer_key: string | null }[],
): Promise<Map<string, number>> {
  const keyed = answers.filter(({ answer_key }) => answer_key !== null);
  if (keyed.length === 0) return new Map();
  const questionIds = keyed.map(({ question_id }) => question_id);
  const keys = keyed.map(({ answer_key }) => answer_key);
  const rows = await visibleExamReports(db, actor)
    .innerJoin('exam_answer', 'exam_answer.report_id', 'exam_report.id')
    .where('exam_report.exam_id', '=', examId)
    .where('exam_report.test_status', '=', testStatus.waiting)
    .where('exam_answer.status', '=', answerStatus.waiting)
    // Uses the index on these two columns, because equal answers are fewer than ungraded reports.
    .where('exam_answer.question_id', 'in', questionIds)
    .where('exam_answer.answer_key', 'in', keys)
    .select(['exam_answer.question_id', 'exam_answer.answer_key'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['exam_answer.question_id', 'exam_answer.answer_key'])
    .execute();
  return new Map(rows.map((row) => [`${row.question_id} ${row.answer_key}`, row.count]));
}

/**
 * Reads the numbers of ungraded and of submitted reports from the exam's stored sums, for one school or (undefined) for
 * all.
 */
async function countsOfExam(
  db: Database,
  examId: number,
  schoolId: number | undefined,
): Promise<{ waiting_count: number; submitted_count: number }> {
  let sums = db
    .selectFrom('exam_figures')
    .where('exam_id', '=', examId)
    .select((eb) => [
      eb.fn.sum<number | null>('submitted_count').as('submitted'),
      eb.fn.sum<number | null>('graded_count').as('graded'),
    ]);
  if (schoolId !== undefined) sums = sums.where('school_id', '=', schoolId);
  const { submitted, graded } = await sums.executeTakeFirstOrThrow();
  return { waiting_count: (submitted ?? 0) - (graded ?? 0), submitted_count: submitted ?? 0 };
}

/**
 * Returns the oldest ungraded submission of the same exam, else of another exam. Leaves out the current submission and
 * those in `skip`.
 */
export async function nextExamReport(
  db: Database,
  actor: Actor,
  current: { id: number; exam_id: number },
  skip: readonly number[],
): Promise<number | null> {
  const waiting = () =>
    visibleExamReports(db, actor)
      .select('exam_report.id')
      .where('exam_report.test_status', '=', testStatus.waiting)
      .where('exam_report.id', 'not in', [current.id, ...skip])
      .orderBy('exam_report.submit_time')
      .orderBy('exam_report.id')
      .limit(1);
  const same = await waiting().where('exam_report.exam_id', '=', current.exam_id).executeTakeFirst();
  return same?.id ?? (await waiting().executeTakeFirst())?.id ?? null;
}
