/**
 * Handing in and grading, one report at a time. Each rule runs in the transaction that it is given and keeps the
 * counters of the homework and of the class in step; who may call it is decided before (decisions, sections 5 and 6).
 */
import { createHash } from 'node:crypto';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { recordHistory } from '#server/db/history.ts';
import type { Tables } from '#server/db/schema.ts';
import { locked } from '#server/db/search.ts';
import { conflict, invalid, isRefusal, missing, type Refusal } from '#server/http/outcome.ts';
import { refuseCorrection } from './rules.ts';
import {
  answerStatus,
  byRate,
  isMaterial,
  isSubjective,
  markedStatus,
  markOf,
  refuseMark,
  reportStatus,
  reportTotals,
  type ScoreMode,
  scoreAnswer,
  subjectiveAnswer,
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
          answer_key: sameAnswerKey(user_answer, status),
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

/** Of a waiting answer that is text alone: the same for the same text after trimming. */
export function sameAnswerKey(userAnswer: string, status: number): string | null {
  if (status !== answerStatus.waiting) return null;
  const { content, images } = subjectiveAnswer(userAnswer);
  const text = content.replaceAll('\r\n', '\n').trim();
  if (images.length > 0 || text === '') return null;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
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

/** Of one image of an answer: the saved mark-up (JSON text) and the address of the image with its marks. */
export interface MarkedImage {
  draw: string;
  path: string;
}

/** What is left out stays as it is. */
export interface AnswerReview {
  reportId: number;
  questionId: number;
  /** Of the answer as the grader saw it; without it, only what no other grader has saved yet is overwritten. */
  version: number | undefined;
  /**
   * Stored score: tenths of a point, or percent where the homework is rated; or how to read it once the question is
   * known. Undefined saves without scoring.
   */
  score: number | undefined | ((question: { mode: ScoreMode; full: number }) => { score: number } | Refusal);
  comment?: string | undefined;
  attachments?: { name: string; url: string; ext: string }[] | undefined;
  /** By the place of the image in the answer; null leaves the marks of that image. */
  images?: (MarkedImage | null)[] | undefined;
  /** Unix seconds. */
  now: number;
}

/** A condition on `report`, in whatever query that stands. */
type ReportBuilder = ExpressionBuilder<Tables, 'report'>;
export type ReportCondition = (eb: ReportBuilder) => Expression<SqlBool>;

export interface GradedAnswer {
  mode: ScoreMode;
  status: number;
  /** Stored; null while the answer waits. */
  score: number | null;
  version: number;
}

/** What someone else saved since the grader looked: points, percent where rated, null where it has no mark yet. */
export interface ReviewConflict {
  user_score: number | null;
  name: string;
  /** 1 where it was the same person, on another page or in a request whose answer was lost. */
  by_me: 0 | 1;
  version: number;
}

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
  if (!isSubjective(answer.ques_type)) return conflict('客观题由系统评分，不能批改');
  const mode = answer.is_set_score as ScoreMode;
  const read = typeof review.score === 'function' ? review.score({ mode, full: answer.full }) : { score: review.score };
  if (isRefusal(read)) return read;

  const before = {
    status: answer.status,
    score: answer.score,
    comment: answer.review_comment,
    attachments: answer.review_attachments,
    images: answer.review_images,
  };
  const after = {
    ...reviewedAnswer(before, answer.full, read.score),
    comment: review.comment ?? before.comment,
    attachments: review.attachments ? JSON.stringify(review.attachments) : before.attachments,
    images: review.images ? mergedImages(before.images, review.images) : before.images,
  };
  const changes = (Object.keys(after) as (keyof typeof after)[]).filter((field) => after[field] !== before[field]);
  const { status, score } = after;
  const isMine = answer.reviewed_by === null || answer.reviewed_by === actor.id;
  const isSeen = review.version === undefined ? isMine : review.version === answer.version;
  // The same review sent again, after an answer that never arrived.
  const isRepeated = isMine && changes.length === 0;
  if (!isSeen && !isRepeated) return conflictWith(db, actor, mode, answer);
  const unfit =
    read.score === undefined ? undefined : refuseMark({ mode, full: answer.full, status: answer.status }, read.score);
  if (unfit) return unfit;
  if (changes.length === 0) return { mode, status, score, version: answer.version };

  const version = answer.version + 1;
  await db
    .updateTable('answer')
    .set({
      status,
      score,
      ...(changes.includes('comment') ? { review_comment: after.comment } : {}),
      ...(changes.includes('attachments') ? { review_attachments: after.attachments } : {}),
      ...(changes.includes('images') ? { review_images: after.images } : {}),
      reviewed_by: actor.id,
      reviewed_at: now,
      version,
    })
    .where('id', '=', answer.id)
    .execute();
  await addToReport(db, reportId, (score ?? 0) - (before.score ?? 0));
  const told = (side: typeof before) => ({
    status: side.status,
    score: side.score,
    ...(changes.includes('comment') ? { comment: side.comment } : {}),
  });
  await recordHistory(db, {
    actor,
    now,
    record: 'answer',
    recordId: answer.id,
    action: 'grade',
    before: told(before),
    after: told(after),
  });
  return { mode, status, score, version };
}

function mergedImages(stored: string, changed: readonly (MarkedImage | null)[]): string {
  const kept = JSON.parse(stored) as MarkedImage[];
  const places = Array.from({ length: Math.max(kept.length, changed.length) }, (_, place) => place);
  return JSON.stringify(places.map((place) => changed[place] ?? kept[place] ?? { draw: '', path: '' }));
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
    .where((eb) => among?.(eb as unknown as ReportBuilder) ?? eb.lit(true));
  // Graders of one homework need not wait for each other: a recall only has to come before or after a whole mark.
  return locked(db)(answer, ['answer', 'report']).executeTakeFirst();
}

/**
 * Takes a mark back: the answer stands as `before` again, if it still has this version and its report is not finished.
 * Gives the mark that was taken back, or undefined.
 */
export async function restoreAnswer(
  db: Database,
  {
    answerId,
    version,
    before,
  }: { answerId: number; version: number; before: { status: number; score: number | null; review_comment: string } },
): Promise<{ status: number; score: number | null } | undefined> {
  const held = db
    .selectFrom('answer')
    .innerJoin('report', 'report.id', 'answer.report_id')
    .select([
      'answer.status',
      'answer.score',
      'answer.version',
      'report.id as report_id',
      'report.status as report_status',
    ])
    .where('answer.id', '=', answerId);
  const answer = await locked(db)(held, ['answer', 'report']).executeTakeFirstOrThrow();
  if (answer.version !== version || answer.report_status !== reportStatus.waiting) return undefined;
  await db
    .updateTable('answer')
    .set({ ...before, version: version + 1 })
    .where('id', '=', answerId)
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
    .execute();
}

/** A blank answer stays unanswered, whatever 0 it is given; without a score everything stays. */
function reviewedAnswer(before: { status: number; score: number | null }, full: number, score: number | undefined) {
  if (score === undefined || before.status === answerStatus.unanswered) {
    return { status: before.status, score: before.score };
  }
  return { status: markedStatus(full, score), score };
}

async function conflictWith(
  db: Database,
  actor: Pick<Actor, 'id'>,
  mode: ScoreMode,
  answer: { score: number | null; version: number; reviewed_by: number | null },
): Promise<Refusal> {
  const reviewer = await db
    .selectFrom('staff')
    .select('real_name')
    .where('id', '=', answer.reviewed_by)
    .executeTakeFirst();
  const name = reviewer?.real_name ?? '';
  const mark = answer.score === null ? null : markOf(mode, answer.score);
  const told = mode === byRate ? `正确率${mark}%` : `得分${mark}`;
  const by_me = answer.reviewed_by === actor.id ? 1 : 0;
  const data: ReviewConflict = { user_score: mark, name, by_me, version: answer.version };
  return conflict(`该题已由${name}批改${mark === null ? '' : `，${told}`}`, data);
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

/** Why there is no such answer to review. */
async function refuseUnknown(db: Database, reportId: number, among: ReportCondition | undefined): Promise<Refusal> {
  const seen = db
    .selectFrom('report')
    .select('id')
    .where('id', '=', reportId)
    .where((eb) => among?.(eb) ?? eb.lit(true));
  if (!(await seen.executeTakeFirst())) return missing('作业不存在');
  const held = await heldReport(db, reportId);
  return isRefusal(held) ? held : (refuseReview(held) ?? missing('题目不存在'));
}

function refuseReview({
  report,
  homework,
}: {
  report: { status: number };
  homework: { status: number };
}): Refusal | undefined {
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
