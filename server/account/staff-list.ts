import type { Actor } from '#server/platform/auth/sign-in.ts';
import { permissionColumns, permissionsOf } from '#server/platform/auth/sign-in.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { StaffFilter, StaffRow } from './staff.contract.ts';
import { adminStaff } from './visible.ts';

export async function staffPage(db: Database, actor: Actor, filter: StaffFilter): Promise<Page<StaffRow>> {
  const { name, identity, state, school_id } = filter;
  let matching = adminStaff(db, actor);
  if (name !== undefined) {
    matching = matching.where((eb) =>
      eb.or([
        nameContains('staff.real_name', name),
        containsText('staff.username', name),
        containsText('staff.mobile', name),
      ]),
    );
  }
  if (identity) matching = matching.where('staff.identity', '=', identity);
  if (school_id !== undefined) matching = matching.where('staff.school_id', '=', school_id);
  if (state) matching = matching.where('staff.disabled_at', state === 'disabled' ? 'is not' : 'is', null);
  if (state === 'new' || state === 'active')
    matching = matching.where('staff.must_change_password', '=', state === 'new' ? 1 : 0);
  const { list, ...range } = await pageOf(matching, filter, staffRows(matching).orderBy('staff.id', 'desc'));
  return { list: await staffOf(db, list), ...range };
}

export const staffRows = (staff: ReturnType<typeof adminStaff>) =>
  staff
    .innerJoin('school', 'school.id', 'staff.school_id')
    .select([
      'staff.id',
      'staff.identity',
      'staff.username',
      'staff.real_name',
      'staff.mobile',
      'staff.school_id',
      'school.org_name as school_name',
      'staff.every_school',
      'staff.must_change_password',
      'staff.disabled_at',
      ...permissionColumns,
    ])
    .select((eb) => [
      eb.case().when('staff.password_hash', '=', '').then(0).else(1).end().$castTo<Flag>().as('was_given'),
      eb
        .selectFrom('sign_in')
        .select((sign) => sign.fn.max<number | null>('sign_in.used_at').as('used_at'))
        .whereRef('sign_in.staff_id', '=', 'staff.id')
        .as('used_at'),
    ]);

type StoredStaff = Awaited<ReturnType<ReturnType<typeof staffRows>['execute']>>[number];

/** Adds the schools of administrators to staff rows. */
export async function staffOf(db: Database, rows: readonly StoredStaff[]): Promise<StaffRow[]> {
  const bound = rows.filter(({ identity, every_school }) => identity === 'admin' && every_school === 0);
  const schools =
    bound.length === 0
      ? []
      : await db
          .selectFrom('staff_school')
          .innerJoin('school', 'school.id', 'staff_school.school_id')
          .select(['staff_school.staff_id', 'school.id', 'school.org_name as name'])
          .where(
            'staff_school.staff_id',
            'in',
            bound.map(({ id }) => id),
          )
          .orderBy('school.id')
          .execute();
  return rows.map((row) => ({
    id: row.id,
    identity: row.identity,
    username: row.username,
    real_name: row.real_name,
    mobile: row.mobile,
    permissions: permissionsOf(row),
    school_id: row.school_id,
    school_name: row.school_name,
    every_school: row.every_school,
    schools: schools.filter(({ staff_id }) => staff_id === row.id).map(({ id, name }) => ({ id, name })),
    is_disabled: row.disabled_at === null ? 0 : 1,
    is_new: row.must_change_password,
    was_given: row.was_given,
    used_at: row.used_at ?? null,
  }));
}
