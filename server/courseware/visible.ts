/**
 * Queries of the courseware that a user sees; every read starts here. Any other courseware is 404.
 *
 * The library has the material of the actor's school and the actor's own uploads, but no uploads of colleagues. A file
 * is also visible through the lessons and classes that have it. If a column with a `file_id` is added to a table, it
 * must be added to `visibleFiles` and `unreferencedFiles`.
 */

import { visibleClasses } from '#server/classes/visible.ts';
import type { Actor, Viewer } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { sessionsOf } from '#server/school/staff-duties.ts';

export function visibleMaterials(db: Database, actor: Actor) {
  return db
    .selectFrom('courseware')
    .where((eb) =>
      eb.or([
        eb('courseware.owner_id', '=', actor.id),
        eb.and([eb('courseware.owner_id', 'is', null), eb('courseware.school_id', '=', actor.schoolId)]),
      ]),
    );
}

/** Selects the material of lessons that the actor teaches or assists. */
export function visibleLessonMaterials(db: Database, actor: Viewer) {
  return db.selectFrom('lesson_ware').where('lesson_ware.session_id', 'in', sessionsOf(db, actor));
}

/** Selects the handouts of lessons that the actor teaches or assists. */
export function visibleHandouts(db: Database, actor: Actor) {
  return db.selectFrom('session_handout').where('session_handout.session_id', 'in', sessionsOf(db, actor));
}

/** Selects the material of visible classes. */
export function visibleClassMaterials(db: Database, actor: Viewer) {
  return db.selectFrom('class_ware').where('class_ware.class_id', 'in', visibleClasses(db, actor).select('class.id'));
}

/** Selects the files that the actor uploaded, and the files of the actor's library, lessons and classes. */
export function visibleFiles(db: Database, actor: Actor) {
  return db
    .selectFrom('ware_file')
    .where((eb) =>
      eb.or([
        eb('ware_file.uploaded_by', '=', actor.id),
        eb('ware_file.id', 'in', visibleMaterials(db, actor).select('courseware.file_id')),
        eb('ware_file.id', 'in', visibleLessonMaterials(db, actor).select('lesson_ware.file_id')),
        eb('ware_file.id', 'in', visibleClassMaterials(db, actor).select('class_ware.file_id')),
        eb('ware_file.id', 'in', visibleHandouts(db, actor).select('session_handout.file_id')),
      ]),
    );
}

/** Selects the files that were uploaded before a time (unix seconds) and that nothing references. */
export function unreferencedFiles(db: Database, before: number) {
  return db
    .selectFrom('ware_file')
    .where('ware_file.uploaded_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('courseware').select('courseware.id').whereRef('file_id', '=', 'ware_file.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('lesson_ware').select('lesson_ware.id').whereRef('file_id', '=', 'ware_file.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('class_ware').select('class_ware.id').whereRef('file_id', '=', 'ware_file.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('session_handout').select('session_id').whereRef('file_id', '=', 'ware_file.id'))),
    );
}
