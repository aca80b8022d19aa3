/**
 * Handing in and grading, one report at a time. Each rule runs in the transaction that it is given and keeps the
 * counters of the homework and of the class in step; who may call it is decided before (decisions, sections 5 and 6).
 */
import { sql } from 'kysely';
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { recordHistory } from '#server/db/history.ts';
import { locked } from '#server/db/search.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/http/outcome.ts';
import { refuseCorrection } from './rules.ts';
import {
  answerStatus,
  byRate,
  isMaterial,
  isSubjective,
  markedStatus,
  pointsOf,
  refuseMark,
  reportStatus,
  reportTotals,
  type ScoreMode,
  scoreAnswer,
} from './scoring.ts';

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
export async function submitReport(
  db: Database,
  { reportId, answers, answerTime, submitTime }: Submission,
): Promise<{ status: 2 | 3; user_score: number } | Refusal> {
  const held = await heldReport(db, reportId);
  if (isRefusal(held)) return held;
  const { report, homework } = held;
  if (homework.status !== 1) return conflict('该作业已撤回，不能提交');
  if (report.status !== reportStatus.notSubmitted) return conflict('该作业已提交，不能重复提交');
  if (submitTime >= homework.ending_time) return conflict('该作业已截止，不能提交');

  const questions = await answerableQuestions(db, homework.id);
  const known = new Set(questions.map((question) => question.id));
  const given = new Map(answers.map((answer) => [answer.questionId, answer.userAnswer]));
  if (given.size < answers.length || [...given.keys()].some((id) => !known.has(id))) {
    return invalid({ answers: ['答案与作业题目不符'] });
  }
  const scored = questions.map((question) => ({
    question_id: question.id,
    user_answer: given.get(question.id) ?? '',
    subjective: isSubjective(question.ques_type),
    ...scoreAnswer(question, given.get(question.id) ?? ''),
  }));
  if (scored.length > 0) {
    await db
      .insertInto('answer')
      .values(
        scored.map(({ question_id, user_answer, status, score }) => ({
          report_id: reportId,
          question_id,
          user_answer,
          status,
          score,
          reviewed_by: null,
          reviewed_at: null,
        })),
      )
      .execute();
  }
  const totals = reportTotals(scored);
  await db
    .updateTable('report')
    .set({
      ...totals,
      submit_time: submitTime,
      answer_time: answerTime,
      graded_at: totals.status === reportStatus.graded ? submitTime : null,
    })
    .where('id', '=', reportId)
    .execute();
  await changeCounters(db, report, { submitted: 1, waiting: totals.status === reportStatus.waiting ? 1 : 0 });
  return { status: totals.status, user_score: totals.user_score };
}

/** The questions of a homework that carry an answer, in no order: material questions are their parts. */
async function answerableQuestions(db: Database, homeworkId: number) {
  const questions = await db
    .selectFrom('homework_question')
    .select(['id', 'ques_type', 'right_answer', 'score'])
    .where('homework_id', '=', homeworkId)
    .execute();
  return questions.filter((question) => !isMaterial(question.ques_type));
}

// ---- Grading -----------------------------------------------------------------------------------

export interface AnswerReview {
  reportId: number;
  questionId: number;
  /** Of the answer as the grader saw it. */
  version: number;
  /** Stored score: tenths of a point, or percent where the homework is rated. Undefined saves without scoring. */
  score: number | undefined;
  comment: string;
  attachments: { name: string; url: string; ext: string }[];
  /** Unix seconds. */
  now: number;
}

/** What someone else saved since the grader looked. `user_score` in points, null where it has none yet. */
export interface ReviewConflict {
  user_score: number | null;
  name: string;
  version: number;
}

/**
 * Saves the review of one subjective answer. Where someone else has saved it since, the refusal's data is a
 * ReviewConflict and nothing is overwritten.
 */
