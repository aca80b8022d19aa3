/**
 * Handing in and grading, one report at a time. Each rule runs in the transaction that it is given and keeps the
 * counters of the homework and of the class in step; who may call it is decided before.
 */

import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type AnswerReview, type GradedAnswer, reviewed } from '#server/grading/answer-review.ts';
import { judgesOf } from '#server/grading/blank-judgments.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { answerStatus, fillIn, isMaterial, isSubjective, reportStatus, stillWaiting } from '#server/grading/rules.ts';
import { reportTotals, scoreAnswer } from '#server/grading/scoring.ts';
import { answerFaults, askedQuestion } from '#server/grading/submitted-answer.ts';
import { emitLearnerEvent } from '#server/learners/events.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { updateMany } from '#server/platform/db/group-commit.ts';
import { grouped } from '#server/platform/db/grouping.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { countWhenAnswered } from '#server/platform/monitoring/metrics.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { raisedTo } from '#server/school/change-feed.ts';
import { standingJudgments } from './blank-judgments.ts';
import { ofYearOf } from './report-years.ts';
import { correctionFault, homeworkMessages, missingHomework, reviewFault, submitFault } from './rules.ts';

// ---- Handing in --------------------------------------------------------------------------------

export interface Submission {
  reportId: number;
  /** Of questions that carry an answer; those left out count as unanswered. */
  answers: { questionId: number; userAnswer: string }[];
  /** Seconds. */
  answerTime: number;
  /** Unix seconds. */
  submitTime: number;
}

/**
 * Stores the answers of a report, scores the objective ones and moves it to 2 (a subjective answer waits) or 3.
 * Scores in the answer are stored ones (see scoring.ts). Refused: handed in before, recalled, ended, or an answer to
 * what is no question of this homework.
 */
export async function submitReport(db: Database, submission: Submission): Promise<SubmittedReport | Refusal> {
  const report = await db
    .selectFrom('report')
    .select('homework_id')
    .where('id', '=', submission.reportId)
    .where(ofYearOf(submission.reportId))
    .executeTakeFirst();
  if (!report) return missing(missingHomework);
  const [outcome] = await submitReports(db, report.homework_id, [submission]);
  return outcome ?? missing(missingHomework);
}

export interface SubmittedReport {
  status: 2 | 3;
  user_score: number;
}

/**
 * The same of several reports of one homework, whose counters are moved once; the outcome of each in the same order.
 * Which of them are refused changes nothing for the others.
 */
export async function submitReports(
  db: Database,
  homeworkId: number,
  submissions: readonly Submission[],
): Promise<(SubmittedReport | Refusal)[]> {
  const held = await heldReports(
    db,
    homeworkId,
    submissions.map(({ reportId }) => reportId),
  );
  const questions = held && (await answerableQuestions(db, homeworkId));
  const accepted = new Map<number, AcceptedReport>();
  const outcomes = submissions.map((submission): SubmittedReport | Refusal => {
    const report = held?.reports.get(submission.reportId);
    if (!held || !questions || !report) return missing(missingHomework);
    // Sent twice at once: the second one finds what the first has done.
    const status = accepted.get(report.id)?.totals.status ?? report.status;
    const refusal = refuseFor('conflict', submitFault(held.homework, { status }, submission.submitTime));
    if (refusal) return refusal;
    const scored = scoredAnswers(questions, submission.answers);
    if (isRefusal(scored)) return scored;
    const totals = reportTotals(scored);
    accepted.set(report.id, { report, submission, scored, totals });
    return { status: totals.status, user_score: totals.user_score };
  });
  if (accepted.size > 0) await storeReports(db, [...accepted.values()]);
  return outcomes;
}

interface AcceptedReport {
  report: HeldReport;
  submission: Submission;
  scored: Exclude<ReturnType<typeof scoredAnswers>, Refusal>;
  totals: ReturnType<typeof reportTotals>;
}

type AnswerableQuestion = Awaited<ReturnType<typeof answerableQuestions>>[number];

/** Scores each question. 422: an answer to an unknown question, two answers to one, or an unknown option. */
function scoredAnswers(questions: readonly AnswerableQuestion[], answers: Submission['answers']) {
  const asked = new Map(questions.map((question) => [question.id, askedQuestion(question)]));
  const sent = answers.map(({ questionId, userAnswer }) => ({ ques_id: questionId, user_answer: userAnswer }));
  const faults = answerFaults(sent, asked, homeworkMessages.wrongAnswers);
  if (faults) return invalid(faults);
  const given = new Map(answers.map((answer) => [answer.questionId, answer.userAnswer]));
  return questions.map((question) => ({
    question_id: question.id,
    user_answer: given.get(question.id) ?? '',
    subjective: isSubjective(question.ques_type),
    ...scoreAnswer(question, given.get(question.id) ?? ''),
  }));
}

