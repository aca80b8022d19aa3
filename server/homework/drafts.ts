/** The publish form, kept while its owner chooses from a list, and until it is published. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { publicationMessages } from './rules.ts';

/** Of each person and of either kind; older ones are forgotten. */
const keptMost = 50;
/** Seconds. */
export const formsKeptFor = 30 * 24 * 60 * 60;

interface KeptForm {
  form: string;
  key: string;
  name: string;
  address: string;
  in_place: 0 | 1;
}

/** Written over what is kept of it where it is `in_place`; otherwise kept beside that. */
export async function keepForm(db: Database, actor: Actor, kept: KeptForm, now: number): Promise<{ id: number }> {
  return (await keptAgain(db, actor, kept, now)) ?? keptAnew(db, actor, kept, now);
}

/** The one row that is written over, where there is one. */
async function keptAgain(db: Database, actor: Actor, { key, in_place, ...kept }: KeptForm, now: number) {
  if (in_place === 0) return undefined;
  return db
    .updateTable('homework_draft')
    .set({ ...kept, saved_at: now })
    .where('owner_id', '=', actor.id)
    .where('key', '=', key)
    .where('in_place', '=', 1)
    .returning('id')
    .executeTakeFirst();
}

async function keptAnew(db: Database, actor: Actor, kept: KeptForm, now: number): Promise<{ id: number }> {
  const { id } = await db
    .insertInto('homework_draft')
    .values({ ...kept, owner_id: actor.id, saved_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const latest = db
    .selectFrom('homework_draft')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('in_place', '=', kept.in_place)
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(keptMost);
  await db
    .deleteFrom('homework_draft')
    .where('owner_id', '=', actor.id)
    .where('in_place', '=', kept.in_place)
    .where((eb) => eb.or([eb('saved_at', '<', now - formsKeptFor), eb('id', 'not in', latest)]))
    .execute();
  return { id };
}

/** Refused: 404. */
export async function keptForm(
  db: Database,
  actor: Actor,
  id: number,
): Promise<{ id: number; form: string } | Refusal> {
  const kept = await db
    .selectFrom('homework_draft')
    .select(['id', 'form'])
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .executeTakeFirst();
  return kept ?? missing(publicationMessages.draftGone);
}

/** All that was kept of one publication: it was published, or given up. */
export async function dropForms(db: Database, actor: Actor, key: string): Promise<null> {
  await db.deleteFrom('homework_draft').where('owner_id', '=', actor.id).where('key', '=', key).execute();
  return null;
}

/** What the actor began and has not published, each as it was kept last, the latest first. No forms are read for it. */
export async function draftsOf(db: Database, actor: Actor, limit: number) {
  const kept = await db
    .selectFrom('homework_draft')
    .select(['id', 'key', 'name', 'address', 'saved_at'])
    .where('owner_id', '=', actor.id)
    .orderBy('saved_at', 'desc')
    .orderBy('in_place', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const latest = new Map<string, (typeof kept)[number]>();
  for (const row of kept) if (!latest.has(row.key)) latest.set(row.key, row);
  return { total: latest.size, list: [...latest.values()].slice(0, limit) };
}

/** Takes so many forms away that were kept before a moment (unix seconds), whoever began them; answers how many. */
export async function forgetForms(db: Database, { before, most }: { before: number; most: number }): Promise<number> {
  const old = db
    .selectFrom('homework_draft')
    .select('id')
    .where('saved_at', '<', before)
    .orderBy('saved_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('homework_draft').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
