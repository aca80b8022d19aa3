/**
 * Submitting and grading reports. Call each function inside a transaction; it keeps the counters of the homework and of
 * the class in step. Callers check permissions.
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
import { currentJudgments } from './blank-judgments.ts';
import { inYearOfReport } from './report-years.ts';
import { correctionFault, homeworkMessages, missingHomework, reviewFault, submitFault } from './rules.ts';

// ---- Submitting --------------------------------------------------------------------------------

export interface Submission {
  reportId: number;
  /** Answers by question; parts instead of material questions. Missing ones count as unanswered. */
  answers: { questionId: number; userAnswer: string }[];
  /** Seconds. */
  answerTime: number;
  /** Unix seconds. */
  submitTime: number;
}

/**
 * Stores the answers of a report, scores the objective ones and sets its status to 2 (to grade) or 3 (graded). Scores
 * are stored ones (see `grading/scoring.ts`). 409: submitted before, recalled or ended. 422: an answer to an unknown
 * question.
 */
export async function submitReport(db: Database, submission: Submission): Promise<SubmittedReport | Refusal> {
  const report = await db
    .selectFrom('report')
    .select('homework_id')
    .where('id', '=', submission.reportId)
    .where(inYearOfReport(submission.reportId))
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
 * Like `submitReport` for several reports of one homework, with one update of the counters. Returns the results in the
 * order of `submissions`. A refused one does not affect the others.
 */
export async function submitReports(
  db: Database,
  homeworkId: number,
  submissions: readonly Submission[],
): Promise<(SubmittedReport | Refusal)[]> {
  const locked = await lockReports(
    db,
    homeworkId,
    submissions.map(({ reportId }) => reportId),
  );
  const questions = locked && (await answerableQuestions(db, homeworkId));
  const accepted = new Map<number, AcceptedReport>();
  const outcomes = submissions.map((submission): SubmittedReport | Refusal => {
    const report = locked?.reports.get(submission.reportId);
    if (!locked || !questions || !report) return missing(missingHomework);
    // A repeat within the same batch sees the status that the first one sets.
    const status = accepted.get(report.id)?.totals.status ?? report.status;
    const refusal = refuseFor('conflict', submitFault(locked.homework, { status }, submission.submitTime));
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
  report: LockedReport;
  submission: Submission;
  scored: Exclude<ReturnType<typeof scoredAnswers>, Refusal>;
  totals: ReturnType<typeof reportTotals>;
}

type AnswerableQuestion = Awaited<ReturnType<typeof answerableQuestions>>[number];

/** Scores each question. 422: an answer to an unknown question, two answers to one, or an unknown option. */
function scoredAnswers(questions: readonly AnswerableQuestion[], answers: Submission['answers']) {
  const questionsById = new Map(questions.map((question) => [question.id, askedQuestion(question)]));
  const sent = answers.map(({ questionId, userAnswer }) => ({ ques_id: questionId, user_answer: userAnswer }));
  const faults = answerFaults(sent, questionsById, homeworkMessages.wrongAnswers);
  if (faults) return invalid(faults);
  const answersById = new Map(answers.map((answer) => [answer.questionId, answer.userAnswer]));
  return questions.map((question) => ({
    question_id: question.id,
    user_answer: answersById.get(question.id) ?? '',
    subjective: isSubjective(question.ques_type),
    ...scoreAnswer(question, answersById.get(question.id) ?? ''),
  }));
}

/** Rows per statement. */
const rowsPerStatement = 1_000;

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
  for (let from = 0; from < answers.length; from += rowsPerStatement) {
    await db
      .insertInto('answer')
      .values(answers.slice(from, from + rowsPerStatement))
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
      // Must rise with every change.
      changed_at: Math.max(submitTime, report.changed_at + 1),
    })),
    inYearOfReport(accepted[0]?.report.id ?? 0),
  );
  const graded = accepted.filter(({ totals }) => totals.status === reportStatus.graded);
  for (const [at, group] of grouped(graded, ({ submission }) => submission.submitTime)) {
    await emitGraded(
      db,
      group.map(({ report }) => report),
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

/** Reads the questions that have answers, unordered: parts instead of material questions. */
async function answerableQuestions(db: Database, homeworkId: number) {
  const questions = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'ques_option', 'right_answer', 'ignore_case', 'score'])
    .where('homework_id', '=', homeworkId)
    .execute();
  const hasBlanks = questions.some(({ ques_type }) => ques_type === fillIn);
  const judges = judgesOf(hasBlanks ? await currentJudgments(db, homeworkId) : []);
  return questions
    .filter((question) => !isMaterial(question.ques_type))
    .map((question) => ({ ...question, judge: judges.get(question.id) }));
}

