/** Steps of the start list that an administrator has put away; each is a row of `setting`. */

import type { Database } from '#server/platform/db/engine.ts';

const prefix = 'start_away_';

export async function listDismissedSteps(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('setting').select('name').where('name', 'like', `${prefix}%`).execute();
  return new Set(rows.map(({ name }) => name.slice(prefix.length)));
}

export async function storeDismissedStep(db: Database, step: string, isAway: boolean): Promise<void> {
  const name = `${prefix}${step}`;
  await db.deleteFrom('setting').where('name', '=', name).execute();
  if (isAway) await db.insertInto('setting').values({ name, value: '1' }).execute();
}
