/** The publish form, kept while its owner chooses from a list. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { publicationMessages } from './rules.ts';

/** Of each person; older ones are forgotten. */
const keptMost = 50;
/** Seconds. */
const keptFor = 7 * 24 * 60 * 60;

export async function keepForm(db: Database, actor: Actor, form: string, now: number): Promise<{ id: number }> {
  const kept = await db
    .insertInto('homework_draft')
    .values({ owner_id: actor.id, form, saved_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const others = db.selectFrom('homework_draft').select('id').where('owner_id', '=', actor.id);
  await db
    .deleteFrom('homework_draft')
    .where('owner_id', '=', actor.id)
    .where((eb) =>
      eb.or([eb('saved_at', '<', now - keptFor), eb('id', 'not in', others.orderBy('id', 'desc').limit(keptMost))]),
    )
    .execute();
  return kept;
}

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

/** The form that the actor kept last, unless they have published since; `name` is what the homework is called in it. */
export async function latestDraft(
  db: Database,
  actor: Actor,
): Promise<{ id: number; name: string; saved_at: number } | null> {
  const kept = await db
    .selectFrom('homework_draft')
    .select(['id', 'form', 'saved_at'])
    .where('owner_id', '=', actor.id)
    .where('saved_at', '>', (eb) =>
      eb
        .selectFrom('homework')
        .select((published) => published.fn.coalesce(published.fn.max('homework.publish_time'), eb.lit(0)).as('at'))
        .where('homework.creator_id', '=', actor.id),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return kept ? { id: kept.id, name: nameIn(kept.form), saved_at: kept.saved_at } : null;
}

/** A kept form is the screens' own; nothing but the name is read here. */
function nameIn(form: string): string {
  try {
    const { name } = JSON.parse(form);
    return typeof name === 'string' ? name : '';
  } catch {
    return '';
  }
}
