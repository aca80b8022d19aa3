/** Application token of the learners' page (app/learn/). LEARN_TOKEN decides whether the page is on, else the school. */
import { learnToken } from '#server/platform/auth/learn-token.ts';
import { tokenOfOwnApplication } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { deliversTextMessages, schoolSettings } from '#server/school/settings.ts';

/** True if the page is on. */
export async function hasLearnPage(db: Database, now: number): Promise<boolean> {
  const configured = learnToken();
  return configured === undefined ? (await schoolSettings(db, now)).learn_page : configured !== 'off';
}

/** Returns the token that the page uses; undefined if the page is switched off. `now` in unix seconds. */
export async function learnPageToken(
  db: Database,
  { secret, now }: { secret: string; now: number },
): Promise<string | undefined> {
  if (!(await hasLearnPage(db, now))) return undefined;
  return learnToken() ?? tokenOfOwnApplication(db, { name: '学员端', secret, now });
}

/**
 * True if the page is on, but no learner can sign in: the school sends no text messages, has made no passwords, and no
 * identity provider is for learners.
 */
export async function areLearnersLockedOut(db: Database, now: number): Promise<boolean> {
  if (!(await hasLearnPage(db, now)) || (await deliversTextMessages(db, now))) return false;
  const provider = db.selectFrom('identity_provider').select('id').where('for_learners', '=', 1);
  if (await provider.limit(1).executeTakeFirst()) return false;
  return !(await db.selectFrom('learner_password').select('student_id').limit(1).executeTakeFirst());
}