/** Rows of one statement. */
const rowsOfStatement = 1_000;

async function storeReports(db: Database, accepted: readonly AcceptedReport[]): Promise<void> {
  const answers = accepted.flatMap(({ report, scored }) =>
    scored.map(({ question_id, user_answer, status, score }) => ({
      report_id: report.id,
      question_id,
      school_id: report.school_id,
      user_answer,
      answer_key: sameAnswerKey(user_answer, status),
      status,
      score,
      reviewed_by: null,
      reviewed_at: null,
    })),
  );
  for (let from = 0; from < answers.length; from += rowsOfStatement) {
    await db
      .insertInto('answer')
      .values(answers.slice(from, from + rowsOfStatement))
      .execute();
  }
  await updateMany(
    db,
    'report',
    accepted.map(({ report, submission: { submitTime, answerTime }, totals }) => ({
      id: report.id,
      ...totals,
      submit_time: submitTime,
      answer_time: answerTime,
      graded_at: totals.status === reportStatus.graded ? submitTime : null,
      // Each change raises it.
      changed_at: Math.max(submitTime, report.changed_at + 1),
    })),
    ofYearOf(accepted[0]?.report.id ?? 0),
  );
  const graded = accepted.filter(({ totals }) => totals.status === reportStatus.graded);
  for (const [at, some] of grouped(graded, ({ submission }) => submission.submitTime)) {
    await tellGraded(
      db,
      some.map(({ report }) => report),
      at,
    );
  }
  await changeCounters(
    db,
    accepted.map(({ report, totals }) => ({
      report,
      step: { submitted: 1, waiting: totals.status === reportStatus.waiting ? 1 : 0 },
    })),
  );
}

/** The questions of a homework that carry an answer, in no order: material questions are their parts. */
async function answerableQuestions(db: Database, homeworkId: number) {
  const questions = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'ques_option', 'right_answer', 'ignore_case', 'score'])
    .where('homework_id', '=', homeworkId)
    .execute();
  const hasBlanks = questions.some(({ ques_type }) => ques_type === fillIn);
  const judges = judgesOf(hasBlanks ? await standingJudgments(db, homeworkId) : []);
  return questions
    .filter((question) => !isMaterial(question.ques_type))
    .map((question) => ({ ...question, judge: judges.get(question.id) }));
}

// ---- Grading -----------------------------------------------------------------------------------

/** A condition on `report`, in whatever query that stands. */
type ReportBuilder = ExpressionBuilder<Tables, 'report'>;
export type ReportCondition = (eb: ReportBuilder) => Expression<SqlBool>;

/**
 * Saves the review of one subjective answer. Where someone else has saved it since, the refusal's data is a
 * ReviewConflict and nothing is overwritten. The same review sent again, as after a lost answer, is saved once; one
 * that changes nothing leaves no trace.
 */
export async function gradeAnswer(
  db: Database,
  actor: Pick<Actor, 'id'>,
  review: AnswerReview,
  /** Only an answer of these reports: others are not there. */
  among?: ReportCondition,
): Promise<GradedAnswer | Refusal> {
  const { reportId, questionId, now } = review;
  const answer = await heldAnswer(db, reportId, questionId, among);
  if (!answer) return refuseUnknown(db, reportId, among);
  const refusal = refuseReview({ report: { status: answer.report_status }, homework: { status: answer.hw_status } });
  if (refusal) return refusal;
  const outcome = await reviewed(db, actor, answer, answer.is_set_score, review);
  if (isRefusal(outcome)) return outcome;
  const { change, ...graded } = outcome;
  if (!change) return graded;
  await db
    .updateTable('answer')
    .set(change.row)
    .where('id', '=', answer.id)
    .where('report_id', '=', reportId)
    .execute();
  await addToReport(db, reportId, change.gained);
  const { before, after } = change;
  await recordHistory(db, { actor, now, record: 'answer', recordId: answer.id, action: 'grade', before, after });
  countWhenAnswered('grades', { kind: 'homework' });
  return graded;
}

