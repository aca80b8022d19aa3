/**
 * Who sees which question of the bank. Every read of questions starts here, and names them by their ids; what is not
 * seen is 404.
 */
import { sql } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import type { SchoolSettings } from '#server/school/settings.ts';

/**
 * What is held against the questions that are named. With a `+` no index of it is used: for more than ten ids SQLite
 * would read all that somebody owns, or all that are no parts, instead of them.
 */
const fact = (column: 'owner_id' | 'is_public' | 'parent_id') => sql<number>`+${sql.ref(`question.${column}`)}`;

/** The actor's own questions. Parts of a material question are not questions of their own. */
export function ownQuestions(db: Database, actor: Pick<Actor, 'id'>) {
  return db.selectFrom('question').where(fact('owner_id'), '=', actor.id).where(fact('parent_id'), 'is', null);
}

/** The public bank. Whether it is offered at all is the school's switch: see `visibleQuestions`. */
export function publicQuestions(db: Database) {
  return db.selectFrom('question').where(fact('is_public'), '=', 1).where(fact('parent_id'), 'is', null);
}

/** The actor's own questions and, where the school offers it, the public bank. */
export function visibleQuestions(db: Database, actor: Actor, settings: SchoolSettings) {
  if (!settings.switch_question_module) return ownQuestions(db, actor);
  return db
    .selectFrom('question')
    .where(fact('parent_id'), 'is', null)
    .where((eb) => eb.or([eb(fact('owner_id'), '=', actor.id), eb(fact('is_public'), '=', 1)]));
}

/** Whose questions an administrator may put into an exam: their own, and those of the staff of their schools. */
export const bankOwners = (db: Database, actor: Actor) =>
  db
    .selectFrom('staff')
    .where((eb) => eb.or([eb('staff.id', '=', actor.id), eb('staff.school_id', 'in', schoolsOf(db, actor))]));

/** The questions that an administrator may put into an exam: the public ones too, where the school offers them. */
export function composableQuestions(db: Database, actor: Actor, settings: SchoolSettings) {
  return db
    .selectFrom('question')
    .where(fact('parent_id'), 'is', null)
    .where((eb) => {
      const owned = eb(fact('owner_id'), 'in', bankOwners(db, actor).select('staff.id'));
      return settings.switch_question_module ? eb.or([owned, eb(fact('is_public'), '=', 1)]) : owned;
    });
}

/** Of an administrator: the questions of whom their schools employ. */
export function administeredQuestions(db: Database, actor: Actor) {
  const questions = db.selectFrom('question').where(fact('parent_id'), 'is', null);
  if (actor.everySchool) return questions;
  return questions.where(
    fact('owner_id'),
    'in',
    db.selectFrom('staff').select('staff.id').where('staff.school_id', 'in', schoolsOf(db, actor)),
  );
}
