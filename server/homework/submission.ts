/**
 * Submits reports: stores and scores the answers. Call each function inside a transaction. Callers check permissions.
 */

import { judgmentsByQuestion } from '#server/grading/blank-judgments.ts';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import { fillIn, isMaterial, isSubjective, reportStatus } from '#server/grading/rules.ts';
import { reportTotals, scoreAnswer } from '#server/grading/scoring.ts';
import { answerFaults, toQuestionShape } from '#server/grading/submitted-answer.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { updateMany } from '#server/platform/db/group-commit.ts';
import { groupRows } from '#server/platform/db/grouping.ts';
import { currentJudgments } from './blank-judgments.ts';
import { changeCounters } from './report-counters.ts';
import { emitGraded } from './report-grading.ts';
import { type LockedReport, lockReports } from './report-locks.ts';
import { inYearOfReport } from './report-years.ts';
import { homeworkMessages, missingHomework, submitFault } from './rules.ts';

export interface Submission {
  reportId: number;
  /**
   * Answers by question. Parts of material questions are answered, not the material question itself. A missing answer
   * counts as unanswered.
   */
  answers: { questionId: number; userAnswer: string }[];
  /** Time spent on the answers, in seconds. */
  answerTime: number;
  /** Time of submission, unix seconds. */
  submitTime: number;
}

/**
 * Stores the answers of a report, scores the objective ones, and sets the status to 2 (to grade) or 3 (graded). Scores
 * are in stored units (see `grading/scoring.ts`). 409: submitted before, or the homework is recalled or has ended. 422:
 * an answer to an unknown question.
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
 * order of `submissions`. A submission that is refused does not affect the others.
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
    // A second submission of the same report in this batch sees the status that the first one sets.
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
  const questionsById = new Map(questions.map((question) => [question.id, toQuestionShape(question)]));
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
      // `changed_at` must rise with every change, even within the same second.
      changed_at: Math.max(submitTime, report.changed_at + 1),
    })),
    inYearOfReport(accepted[0]?.report.id ?? 0),
  );
  const graded = accepted.filter(({ totals }) => totals.status === reportStatus.graded);
  for (const [at, group] of groupRows(graded, ({ submission }) => submission.submitTime)) {
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
      by: { submitted: 1, waiting: totals.status === reportStatus.waiting ? 1 : 0 },
    })),
  );
}

/** Reads the questions that students answer, unordered: the parts of a material question instead of itself. */
async function answerableQuestions(db: Database, homeworkId: number) {
  const questions = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'ques_option', 'right_answer', 'ignore_case', 'score'])
    .where('homework_id', '=', homeworkId)
    .execute();
  const hasBlanks = questions.some(({ ques_type }) => ques_type === fillIn);
  const judges = judgmentsByQuestion(hasBlanks ? await currentJudgments(db, homeworkId) : []);
  return questions
    .filter((question) => !isMaterial(question.ques_type))
    .map((question) => ({ ...question, judge: judges.get(question.id) }));
}
