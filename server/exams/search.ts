import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { Paging } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import { examsOf } from './visible.ts';

/** Searches exams by name for the site search, latest first. */
export const searchExams = (db: Database, actor: Actor, text: string, paging: Paging) =>
  pageByName(
    db.selectFrom('exam').where('exam.id', 'in', examsOf(db, actor)),
    { name: 'exam.name', pinyin: 'exam.pinyin' },
    text,
    paging,
    (exams) =>
      exams
        .innerJoin('school', 'school.id', 'exam.school_id')
        .select(['exam.id', 'exam.name', 'exam.pinyin', 'exam.created_at', 'school.org_name'])
        .orderBy('exam.id', 'desc'),
    ({ name }) => name,
  );
