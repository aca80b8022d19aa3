import type { Database } from '#server/platform/db/engine.ts';
import { handle } from '#server/school/context.ts';
import { classifyOptions, gradeOptions, roomOptions, subjectOptions } from './contract.ts';

export const schoolCalls = [
  handle(classifyOptions, ({ db }) => optionsOf(db, 'classify')),
  handle(gradeOptions, ({ db }) => optionsOf(db, 'grade')),
  handle(subjectOptions, ({ db }) => optionsOf(db, 'subject')),
  handle(roomOptions, ({ db, actor }) =>
    db.selectFrom('room').select(['id', 'name']).where('school_id', '=', actor.schoolId).orderBy('id').execute(),
  ),
];

function optionsOf(db: Database, table: 'classify' | 'grade' | 'subject') {
  return db.selectFrom(table).select(['id', 'name']).orderBy('sort').orderBy('id').execute();
}
