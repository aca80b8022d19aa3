/** Who sees which question of the bank. Every read of questions starts here; what is not seen is 404. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { SchoolSettings } from '#server/school/settings.ts';

/** The actor's own questions. Parts of a material question are not questions of their own. */
export function ownQuestions(db: Database, actor: Actor) {
  return db.selectFrom('question').where('question.owner_id', '=', actor.id).where('question.parent_id', 'is', null);
}

/** The public bank. Whether it is offered at all is the school's switch: see `visibleQuestions`. */
export function publicQuestions(db: Database) {
  return db.selectFrom('question').where('question.is_public', '=', 1).where('question.parent_id', 'is', null);
}

/** The actor's own questions and, where the school offers it, the public bank. */
export function visibleQuestions(db: Database, actor: Actor, settings: SchoolSettings) {
  if (!settings.switch_question_module) return ownQuestions(db, actor);
  return db
    .selectFrom('question')
    .where('question.parent_id', 'is', null)
    .where((eb) => eb.or([eb('question.owner_id', '=', actor.id), eb('question.is_public', '=', 1)]));
}
