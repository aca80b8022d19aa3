/** Application token of the learners' page (app/learn/), if the school has switched the page on. */
import { tokenOfOwnApplication } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { deliversTextMessages, schoolSettings } from '#server/school/settings.ts';

/** Returns the token that the page uses; undefined if the page is switched off. `now` in unix seconds. */
export async function learnPageToken(
  db: Database,
  { secret, now }: { secret: string; now: number },
): Promise<string | undefined> {
  const { learn_page } = await schoolSettings(db, now);
  return learn_page ? tokenOfOwnApplication(db, { name: '学员端', secret, now }) : undefined;
}

/** True if the page is on, but no learner can sign in: the school sends no text messages and has made no passwords. */
export async function areLearnersLockedOut(db: Database, now: number): Promise<boolean> {
  const { learn_page } = await schoolSettings(db, now);
  if (!learn_page || (await deliversTextMessages(db, now))) return false;
  return !(await db.selectFrom('learner_password').select('student_id').limit(1).executeTakeFirst());
}
