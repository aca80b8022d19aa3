/** Actions of users on questions they read: report a mistake, or add the question to their collection. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { invalid, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { missingFavourite } from './bank.rules.ts';
import { errorTextLimit, missingQuestion, questionMessages } from './rules.ts';
import { visibleQuestions } from './visible.ts';

interface ReaderContext {
  actor: Actor;
  /** Unix seconds. */
  now: number;
  settings: SchoolSettings;
}

/** Stores a user's report of a mistake. */
export async function reportMistake(
  db: Database,
  { actor, now, settings }: ReaderContext,
  reported: { questionId: number | undefined; type: number | undefined; text: string },
): Promise<null | Refusal> {
  const { questionId, type } = reported;
  const text = reported.text.trim();
  const errors: FieldErrors = {};
  if (type === undefined) errors.type = [questionMessages.mistakeType];
  if (text === '') errors.error_msg = [questionMessages.mistake];
  else if ([...text].length > errorTextLimit) errors.error_msg = [questionMessages.mistakeLength];
  if (type === undefined || Object.keys(errors).length > 0) return invalid(errors);
  const question = await visibleQuestion(db, { actor, settings }, questionId);
  if (!question) return missing(missingQuestion);
  const { id } = await db
    .insertInto('question_correction')
    .values({
      question_id: question.id,
      stem_text: question.stem_text,
      staff_id: actor.id,
      type,
      error_msg: text,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordHistory(db, {
    actor,
    now,
    record: 'question_correction',
    recordId: id,
    action: 'report',
    before: null,
    after: { error_msg: text },
  });
  return null;
}

/** Adds a question to the user's collection; repeating it returns the same `collect_id`. */
export async function addToCollection(
  db: Database,
  { actor, now, settings }: ReaderContext,
  { questionId, type }: { questionId: number | undefined; type: 3 | undefined },
): Promise<{ collect_id: number } | Refusal> {
  if (type === undefined) return invalid({ type: [questionMessages.collectType] });
  const question = await visibleQuestion(db, { actor, settings }, questionId);
  if (!question) return missing(missingQuestion);
  const mine = { staff_id: actor.id, question_id: question.id };
  const added = await db
    .insertInto('question_collect')
    .values({ ...mine, created_at: now })
    .onConflict((conflicting) => conflicting.columns(['staff_id', 'question_id']).doNothing())
    .returning('id')
    .execute();
  if (added.length > 0) await noteCollected(db, { actor, now }, question.id, 'collect');
  const { id } = await db
    .selectFrom('question_collect')
    .select('id')
    .where('staff_id', '=', mine.staff_id)
    .where('question_id', '=', mine.question_id)
    .executeTakeFirstOrThrow();
  return { collect_id: id };
}

/** Removes a question from the user's collection. 404: it is not there. */
export async function removeFromCollection(
  db: Database,
  { actor, now }: Omit<ReaderContext, 'settings'>,
  collectId: number,
): Promise<null | Refusal> {
  const gone = await db
    .deleteFrom('question_collect')
    .where('id', '=', collectId)
    .where('staff_id', '=', actor.id)
    .returning('question_id')
    .executeTakeFirst();
  if (!gone) return missing(missingFavourite);
  await noteCollected(db, { actor, now }, gone.question_id, 'uncollect');
  return null;
}

const noteCollected = (
  db: Database,
  { actor, now }: Omit<ReaderContext, 'settings'>,
  questionId: number,
  action: 'collect' | 'uncollect',
) => recordHistory(db, { actor, now, record: 'question', recordId: questionId, action, before: null, after: null });

async function visibleQuestion(
  db: Database,
  { actor, settings }: Pick<ReaderContext, 'actor' | 'settings'>,
  questionId: number | undefined,
): Promise<{ id: number; stem_text: string } | undefined> {
  if (questionId === undefined) return undefined;
  return visibleQuestions(db, actor, settings)
    .select(['question.id', 'question.stem_text'])
    .where('question.id', '=', questionId)
    .executeTakeFirst();
}