// ---- Grading -----------------------------------------------------------------------------------

/** A condition on `report`, usable in any query that has it. */
type ReportBuilder = ExpressionBuilder<Tables, 'report'>;
export type ReportCondition = (eb: ReportBuilder) => Expression<SqlBool>;

/**
 * Saves the review of one subjective answer. 409 with a `ReviewConflict`: somebody else has saved a review since;
 * nothing is overwritten. Idempotent: a repeated review, or one without changes, writes no history.
 */
export async function gradeAnswer(
  db: Database,
  actor: Pick<Actor, 'id'>,
  review: AnswerReview,
  /** Limits access: answers of other reports are 404. */
  condition?: ReportCondition,
): Promise<GradedAnswer | Refusal> {
  const { reportId, questionId, now } = review;
  const answer = await lockAnswer(db, reportId, questionId, condition);
  if (!answer) return refuseUnknown(db, reportId, condition);
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

/** Reads the answer with the facts that its rules need. Locks it and its report until the transaction ends. */
function lockAnswer(db: Database, reportId: number, questionId: number, condition: ReportCondition | undefined) {
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
    .where(inYearOfReport(reportId))
    .where((eb) => condition?.(eb as unknown as ReportBuilder) ?? eb.lit(true));
  // The homework is not locked: graders need not wait for each other, and a recall may commit before or after.
  return forUpdate(db)(answer, ['answer', 'report']).executeTakeFirst();
}

/**
 * Reverts an answer to `before`, if its version is unchanged and its report is not finished. Returns the reverted mark,
 * or undefined if nothing changed. 409: the homework is recalled.
 */
export async function restoreAnswer(
  db: Database,
  {
    answerId,
    version,
    before,
  }: { answerId: number; version: number; before: { status: number; score: number | null; review_comment: string } },
): Promise<{ status: number; score: number | null } | undefined | Refusal> {
  const locked = db
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
  const answer = await forUpdate(db)(locked, ['answer', 'report']).executeTakeFirstOrThrow();
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

/** Adds stored points to a report's totals. */
async function addToReport(db: Database, reportId: number, gained: number): Promise<void> {
  if (gained === 0) return;
  await db
    .updateTable('report')
    .set({
      subjective_score: sql<number>`subjective_score + ${gained}`,
      user_score: sql<number>`user_score + ${gained}`,
    })
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .execute();
}

/** Finishes grading a report. 409: an answer is not graded yet, or finished before. */
export async function finishReport(
  db: Database,
  actor: Pick<Actor, 'id'>,
  { reportId, comment, now }: { reportId: number; comment: string; now: number },
): Promise<null | Refusal> {
  const locked = await lockReport(db, reportId);
  if (isRefusal(locked)) return locked;
  const refusal = refuseReview(locked);
  if (refusal) return refusal;
  const { report } = locked;
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
    .where(inYearOfReport(reportId))
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
  await emitGraded(db, [report], now);
  await changeCounters(db, [{ report, step: { submitted: 0, waiting: -1 } }]);
  return null;
}

/**
 * Finishes the ungraded reports of an erased student, whose texts are gone. Answers without a mark become unanswered.
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
      .where(inYearOfReport(id))
      .execute();
    const [before, after] = [{ status: report.status }, { status: reportStatus.graded, user_score: report.user_score }];
    await recordHistory(db, { actor, now, record: 'report', recordId: id, action: 'finish', before, after });
  }
  for (const [, group] of [...grouped(reports, ({ homework_id }) => homework_id)].sort(([one], [other]) => one - other))
    await changeCounters(
      db,
      group.map((report) => ({ report, step: { submitted: 0, waiting: -1 } })),
    );
}

/** Emits the event `report.graded`. All reports belong to one homework. */
async function emitGraded(
  db: Database,
  reports: readonly { id: number; homework_id: number; student_id: number }[],
  now: number,
): Promise<void> {
  const about = reports.map(({ id, student_id }) => ({ studentId: student_id, recordId: id }));
  const details = { of: 'homework', homework_id: reports[0]?.homework_id ?? 0 };
  await emitLearnerEvent(db, { kind: 'report.graded', about, details }, now);
}

/** Finds out why the answer cannot be reviewed: no such report, closed, or no such question. */
async function refuseUnknown(db: Database, reportId: number, condition: ReportCondition | undefined): Promise<Refusal> {
  const visible = db
    .selectFrom('report')
    .select('id')
    .where('id', '=', reportId)
    .where(inYearOfReport(reportId))
    .where((eb) => condition?.(eb) ?? eb.lit(true));
  if (!(await visible.executeTakeFirst())) return missing(missingHomework);
  const locked = await lockReport(db, reportId);
  return isRefusal(locked) ? locked : (refuseReview(locked) ?? missing(missingQuestion));
}

const refuseReview = ({ report, homework }: { report: { status: number }; homework: { status: number } }) =>
  refuseFor('conflict', reviewFault(homework, report));

// ---- Shared ------------------------------------------------------------------------------------

/**
 * Locks a report until the transaction ends, and reads its homework without a lock: otherwise all students who submit
 * would queue for it. A recall or a new deadline commits either before or after.
 */
async function lockReport(db: Database, reportId: number) {
  const report = await forUpdate(db)(
    db.selectFrom('report').select(reportColumns).where('id', '=', reportId).where(inYearOfReport(reportId)),
  ).executeTakeFirst();
  if (!report) return missing(missingHomework);
  return { homework: await readHomework(db, report.homework_id), report };
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

/** Like `lockReport` for several reports of one homework; undefined if it has none of them. */
async function lockReports(db: Database, homeworkId: number, reportIds: readonly number[]) {
  const reports = await forUpdate(db)(
    db
      .selectFrom('report')
      .select(reportColumns)
      .where('id', 'in', reportIds)
      .where('homework_id', '=', homeworkId)
      // Same order everywhere, to avoid deadlocks.
      .orderBy('id'),
  ).execute();
  if (reports.length === 0) return undefined;
  return {
    homework: await readHomework(db, homeworkId),
    reports: new Map(reports.map((report) => [report.id, report])),
  };
}
type LockedReport = Exclude<Awaited<ReturnType<typeof lockReport>>, Refusal>['report'];

const readHomework = (db: Database, homeworkId: number) =>
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
 * Adds steps to the counters of a homework and of its classes. Lock order: the homework first. Call it last in a
 * transaction: others who submit wait for these rows until the commit.
 */
async function changeCounters(db: Database, changes: readonly CounterStep[]): Promise<void> {
  const homeworkId = changes[0]?.report.homework_id ?? 0;
  const increments = (group: readonly CounterStep[]) => {
    const sum = (of: keyof CounterStep['step']) => group.reduce((all, { step }) => all + step[of], 0);
    return {
      submitted_homework_count: sql<number>`submitted_homework_count + ${sum('submitted')}`,
      not_revised_homework_count: sql<number>`not_revised_homework_count + ${sum('waiting')}`,
    };
  };
  await db.updateTable('homework').set(increments(changes)).where('id', '=', homeworkId).execute();
  const byClass = [...grouped(changes, ({ report }) => report.class_id)].sort(([one], [other]) => one - other);
  for (const [classId, group] of byClass) {
    await db
      .updateTable('homework_class')
      .set(increments(group))
      .where('homework_id', '=', homeworkId)
      .where('class_id', '=', classId)
      .execute();
  }
}
