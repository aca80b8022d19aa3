/**
 * One answer under review: what a grader's mark changes, and when it is refused. The same rule for the answers of
 * homework and of exams, whose tables keep a review in the same columns.
 */

import type { Actor } from '#server/platform/auth/sign-in.ts';
import { conflict, isRefusal, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { gradedMeanwhile, handGradingFault, markedStatus, type ScoreMode, takesMark } from './rules.ts';
import { markOf, refuseMark } from './scoring.ts';

/** Of one image of an answer: the saved mark-up (JSON text) and the address of the image with its marks. */
export interface MarkedImage {
  draw: string;
  path: string;
}

/** A review as it was sent. What is left out stays as it is. */
export interface Review {
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

/** The answer as it is stored, held until the end of the transaction. */
export interface LockedAnswer {
  status: number;
  score: number | null;
  version: number;
  review_comment: string;
  review_attachments: string;
  review_images: string;
  reviewed_by: number | null;
  ques_type: number;
  /** Full score, stored. */
  full: number;
}

/** What someone else saved since the grader looked: points, percent where rated, null where it has no mark yet. */
export interface ReviewConflict {
  user_score: number | null;
  name: string;
  /** 1 where it was the same person, on another page or in a request whose answer was lost. */
  by_me: 0 | 1;
  version: number;
}

/** The answer as it stands after the review. */
export interface GradedAnswer {
  mode: ScoreMode;
  status: number;
  /** Stored; null while the answer waits. */
  score: number | null;
  version: number;
}

export interface Reviewed extends GradedAnswer {
  /** What is written to the answer; undefined where the review changes nothing. */
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
        /** Stored points by which the report's sums move. */
        gained: number;
        /** For the history. */
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
 * Judges the review of a subjective answer; nothing is written here. Where someone else has saved it since, the
 * refusal's data is a ReviewConflict. The same review sent again, as after a lost answer, changes nothing.
 */
export async function reviewed(
  db: Database,
  actor: Pick<Actor, 'id'>,
  answer: LockedAnswer,
  mode: ScoreMode,
  review: Review,
): Promise<Reviewed | Refusal> {
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
  // The same review sent again, after an answer that never arrived.
  const isRepeated = isMine && changes.length === 0;
  if (!isSeen && !isRepeated) return conflictWith(db, actor, mode, answer);
  const unfit =
    read.score === undefined ? undefined : refuseMark({ mode, full: answer.full, status: answer.status }, read.score);
  if (unfit) return unfit;
  const { status, score } = after;
  if (changes.length === 0) return { mode, status, score, version: answer.version, change: undefined };

  const version = answer.version + 1;
  const told = (side: typeof before): AnswerMark => ({
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
  return { mode, status, score, version, change: { row, gained, before: told(before), after: told(after) } };
}

function markedAnswer(before: { status: number; score: number | null }, full: number, score: number | undefined) {
  if (!takesMark(before, score)) return { status: before.status, score: before.score };
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
  return conflict(gradedMeanwhile(mode, name, mark), data);
}

/** The review of one answer of a report. */
export interface AnswerReview extends Review {
  reportId: number;
  questionId: number;
}