/** The answer with what decides about it, held until the end of the transaction together with its report. */
function heldAnswer(db: Database, reportId: number, questionId: number, among: ReportCondition | undefined) {
  const answer = db
    .selectFrom('answer')
    .innerJoin('report', 'report.id', 'answer.report_id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
    .select([
      'answer.id',
      'answer.status',
      'answer.score',
      'answer.version',
      'answer.review_comment',
      'answer.review_attachments',
      'answer.review_images',
      'answer.reviewed_by',
      'homework_question.ques_type',
      'homework_question.score as full',
      'report.status as report_status',
      'homework.status as hw_status',
      'homework.is_set_score',
    ])
    .where('answer.report_id', '=', reportId)
    .where('answer.question_id', '=', questionId)
    .where(ofYearOf(reportId))
    .where((eb) => among?.(eb as unknown as ReportBuilder) ?? eb.lit(true));
  // Graders of one homework need not wait for each other: a recall only has to come before or after a whole mark.
  return forUpdate(db)(answer, ['answer', 'report']).executeTakeFirst();
}

/**
 * Takes a mark back: the answer stands as `before` again, if it still has this version and its report is not finished.
 * Gives the mark that was taken back, or undefined. Refused where the homework was recalled, as every change of a mark.
 */
export async function restoreAnswer(
  db: Database,
  {
    answerId,
    version,
    before,
  }: { answerId: number; version: number; before: { status: number; score: number | null; review_comment: string } },
): Promise<{ status: number; score: number | null } | undefined | Refusal> {
  const held = db
    .selectFrom('answer')
    .innerJoin('report', 'report.id', 'answer.report_id')
    .innerJoin('homework', 'homework.id', 'report.homework_id')
    .select([
      'homework.status as hw_status',
      'answer.status',
      'answer.score',
      'answer.version',
      'report.id as report_id',
      'report.status as report_status',
    ])
    .where('answer.id', '=', answerId);
  const answer = await forUpdate(db)(held, ['answer', 'report']).executeTakeFirstOrThrow();
  const refusal = refuseFor('conflict', correctionFault({ status: answer.hw_status }));
  if (refusal) return refusal;
  if (answer.version !== version || answer.report_status !== reportStatus.waiting) return undefined;
  await db
    .updateTable('answer')
    .set({ ...before, version: version + 1 })
    .where('id', '=', answerId)
    .where('report_id', '=', answer.report_id)
    .execute();
  await addToReport(db, answer.report_id, (before.score ?? 0) - (answer.score ?? 0));
  return { status: answer.status, score: answer.score };
}

/** Moves the sums of a report by stored points. */
async function addToReport(db: Database, reportId: number, gained: number): Promise<void> {
  if (gained === 0) return;
  await db
    .updateTable('report')
    .set({
      subjective_score: sql<number>`subjective_score + ${gained}`,
      user_score: sql<number>`user_score + ${gained}`,
    })
    .where('id', '=', reportId)
    .where(ofYearOf(reportId))
    .execute();
}

/** Finishes the correction of a report: no answer may wait, and only once. */
export async function finishReport(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { reportId, comment, now }: { reportId: number; comment: string; now: number },
): Promise<null | Refusal> {
  const held = await heldReport(db, reportId);
  if (isRefusal(held)) return held;
  const refusal = refuseReview(held);
  if (refusal) return refusal;
  const { report } = held;
  const waiting = await db
    .selectFrom('answer')
    .select('id')
    .where('report_id', '=', reportId)
    .where('status', '=', answerStatus.waiting)
    .limit(1)
    .executeTakeFirst();
  if (waiting) return conflict(stillWaiting);
  await db
    .updateTable('report')
    .set({ status: reportStatus.graded, graded_at: now, graded_by: actor.id, comment, changed_at: raisedTo(now) })
    .where('id', '=', reportId)
    .where(ofYearOf(reportId))
    .execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'report',
    recordId: reportId,
    action: 'finish',
    before: { status: report.status },
    after: { status: reportStatus.graded, user_score: report.user_score },
  });
  await tellGraded(db, [report], now);
  await changeCounters(db, [{ report, step: { submitted: 0, waiting: -1 } }]);
  return null;
}

/**
 * Finishes the waiting reports of an erased student: their words are gone, so nobody can mark them. Answers without a
 * mark count as unanswered.
 */
export async function finishUnmarked(
  db: Database,
  { studentId, actor, now }: { studentId: number; actor: Pick<Actor, 'id'> | null; now: number },
): Promise<void> {
  const reports = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(reportColumns)
      .where('student_id', '=', studentId)
      .where('status', '=', reportStatus.waiting)
      .orderBy('id'),
  ).execute();
  for (const report of reports) {
    const { id } = report;
    await db
      .updateTable('answer')
      .set((eb) => ({ status: answerStatus.unanswered, score: 0, version: eb('version', '+', 1) }))
      .where('report_id', '=', id)
      .where('status', '=', answerStatus.waiting)
      .execute();
    await db
      .updateTable('report')
      .set({
        status: reportStatus.graded,
        graded_at: now,
        graded_by: actor?.id ?? null,
        changed_at: raisedTo(now),
      })
      .where('id', '=', id)
      .where(ofYearOf(id))
      .execute();
    const [before, after] = [{ status: report.status }, { status: reportStatus.graded, user_score: report.user_score }];
    await recordHistory(db, { actor, now, record: 'report', recordId: id, action: 'finish', before, after });
  }
  for (const [, some] of [...grouped(reports, ({ homework_id }) => homework_id)].sort(([one], [other]) => one - other))
    await changeCounters(
      db,
      some.map((report) => ({ report, step: { submitted: 0, waiting: -1 } })),
    );
}

