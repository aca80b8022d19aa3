/** Batch grading of equal answers, with undo. The code is shared by homework and exams. */

import type { AnswerReview, GradedAnswer } from '#server/grading/answer-review.ts';
import type { ScoreMode } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import type { EqualAnswer } from './mark.contract.ts';
import { readTypedScore } from './mark.ts';
import { changedAnswersFault, gradingMessages, undoBatchFault } from './rules.ts';

/** Identifies the answer to which the others are equal. */
export interface AnswerReference {
  report_id?: number | undefined;
  class_id?: number | undefined;
  ques_id?: number | undefined;
}

/** State of an answer before it was graded in a batch, to undo the batch. */
export interface AnswerSnapshot {
  status: number;
  score: number | null;
  review_comment: string;
}

/** Reads and writes the answers of homework, or of exams. */
export interface EqualAnswerSource {
  record: 'answer' | 'exam_answer';
  /** Name of the score field in the calls. */
  markField: 'user_score' | 'score';
  unknown(): Refusal;
  /**
   * Returns how scores of the question are read; undefined if the actor does not see the report. `full` is null for a
   * question of another paper.
   */
  question(
    db: Database,
    actor: Actor,
    request: AnswerReference,
  ): Promise<{ mode: ScoreMode; full: number | null } | undefined>;
  /**
   * Lists the other ungraded answers with the same text, oldest first. Empty if the answer has no key (see
   * `sameAnswerKey`).
   */
  others(db: Database, actor: Actor, request: AnswerReference): Promise<EqualAnswer[]>;
  grade(db: Database, actor: Actor, review: AnswerReview): Promise<GradedAnswer | Refusal>;
  snapshot(db: Database, reportId: number, questionId: number): Promise<AnswerSnapshot & { id: number }>;
  restore(
    db: Database,
    answer: { answerId: number; version: number; before: AnswerSnapshot },
  ): Promise<{ status: number; score: number | null } | undefined | Refusal>;
  /** Returns the students' nicknames, ordered by report id. */
  nicknames(db: Database, reportIds: number[]): Promise<string[]>;
}

/** Lists the ungraded answers that equal the given one. 404: the actor does not see the report. */
export async function equalAnswers(
  db: Database,
  actor: Actor,
  source: EqualAnswerSource,
  request: AnswerReference,
): Promise<EqualAnswer[] | Refusal> {
  const question = await source.question(db, actor, request);
  return question ? source.others(db, actor, request) : source.unknown();
}

interface EqualGrading extends AnswerReference {
  version?: number | null | undefined;
  mark: number | string | null | undefined;
  comment: string | undefined;
  /** The equal answers, each with the version that the grader saw. */
  answers: { report_id: number; version: number }[];
}

/**
 * Gives an answer and the equal answers listed in the request the same score: all or none. 409, naming the students:
 * one of the answers was graded or changed meanwhile.
 */
export async function saveEqualMarks(
  db: Database,
  actor: Actor,
  source: EqualAnswerSource,
  request: EqualGrading,
  now: number,
): Promise<{ batch_id: number; count: number } | Refusal> {
  const { report_id, ques_id } = request;
  const question = await source.question(db, actor, request);
  if (!question || report_id === undefined) return source.unknown();
  if (question.full === null || ques_id === undefined) return missing(missingQuestion);
  const mark = readTypedScore(question.mode, question.full, request.mark, source.markField);
  if (isRefusal(mark)) return mark;
  if (request.answers.length === 0) return invalid({ answers: [gradingMessages.noAnswers] });
  if (new Set(request.answers.map((answer) => answer.report_id)).size < request.answers.length) {
    return invalid({ answers: [gradingMessages.answerTwice] });
  }
  const equal = await source.others(db, actor, request);
  const equalByReport = new Map(equal.map((answer) => [answer.report_id, answer]));
  const changed = request.answers.filter(({ report_id: id, version }) => equalByReport.get(id)?.version !== version);
  if (changed.length > 0) {
    const questions = await Promise.all(
      changed.map(({ report_id: id }) => source.question(db, actor, { report_id: id, ques_id })),
    );
    if (questions.includes(undefined)) return source.unknown();
    const names = await source.nicknames(
      db,
      changed.map(({ report_id: id }) => id),
    );
    const refusal = refuseFor('conflict', changedAnswersFault(names));
    if (refusal) return refusal;
  }

  const all = [{ report_id, version: request.version ?? undefined }, ...request.answers];
  const { id: batch_id } = await db
    .insertInto('grading_batch')
    .values({ staff_id: actor.id, record: source.record, at: now, undone_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const answer of all) {
    const { id, ...before } = await source.snapshot(db, answer.report_id, ques_id);
    const graded = await source.grade(db, actor, {
      reportId: answer.report_id,
      questionId: ques_id,
      version: answer.version,
      score: mark.score,
      comment: request.comment,
      now,
    });
    if (isRefusal(graded)) return graded;
    const saved = { answer_id: id, report_id: answer.report_id, version: graded.version };
    await db
      .insertInto('grading_batch_answer')
      .values({ batch_id, ...saved, before: JSON.stringify(before) })
      .execute();
  }
  return { batch_id, count: all.length };
}

/**
 * Reverts a batch that the actor graded. `undone`: number of reverted answers. `kept`: students whose answers stay,
 * because somebody saved them or finished their report meanwhile. 409: the batch was undone before.
 */
export async function revertEqualMarks(
  db: Database,
  actor: Actor,
  source: EqualAnswerSource,
  batchId: number | undefined,
  now: number,
): Promise<{ undone: number; kept: string[] } | Refusal> {
  const batch = await db
    .selectFrom('grading_batch')
    .selectAll()
    .where('id', '=', batchId ?? 0)
    .where('staff_id', '=', actor.id)
    .where('record', '=', source.record)
    .$call(forUpdate(db))
    .executeTakeFirst();
  if (!batch) return missing();
  const refusal = refuseFor('conflict', undoBatchFault(batch));
  if (refusal) return refusal;
  const answers = await db
    .selectFrom('grading_batch_answer')
    .selectAll()
    .where('batch_id', '=', batch.id)
    .orderBy('answer_id')
    .execute();
  const unchanged: number[] = [];
  for (const { answer_id, report_id, version, before: stored } of answers) {
    const before = JSON.parse(stored) as AnswerSnapshot;
    const restored = await source.restore(db, { answerId: answer_id, version, before });
    if (isRefusal(restored)) return restored;
    if (!restored) {
      unchanged.push(report_id);
      continue;
    }
    const after = { status: before.status, score: before.score };
    const record = { record: source.record, recordId: answer_id, action: 'undo' };
    await recordHistory(db, { actor, now, ...record, before: restored, after });
  }
  await db.updateTable('grading_batch').set({ undone_at: now }).where('id', '=', batch.id).execute();
  return { undone: answers.length - unchanged.length, kept: await source.nicknames(db, unchanged) };
}
