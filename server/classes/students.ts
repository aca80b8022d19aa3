import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { ClassStudentFilter, ClassStudentRow } from './contract.ts';
import { inClassStatus } from './rules.ts';
import { refuseClass } from './visible.ts';

/** Lists current students, then former ones; within both, the latest to join comes first. 404: no such class. */
export async function studentPage(
  db: Database,
  actor: Actor,
  filter: ClassStudentFilter,
): Promise<Page<ClassStudentRow> | Refusal> {
  const { class_id } = filter;
  const refusal = await refuseClass(db, actor, class_id);
  if (refusal || class_id === undefined) return refusal as Refusal;
  let matching = db
    .selectFrom('class_student')
    .innerJoin('student', 'student.id', 'class_student.student_id')
    .where('class_student.class_id', '=', class_id);
  if (filter.nickname) matching = matching.where(nameContains('student.nickname', filter.nickname));
  if (filter.mobile) matching = matching.where(containsText('student.mobile', filter.mobile));
  if (filter.status !== undefined) {
    matching = matching.where('class_student.left_at', filter.status === inClassStatus ? 'is' : 'is not', null);
  }
  const { list: rows, ...range } = await pageOf(
    matching,
    filter,
    matching
      .select([
        'class_student.id',
        'class_student.joined_at',
        'class_student.left_at',
        'student.id as uid',
        'student.nickname',
        'student.mobile',
      ])
      .orderBy((eb) => eb.case().when('class_student.left_at', 'is', null).then(0).else(1).end())
      .orderBy('class_student.joined_at', 'desc')
      .orderBy('class_student.id'),
  );
  const list = rows.map(
    (row): ClassStudentRow => ({
      id: row.id,
      uid: row.uid,
      nickname: row.nickname,
      mobile: row.mobile,
      created_at: row.joined_at,
      valid_status: row.left_at === null ? 1 : 2,
      left_at: row.left_at ?? 0,
    }),
  );
  return { list, ...range };
}
