import { handle } from '#server/school/context.ts';
import { classifyOptions, gradeOptions, roomOptions, subjectOptions } from './contract.ts';

export const schoolCalls = [
  handle(classifyOptions, ({ db }) =>
    db.selectFrom('classify').select(['id', 'name']).orderBy('sort').orderBy('id').execute(),
  ),
  handle(gradeOptions, ({ db }) =>
    db.selectFrom('grade').select(['id', 'name']).orderBy('sort').orderBy('id').execute(),
  ),
  handle(subjectOptions, ({ db }) =>
    db.selectFrom('subject').select(['id', 'name']).orderBy('sort').orderBy('id').execute(),
  ),
  handle(roomOptions, ({ db, actor }) =>
    db.selectFrom('room').select(['id', 'name']).where('school_id', '=', actor.schoolId).orderBy('id').execute(),
  ),
];
