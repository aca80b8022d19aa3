import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { firstDistinctNames, suggestionSourceRows } from '#server/school/suggested-names.ts';
import { examsOf } from './visible.ts';

/** Suggests names of the latest visible exams for filters, latest first. */
export async function namesOfExams(db: Database, actor: Actor) {
  const rows = await db
    .selectFrom('exam')
    .innerJoin('staff', 'staff.id', 'exam.creator_id')
    .select(['exam.name', 'staff.real_name as creator'])
    .where('exam.id', 'in', examsOf(db, actor))
    .orderBy('exam.created_at', 'desc')
    .orderBy('exam.id', 'desc')
    .limit(suggestionSourceRows)
    .execute();
  return {
    names: firstDistinctNames(rows.map(({ name }) => name)),
    creators: firstDistinctNames(rows.map(({ creator }) => creator)),
  };
}
