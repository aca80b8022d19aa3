/** Application token of the learners' page (app/learn/), if the school has switched the page on. */
import { tokenOfOwnApplication } from '#server/platform/auth/service-token.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolSettings } from '#server/school/settings.ts';

/** Returns the token that the page uses; undefined if the page is switched off. `now` in unix seconds. */
export async function learnPageToken(
  db: Database,
  { secret, now }: { secret: string; now: number },
): Promise<string | undefined> {
  const { learn_page } = await schoolSettings(db, now);
  return learn_page ? tokenOfOwnApplication(db, { name: '学员端', secret, now }) : undefined;
}
