import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Paging } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import { visibleHomeworkIds } from './visible.ts';

/** Finds homework by name for the global search, latest first. */
export const searchHomework = (db: Database, actor: Actor, text: string, paging: Paging) =>
  pageByName(
    db.selectFrom('homework').where('homework.id', 'in', visibleHomeworkIds(db, actor)),
    { name: 'homework.name', pinyin: 'homework.pinyin' },
    text,
    paging,
    (homework) =>
      homework
        .innerJoin('course', 'course.id', 'homework.course_id')
        .select(['homework.id', 'homework.name', 'homework.pinyin', 'homework.ending_time', 'homework.status'])
        .select('course.title as course_title')
        .orderBy('homework.id', 'desc'),
    ({ name }) => name,
  );
