import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { containing } from '#server/platform/db/search.ts';
import { examsOf } from './visible.ts';

/** Exams by name, for who looks for anything: the latest first. */
export function examsFound(db: Database, actor: Actor, text: string, paging: Paging) {
  const exams = db.selectFrom('exam').where('exam.id', 'in', examsOf(db, actor)).where(containing('exam.name', text));
  return pageOf(
    exams,
    paging,
    exams
      .innerJoin('school', 'school.id', 'exam.school_id')
      .select(['exam.id', 'exam.name', 'exam.created_at', 'school.org_name'])
      .orderBy('exam.id', 'desc'),
  );
}
