/**
 * Drafts of homework: saved publish forms. A draft is kept while the user picks questions on another page, and until
 * the homework is published.
 */
import type { Insertable } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { coursesOf } from '#server/school/staff-duties.ts';
import { publicationMessages } from './rules.ts';

/** Maximum drafts per person, counted separately for `in_place` 0 and 1. The oldest are deleted. */
const maxDrafts = 50;
/** Seconds that a draft is kept. */
export const formRetention = 30 * 24 * 60 * 60;

interface FormDraft {
  form: string;
  key: string;
  name: string;
  /** Id of the course; 0 if none is chosen yet. */
  course_basis_id: number;
  question_count: number;
  /** 1: no field is filled in. */
  is_empty: 0 | 1;
  address: string;
  in_place: 0 | 1;
}

/**
 * Saves the publish form. With `in_place` it overwrites the draft of its key; otherwise it adds a draft, so that the
 * browser's back button finds the earlier one. An unchanged form keeps its `saved_at`. Returns a null id for an empty
 * form without an earlier draft.
 */
export async function storeForm(
  db: Database,
  actor: Actor,
  { course_basis_id, ...fields }: FormDraft,
  now: number,
): Promise<{ id: number | null }> {
  const rows = await db
    .selectFrom('homework_draft')
    .select(['id', 'in_place', 'saved_at'])
    .select((eb) => eb.case().when('form', '=', fields.form).then(1).else(0).end().as('is_same'))
    .where('owner_id', '=', actor.id)
    .where('key', '=', fields.key)
    .orderBy('saved_at', 'desc')
    .orderBy('in_place', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const [latest] = rows;
  if (!latest && fields.is_empty === 1) return { id: null };
  const isSame = latest?.is_same === 1;
  const existing = rows.find(({ in_place, is_same }) =>
    fields.in_place === 1 ? in_place === 1 : in_place === 0 && isSame && is_same === 1,
  );
  const row = {
    ...fields,
    course_title: await courseTitle(db, actor, course_basis_id),
    saved_at: isSame ? latest.saved_at : now,
  };
  if (!existing) return insertForm(db, actor, row, now);
  await db.updateTable('homework_draft').set(row).where('id', '=', existing.id).execute();
  return { id: existing.id };
}

/** Returns the title of a course; '' for id 0 and for a course that the actor does not see. */
async function courseTitle(db: Database, actor: Actor, id: number): Promise<string> {
  if (id === 0) return '';
  const course = await db
    .selectFrom('course')
    .select('title')
    .where('id', '=', id)
    .where('id', 'in', coursesOf(db, actor))
    .executeTakeFirst();
  return course?.title ?? '';
}

async function insertForm(
  db: Database,
  actor: Actor,
  row: Omit<Insertable<Tables['homework_draft']>, 'owner_id'> & { in_place: 0 | 1 },
  now: number,
): Promise<{ id: number }> {
  const { id } = await db
    .insertInto('homework_draft')
    .values({ ...row, owner_id: actor.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const latest = db
    .selectFrom('homework_draft')
    .select('id')
    .where('owner_id', '=', actor.id)
    .where('in_place', '=', row.in_place)
    .orderBy('saved_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxDrafts);
  await db
    .deleteFrom('homework_draft')
    .where('owner_id', '=', actor.id)
    .where('in_place', '=', row.in_place)
    .where((eb) => eb.or([eb('saved_at', '<', now - formRetention), eb('id', 'not in', latest)]))
    .execute();
  return { id };
}

/** Returns a draft of the actor. 404: the actor has no draft with this id. */
export async function storedForm(
  db: Database,
  actor: Actor,
  id: number,
): Promise<{ id: number; form: string } | Refusal> {
  const saved = await db
    .selectFrom('homework_draft')
    .select(['id', 'form'])
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .executeTakeFirst();
  return saved ?? missing(publicationMessages.draftGone);
}

/** Deletes all drafts of one publication. Called after it was published or discarded. */
export async function deleteForms(db: Database, actor: Actor, key: string): Promise<null> {
  await db.deleteFrom('homework_draft').where('owner_id', '=', actor.id).where('key', '=', key).execute();
  return null;
}

/** Lists the actor's unfinished publications, latest first, leaving out empty ones. Does not read the saved forms. */
export async function listDrafts(db: Database, actor: Actor, limit: number) {
  const drafts = await draftsOf(db, { id: actor.id });
  const latest = new Map<string, (typeof drafts)[number]>();
  for (const row of drafts) if (!latest.has(row.key)) latest.set(row.key, row);
  const unfinished = [...latest.values()].filter(({ is_empty }) => is_empty === 0);
  return { total: unfinished.length, list: unfinished.slice(0, limit).map(({ is_empty: _, ...draft }) => draft) };
}

const draftsOf = prepared((db, { id }: Placeholders<{ id: number }>) =>
  db
    .selectFrom('homework_draft')
    .select(['id', 'key', 'name', 'course_title', 'question_count', 'is_empty', 'address', 'saved_at'])
    .where('owner_id', '=', id)
    .orderBy('saved_at', 'desc')
    .orderBy('in_place', 'desc')
    .orderBy('id', 'desc'),
);

/** Deletes at most `most` drafts saved before `before` (unix seconds), whoever owns them. Returns how many. */
export async function purgeForms(db: Database, { before, most }: { before: number; most: number }): Promise<number> {
  const old = db
    .selectFrom('homework_draft')
    .select('id')
    .where('saved_at', '<', before)
    .orderBy('saved_at')
    .limit(most);
  const { numDeletedRows } = await db.deleteFrom('homework_draft').where('id', 'in', old).executeTakeFirst();
  return Number(numDeletedRows);
}
