/** Checks that the files of a OneRoster package agree with each other. */

import type { Remarks } from './diagnostics.ts';
import { columnsOf, type FileName } from './oneroster-format.ts';
import { type RosterPackage, recordsOf } from './oneroster-package.ts';
import { copyText } from './rows.ts';
import { forEachYielding } from './yielding.ts';

/**
 * Checks references between records. In a bulk package the other record must be present; in a delta it may be in an
 * earlier package.
 */
export async function checkReferences(
  { tables, hasOlderUsers, isRefused }: RosterPackage,
  remarks: Remarks,
): Promise<void> {
  for (const table of tables.values()) {
    if (table.mode !== 'bulk' || table.isRefused) continue;
    const referring = columnsOf(table.file).filter(({ to }) => to !== undefined);
    const absent = new Set<FileName>();
    await forEachYielding(recordsOf(table, remarks), (record) => {
      for (const { name, to, isList } of referring) {
        const text = to === undefined ? '' : record.get(name);
        if (to === undefined || text === '') continue;
        const target = tables.get(to);
        if (target?.isRefused || target?.mode === 'delta') continue;
        if (!target) {
          if (!absent.has(to) && !isRefused)
            remarks.forgive({ file: table.shown, row: record.row }, name, `压缩包里没有 ${to}.csv，这一列没有读取`);
          absent.add(to);
          continue;
        }
        for (const id of isList ? text.split(',') : [text]) {
          if (!target.ids.has(id)) {
            remarks.reject({ file: table.shown, row: record.row }, name, `“${id}”在 ${target.shown} 中没有`);
          }
        }
      }
      if (table.file === 'demographics' && tables.get('users')?.ids.has(record.id) === false) {
        remarks.reject({ file: table.shown, row: record.row }, 'sourcedId', `“${record.id}”在 users.csv 中没有`);
      }
    });
  }
  if (hasOlderUsers) {
    const { shown = 'users.csv' } = tables.get('users') ?? {};
    remarks.forgive({ file: shown, row: 1 }, 'role', '这是 OneRoster 1.1 的写法（角色在 users.csv 中），已照常读取');
  }
}

/** Checks that classes and enrolments belong to organisations of type school. */
export async function checkSchools({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const orgs = tables.get('orgs');
  if (!orgs || orgs.isRefused) return;
  const types = new Map<string, string>();
  await forEachYielding(recordsOf(orgs, remarks), (record) => types.set(copyText(record.id), record.get('type')));
  for (const file of ['classes', 'enrollments'] as const) {
    const table = tables.get(file);
    if (!table || table.isRefused) continue;
    await forEachYielding(recordsOf(table, remarks), (record) => {
      const id = record.get('schoolSourcedId');
      const type = types.get(id);
      if (type === undefined || type === 'school') return;
      const message = `“${id}”在 ${orgs.shown} 中的类型是 ${type}，应为 school，已照常读取`;
      remarks.forgive({ file: table.shown, row: record.row }, 'schoolSourcedId', message);
    });
  }
}

/** Checks that users have a role in their primary organisation. */
export async function checkPrimaryOrgs({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const [users, roles] = [tables.get('users'), tables.get('roles')];
  if (!users || users.isRefused || roles?.mode !== 'bulk' || roles.isRefused) return;
  // The role that seems to be missing may be in one of the refused rows.
  if (remarks.refused.some(({ file }) => file === roles.shown)) return;
  const held = new Set<string>();
  const keyOf = (user: string, org: string) => copyText(`${user} ${org}`);
  await forEachYielding(recordsOf(roles, remarks), (record) => {
    if (!record.isGone) held.add(keyOf(record.get('userSourcedId'), record.get('orgSourcedId')));
  });
  await forEachYielding(recordsOf(users, remarks), (record) => {
    const org = record.get('primaryOrgSourcedId');
    if (org === '' || record.isGone || held.has(keyOf(record.id, org))) return;
    const message = `“${record.id}”在主要组织“${org}”中没有角色，已照常读取`;
    remarks.forgive({ file: users.shown, row: record.row }, 'primaryOrgSourcedId', message);
  });
}

/** Checks that each person has one primary role per school. */
export async function checkPrimaryRoles({ tables }: RosterPackage, remarks: Remarks): Promise<void> {
  const roles = tables.get('roles');
  if (!roles || roles.isRefused) return;
  const primary = new Map<string, number>();
  await forEachYielding(recordsOf(roles, remarks), (record) => {
    if (record.get('roleType') !== 'primary' || record.isGone) return;
    const key = copyText(`${record.get('userSourcedId')} ${record.get('orgSourcedId')}`);
    const earlier = primary.get(key);
    if (earlier === undefined) primary.set(key, record.row);
    else {
      const message = `“${record.get('userSourcedId')}”在同一学校有两个主要角色（第${earlier}行），只能有一个 primary`;
      remarks.reject({ file: roles.shown, row: record.row }, 'roleType', message);
    }
  });
}