export async function gradeAnswer(
  db: Database,
  actor: Pick<Actor, 'id'>,
  review: AnswerReview,
): Promise<{ status: number; score: number | null; version: number } | Refusal> {
  const { reportId, questionId, now } = review;
  const held = await heldReport(db, reportId);
  if (isRefusal(held)) return held;
  const refusal = refuseReview(held);
  if (refusal) return refusal;
  const answer = await db
    .selectFrom('answer')
    .innerJoin('homework_question', 'homework_question.id', 'answer.question_id')
    .leftJoin('staff as reviewer', 'reviewer.id', 'answer.reviewed_by')
    .select([
      'answer.id',
      'answer.status',
      'answer.score',
      'answer.version',
      'homework_question.ques_type',
      'homework_question.score as full',
      'reviewer.real_name as reviewer_name',
    ])
    .where('answer.report_id', '=', reportId)
    .where('answer.question_id', '=', questionId)
    .executeTakeFirst();
  if (!answer) return missing('题目不存在');
  if (!isSubjective(answer.ques_type)) return conflict('客观题由系统评分，不能批改');
  const mode = held.homework.is_set_score as ScoreMode;
  if (answer.version !== review.version) return conflictWith(mode, answer);
  const marked = review.score === undefined ? undefined : { mode, full: answer.full, status: answer.status };
  const unfit = marked && refuseMark(marked, review.score as number);
  if (unfit) return unfit;

  const before = { status: answer.status, score: answer.score };
  const after = reviewedAnswer(before, answer.full, review.score);
  await db
    .updateTable('answer')
    .set({
      ...after,
      review_comment: review.comment,
      review_attachments: JSON.stringify(review.attachments),
      reviewed_by: actor.id,
      reviewed_at: now,
      version: answer.version + 1,
    })
    .where('id', '=', answer.id)
    .execute();
  const gained = (after.score ?? 0) - (before.score ?? 0);
  if (gained !== 0) {
    await db
      .updateTable('report')
      .set({
        subjective_score: sql<number>`subjective_score + ${gained}`,
        user_score: sql<number>`user_score + ${gained}`,
      })
      .where('id', '=', reportId)
      .execute();
  }
  await recordHistory(db, { actor, now, record: 'answer', recordId: answer.id, action: 'grade', before, after });
  return { ...after, version: answer.version + 1 };
}

/** A blank answer stays unanswered, whatever 0 it is given; without a score everything stays. */
function reviewedAnswer(before: { status: number; score: number | null }, full: number, score: number | undefined) {
  if (score === undefined || before.status === answerStatus.unanswered) return before;
  return { status: markedStatus(full, score), score };
}

function conflictWith(
  mode: ScoreMode,
  answer: { score: number | null; version: number; reviewer_name: string | null },
): Refusal {
  const name = answer.reviewer_name ?? '';
  const earned = answer.score === null ? undefined : pointsOf(mode, answer.score);
  const mark = mode === byRate ? `正确率${answer.score}%` : `得分${earned}`;
  const data: ReviewConflict = { user_score: earned ?? null, name, version: answer.version };
  return conflict(`该题已由${name}批改${earned === undefined ? '' : `，${mark}`}`, data);
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
  if (waiting) return conflict('还有题目未批改，不能完成批改');
  await db
    .updateTable('report')
    .set({ status: reportStatus.graded, graded_at: now, graded_by: actor.id, comment })
    .where('id', '=', reportId)
    .execute();
  await changeCounters(db, report, { submitted: 0, waiting: -1 });
  await recordHistory(db, {
    actor,
    now,
    record: 'report',
    recordId: reportId,
    action: 'finish',
    before: { status: report.status },
    after: { status: reportStatus.graded, user_score: report.user_score },
  });
  return null;
}

type HeldReport = Exclude<Awaited<ReturnType<typeof heldReport>>, Refusal>;

function refuseReview({ report, homework }: HeldReport): Refusal | undefined {
  if (report.status === reportStatus.notSubmitted) return conflict('该作业未提交，不能批改');
  return (
    refuseCorrection(homework) ??
    (report.status === reportStatus.graded ? conflict('该作业已批改完成，不能重复批改') : undefined)
  );
}

// ---- Both --------------------------------------------------------------------------------------

/** The report with its homework, held until the end of the transaction; the homework first, as everywhere. */
async function heldReport(db: Database, reportId: number) {
  const found = await db.selectFrom('report').select('homework_id').where('id', '=', reportId).executeTakeFirst();
  if (!found) return missing('作业不存在');
  const homework = await db
    .selectFrom('homework')
    .select(['id', 'status', 'ending_time', 'is_set_score'])
    .where('id', '=', found.homework_id)
    .$call(locked(db))
    .executeTakeFirstOrThrow();
  const report = await db
    .selectFrom('report')
    .select(['id', 'homework_id', 'class_id', 'status', 'user_score'])
    .where('id', '=', reportId)
    .$call(locked(db))
    .executeTakeFirstOrThrow();
  return { homework, report };
}

/** Moves the counters of the report's class and of its homework by the same steps. */
async function changeCounters(
  db: Database,
  report: { homework_id: number; class_id: number },
  step: { submitted: number; waiting: number },
): Promise<void> {
  const moved = {
    submitted_homework_count: sql<number>`submitted_homework_count + ${step.submitted}`,
    not_revised_homework_count: sql<number>`not_revised_homework_count + ${step.waiting}`,
  };
  await db
    .updateTable('homework_class')
    .set(moved)
    .where('homework_id', '=', report.homework_id)
    .where('class_id', '=', report.class_id)
    .execute();
  await db.updateTable('homework').set(moved).where('id', '=', report.homework_id).execute();
}
