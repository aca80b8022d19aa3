/** Queries of the questions that a user may see. Every read starts here and selects by id, so that others are 404. */
import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { SchoolSettings } from '#server/school/settings.ts';

/**
 * The unary + keeps SQLite from using an index of this column: for more than ten ids it would scan all questions of the
 * owner, or all questions that are not parts.
 */
const unindexedColumn = (column: 'owner_id' | 'is_public' | 'parent_id') =>
  sql<number>`+${sql.ref(`question.${column}`)}`;

/** Selects the user's own questions, without parts of material questions. */
export function ownQuestions(db: Database, actor: Pick<Actor, 'id'>) {
  return db
    .selectFrom('question')
    .where(unindexedColumn('owner_id'), '=', actor.id)
    .where(unindexedColumn('parent_id'), 'is', null);
}

/**
 * Returns the ids of the questions and of all that were merged into them; each leads to the question that it became a
 * part of.
 */
export async function withMergedIds(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const merged = new Map(ids.map((id) => [id, id]));
  for (let kept = [...ids]; kept.length > 0; ) {
    const rows = await db
      .selectFrom('question_merge')
      .select(['gone_id', 'kept_id'])
      .where('kept_id', 'in', kept)
      .execute();
    for (const { gone_id, kept_id } of rows) merged.set(gone_id, merged.get(kept_id) as number);
    kept = rows.map(({ gone_id }) => gone_id);
  }
  return merged;
}

/** Returns for each question the id of the one that it was merged into at last, or its own. */
export async function survivingIds(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const kept = new Map(ids.map((id) => [id, id]));
  for (let gone = [...ids]; gone.length > 0; ) {
    const rows = await db
      .selectFrom('question_merge')
      .select(['gone_id', 'kept_id'])
      .where('gone_id', 'in', gone)
      .execute();
    const next = new Map(rows.map(({ gone_id, kept_id }) => [gone_id, kept_id]));
    for (const [id, before] of kept) kept.set(id, next.get(before) ?? before);
    gone = rows.map(({ kept_id }) => kept_id);
  }
  return kept;
}

/** Selects the public bank, even if the school does not offer it (`visibleQuestions` checks that). */
export function publicQuestions(db: Database) {
  return db
    .selectFrom('question')
    .where(unindexedColumn('is_public'), '=', 1)
    .where(unindexedColumn('parent_id'), 'is', null);
}

/** Selects the user's own questions and, if the school offers it, the public bank. */
export function visibleQuestions(db: Database, actor: Actor, settings: SchoolSettings) {
  if (!settings.switch_question_module) return ownQuestions(db, actor);
  return db
    .selectFrom('question')
    .where(unindexedColumn('parent_id'), 'is', null)
    .where((eb) => eb.or([eb(unindexedColumn('owner_id'), '=', actor.id), eb(unindexedColumn('is_public'), '=', 1)]));
}

/** Selects the owners whose questions an administrator may use in an exam: themselves, and staff of their schools. */
export const bankOwners = (db: Database, actor: Actor) =>
  db
    .selectFrom('staff')
    .where((eb) => eb.or([eb('staff.id', '=', actor.id), eb('staff.school_id', 'in', schoolsOf(db, actor))]));

/** Selects the questions that an administrator may use in an exam, including public ones if the school offers them. */
export function composableQuestions(db: Database, actor: Actor, settings: SchoolSettings) {
  return db
    .selectFrom('question')
    .where(unindexedColumn('parent_id'), 'is', null)
    .where((eb) => {
      const owned = eb(unindexedColumn('owner_id'), 'in', bankOwners(db, actor).select('staff.id'));
      return settings.switch_question_module ? eb.or([owned, eb(unindexedColumn('is_public'), '=', 1)]) : owned;
    });
}

/** Selects the questions of staff of the administrator's schools. */
export function adminQuestions(db: Database, actor: Actor) {
  const questions = db.selectFrom('question').where(unindexedColumn('parent_id'), 'is', null);
  if (actor.everySchool) return questions;
  return questions.where(
    unindexedColumn('owner_id'),
    'in',
    db.selectFrom('staff').select('staff.id').where('staff.school_id', 'in', schoolsOf(db, actor)),
  );
}
