/**
 * Applies a grader's review to one answer: computes the changes, or refuses the review. Shared by homework and exams,
 * whose tables have the same review columns.
 */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { acceptsMark, gradedMeanwhileMessage, handGradingFault, markedStatus, type ScoreMode } from './rules.ts';
import { markOf, refuseMark } from './scoring.ts';

/** Mark-up of one image: the drawing (JSON text) and the address of the image with the drawing. */
export interface MarkedImage {
  draw: string;
  path: string;
}

/** A review as sent by a client. Missing fields stay unchanged. */
export interface Review {
  /**
   * Version of the answer that the grader saw. Without a version, an answer that somebody else has reviewed is not
   * overwritten.
   */
  version: number | undefined;
  /**
   * Score in stored units: tenths of a point, or percent in rated homework. A function parses the score once the
   * question is known. Undefined: the review is saved without a score.
   */
  score: number | undefined | ((question: { mode: ScoreMode; full: number }) => { score: number } | Refusal);
  comment?: string | undefined;
  attachments?: { name: string; url: string; ext: string }[] | undefined;
  /** Mark-up by position of the image in the answer; null keeps the mark-up that an image has. */
  images?: (MarkedImage | null)[] | undefined;
  /** Unix seconds. */
  now: number;
}

/** The stored answer, locked until the transaction ends. */
export interface LockedAnswer {
  status: number;
  score: number | null;
  version: number;
  review_comment: string;
  review_attachments: string;
  review_images: string;
  reviewed_by: number | null;
  ques_type: number;
  /** Full score of the question, in stored units. */
  full: number;
}

/** The score that somebody else saved meanwhile: points, or percent in rated homework; null if they saved no score. */
export interface ReviewConflict {
  user_score: number | null;
  name: string;
  /** 1: the same user saved it, in another tab or by a request whose answer was lost. */
  by_me: 0 | 1;
  version: number;
}

/** An answer after its review. */
export interface GradedAnswer {
  mode: ScoreMode;
  status: number;
  /** Score in stored units; null while the answer waits for grading. */
  score: number | null;
  version: number;
}

export interface ReviewResult extends GradedAnswer {
  /** Columns to write; undefined if the review changes nothing. */
  change:
    | {
        row: {
          status: number;
          score: number | null;
          review_comment?: string;
          review_attachments?: string;
          review_images?: string;
          reviewed_by: number;
          reviewed_at: number;
          version: number;
        };
        /** Amount by which the report's sums change, in stored units. */
        gained: number;
        /** Score and comment before and after the review, for the history. */
        before: AnswerMark;
        after: AnswerMark;
      }
    | undefined;
}

interface AnswerMark {
  status: number;
  score: number | null;
  comment?: string;
}

/**
 * Validates the review of a subjective answer; writes nothing. 409 with a `ReviewConflict`: somebody else has saved a
 * review of the answer meanwhile. Idempotent: a repeated review changes nothing.
 */
export async function validateReview(
  db: Database,
  actor: Pick<Actor, 'id'>,
  answer: LockedAnswer,
  mode: ScoreMode,
  review: Review,
): Promise<ReviewResult | Refusal> {
  const byHand = refuseFor('conflict', handGradingFault(answer));
  if (byHand) return byHand;
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
    ...markedAnswer(before, answer.full, read.score),
    comment: review.comment ?? before.comment,
    attachments: review.attachments ? JSON.stringify(review.attachments) : before.attachments,
    images: review.images ? mergedImages(before.images, review.images) : before.images,
  };
  const changes = (Object.keys(after) as (keyof typeof after)[]).filter((field) => after[field] !== before[field]);
  const isMine = answer.reviewed_by === null || answer.reviewed_by === actor.id;
  const isSeen = review.version === undefined ? isMine : review.version === answer.version;
  // True for a repeated request whose first answer was lost.
  const isRepeated = isMine && changes.length === 0;
  if (!isSeen && !isRepeated) return conflictWith(db, actor, mode, answer);
  const unfit =
    read.score === undefined ? undefined : refuseMark({ mode, full: answer.full, status: answer.status }, read.score);
  if (unfit) return unfit;
  const { status, score } = after;
  if (changes.length === 0) return { mode, status, score, version: answer.version, change: undefined };

  const version = answer.version + 1;
  const historyMark = (side: typeof before): AnswerMark => ({
    status: side.status,
    score: side.score,
    ...(changes.includes('comment') ? { comment: side.comment } : {}),
  });
  const row = {
    status,
    score,
    ...(changes.includes('comment') ? { review_comment: after.comment } : {}),
    ...(changes.includes('attachments') ? { review_attachments: after.attachments } : {}),
    ...(changes.includes('images') ? { review_images: after.images } : {}),
    reviewed_by: actor.id,
    reviewed_at: review.now,
    version,
  };
  const gained = (score ?? 0) - (before.score ?? 0);
  return {
    mode,
    status,
    score,
    version,
    change: { row, gained, before: historyMark(before), after: historyMark(after) },
  };
}

function markedAnswer(before: { status: number; score: number | null }, full: number, score: number | undefined) {
  if (!acceptsMark(before, score)) return { status: before.status, score: before.score };
  return { status: markedStatus(full, score), score };
}

function mergedImages(stored: string, changed: readonly (MarkedImage | null)[]): string {
  const kept = JSON.parse(stored) as MarkedImage[];
  const places = Array.from({ length: Math.max(kept.length, changed.length) }, (_, place) => place);
  return JSON.stringify(places.map((place) => changed[place] ?? kept[place] ?? { draw: '', path: '' }));
}

async function conflictWith(
  db: Database,
  actor: Pick<Actor, 'id'>,
  mode: ScoreMode,
  answer: Pick<LockedAnswer, 'score' | 'version' | 'reviewed_by'>,
): Promise<Refusal> {
  const reviewer = await db
    .selectFrom('staff')
    .select('real_name')
    .where('id', '=', answer.reviewed_by)
    .executeTakeFirst();
  const name = reviewer?.real_name ?? '';
  const mark = answer.score === null ? null : markOf(mode, answer.score);
  const by_me = answer.reviewed_by === actor.id ? 1 : 0;
  const data: ReviewConflict = { user_score: mark, name, by_me, version: answer.version };
  return conflict(gradedMeanwhileMessage(mode, name, mark), data);
}

export interface AnswerReview extends Review {
  reportId: number;
  questionId: number;
}