/** Of reports of one homework. */
async function tellGraded(
  db: Database,
  reports: readonly { id: number; homework_id: number; student_id: number }[],
  now: number,
): Promise<void> {
  const about = reports.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  const details = { of: 'homework', homework_id: reports[0]?.homework_id ?? 0 };
  await emitLearnerEvent(db, { kind: 'report.graded', about, details }, now);
}

/** Why there is no such answer to review. */
async function refuseUnknown(db: Database, reportId: number, among: ReportCondition | undefined): Promise<Refusal> {
  const seen = db
    .selectFrom('report')
    .select('id')
    .where('id', '=', reportId)
    .where(ofYearOf(reportId))
    .where((eb) => among?.(eb) ?? eb.lit(true));
  if (!(await seen.executeTakeFirst())) return missing(missingHomework);
  const held = await heldReport(db, reportId);
  return isRefusal(held) ? held : (refuseReview(held) ?? missing(missingQuestion));
}

const refuseReview = ({ report, homework }: { report: { status: number }; homework: { status: number } }) =>
  refuseFor('conflict', reviewFault(homework, report));

// ---- Both --------------------------------------------------------------------------------------

/**
 * The report, held until the end of the transaction, with its homework as it stands. That is not held: all who hand in
 * would wait for each other there. A recall or another deadline comes before or after the whole of it.
 */
async function heldReport(db: Database, reportId: number) {
  const report = await forUpdate(db)(
    db.selectFrom('report').select(reportColumns).where('id', '=', reportId).where(ofYearOf(reportId)),
  ).executeTakeFirst();
  if (!report) return missing(missingHomework);
  return { homework: await homeworkAsItStands(db, report.homework_id), report };
}

const reportColumns = [
  'id',
  'homework_id',
  'class_id',
  'student_id',
  'school_id',
  'status',
  'user_score',
  'changed_at',
] as const;

/** The same of several reports of one homework; undefined where none of them is one of its. */
async function heldReports(db: Database, homeworkId: number, reportIds: readonly number[]) {
  const reports = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(reportColumns)
      .where('id', 'in', reportIds)
      .where('homework_id', '=', homeworkId)
      // Each holds several: all in the same order.
      .orderBy('id'),
  ).execute();
  if (reports.length === 0) return undefined;
  return {
    homework: await homeworkAsItStands(db, homeworkId),
    reports: new Map(reports.map((report) => [report.id, report])),
  };
}
type HeldReport = Exclude<Awaited<ReturnType<typeof heldReport>>, Refusal>['report'];

const homeworkAsItStands = (db: Database, homeworkId: number) =>
  db
    .selectFrom('homework')
    .select(['id', 'status', 'ending_time', 'is_set_score'])
    .where('id', '=', homeworkId)
    .executeTakeFirstOrThrow();

interface CounterStep {
  report: { homework_id: number; class_id: number };
  step: { submitted: number; waiting: number };
}

/**
 * Moves the counters of the homework of some reports and of their classes by the same steps; the homework first, as
 * everywhere. It is the last that a transaction does: until its end all others of this homework wait for it.
 */
async function changeCounters(db: Database, changes: readonly CounterStep[]): Promise<void> {
  const homeworkId = changes[0]?.report.homework_id ?? 0;
  const moved = (some: readonly CounterStep[]) => {
    const sum = (of: keyof CounterStep['step']) => some.reduce((all, { step }) => all + step[of], 0);
    return {
      submitted_homework_count: sql<number>`submitted_homework_count + ${sum('submitted')}`,
      not_revised_homework_count: sql<number>`not_revised_homework_count + ${sum('waiting')}`,
    };
  };
  await db.updateTable('homework').set(moved(changes)).where('id', '=', homeworkId).execute();
  const byClass = [...grouped(changes, ({ report }) => report.class_id)].sort(([one], [other]) => one - other);
  for (const [classId, some] of byClass) {
    await db
      .updateTable('homework_class')
      .set(moved(some))
      .where('homework_id', '=', homeworkId)
      .where('class_id', '=', classId)
      .execute();
  }
}
