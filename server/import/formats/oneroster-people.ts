/** Converts the users and roles of a OneRoster package to staff and students. */

import { getOrAdd } from '#server/platform/db/grouping.ts';
import type { RecordKind, Reference, SourceRecord, Value } from '../source-record.ts';
import type { Remarks } from './diagnostics.ts';
import { ownColumns } from './oneroster-format.ts';
import { type RosterPackage, type RosterRecord, type RosterTable, recordsOf } from './oneroster-package.ts';
import type { IsKnownRecord } from './options.ts';
import { copyText } from './rows.ts';

export interface Context {
  roster: RosterPackage;
  remarks: Remarks;
  timeZone: string;
  known: IsKnownRecord;
}

export const rowPlace = (table: RosterTable, { row }: RosterRecord) => ({ file: table.shown, row });

export const stateOf = ({ isGone }: RosterRecord): SourceRecord['state'] => (isGone ? 'gone' : 'active');

export const toReference = (kind: RecordKind, sourceId: string): Reference => ({ kind, sourceId });

export type SchoolOf = (org: string) => string;

const identityOf: Readonly<Record<string, 'teacher' | 'assist' | 'student'>> = {
  teacher: 'teacher',
  aide: 'assist',
  student: 'student',
};

/** Chinese names of OneRoster roles that this product does not have. */
const otherRoles: Readonly<Record<string, string>> = {
  administrator: '管理员',
  counselor: '辅导员',
  districtAdministrator: '学区管理员',
  guardian: '监护人',
  parent: '家长',
  principal: '校长',
  proctor: '监考',
  relative: '亲属',
  siteAdministrator: '学校管理员',
  systemAdministrator: '系统管理员',
};

interface Role {
  role: string;
  org: string;
  isPrimary: boolean;
}

export type KindOfPerson = (id: string) => 'teacher' | 'assist' | 'student' | 'staff' | undefined;

interface People {
  kindOf: KindOfPerson;
  intended: (remarks: Remarks, schoolOf: SchoolOf) => Generator<SourceRecord>;
}

export function peopleOf({ roster, remarks: all, known }: Context): People {
  const roles = rolesOf(roster, all);
  const table = roster.tables.get('users');
  const primaryOrgs = new Map<string, string>();
  for (const record of recordsOf(table, all)) {
    const org = record.get('primaryOrgSourcedId');
    // The primary organisation only matters for people with several roles.
    if (org !== '' && (roles.get(record.id)?.length ?? 0) > 1) primaryOrgs.set(copyText(record.id), copyText(org));
  }
  /**
   * Returns a person's primary role, preferably the one in their own school; among equals the first that this product
   * has.
   */
  const roleOf = (id: string): Role | undefined => {
    const all = roles.get(id) ?? [];
    if (all.length < 2) return all[0];
    const org = primaryOrgs.get(id);
    const rank = (role: Role): number =>
      (identityOf[role.role] ? 4 : 0) + (role.isPrimary ? 2 : 0) + (role.org === org ? 1 : 0);
    return all.reduce((best, role) => (rank(role) > rank(best) ? role : best));
  };
  const kindOf: KindOfPerson = (id) => {
    const role = roleOf(id);
    if (role) return identityOf[role.role];
    if (known('student', id)) return 'student';
    return known('staff', id) ? 'staff' : undefined;
  };
  function* intended(remarks: Remarks, schoolOf: SchoolOf): Generator<SourceRecord> {
    if (!table) return;
    for (const kind of ['staff', 'student'] as const) {
      for (const record of recordsOf(table, remarks)) {
        const role = roleOf(record.id);
        const is = kindOf(record.id);
        if (is === undefined) {
          if (kind === 'staff')
            remarkOnMissingRole(role, rowPlace(table, record), { record, remarks, isGone: record.isGone });
          continue;
        }
        if ((is === 'student') !== (kind === 'student')) continue;
        const org = role?.org || record.get('primaryOrgSourcedId');
        const school: Record<string, Value> = org === '' ? {} : { school_id: toReference('school', schoolOf(org)) };
        const state = record.isGone || record.get('enabledUser') === 'false' ? 'gone' : 'active';
        const fields = kind === 'student' ? studentFields(record) : staffFields(record, is);
        yield { kind, sourceId: record.id, fields: { ...fields, ...school }, state, place: rowPlace(table, record) };
      }
    }
  }
  return { kindOf, intended };
}

function remarkOnMissingRole(
  role: Role | undefined,
  at: { file: string; row: number },
  { record, remarks, isGone }: { record: RosterRecord; remarks: Remarks; isGone: boolean },
): void {
  if (isGone) return;
  if (role) {
    remarks.doubt(at, 'role', `角色“${otherRoles[role.role] ?? role.role}”在这里没有对应的身份，没有导入`);
  } else remarks.doubt(at, 'sourcedId', `“${record.id}”没有角色，不知道是讲师、助教还是学员，没有导入`);
}

function rolesOf({ tables, hasOlderUsers }: RosterPackage, remarks: Remarks): Map<string, Role[]> {
  const roles = new Map<string, Role[]>();
  const add = (id: string, role: Role) => getOrAdd(roles, roles.has(id) ? id : copyText(id), () => []).push(role);
  // Keeps one copy of each repeated word, to save memory.
  const once = new Map<string, string>();
  const shared = (text: string): string => {
    const own = once.get(text) ?? copyText(text);
    once.set(own, own);
    return own;
  };
  if (hasOlderUsers) {
    for (const record of recordsOf(tables.get('users'), remarks)) {
      const role = readOlderRole(record.get('role'));
      const org = record.get('orgSourcedIds').split(',')[0] ?? '';
      if (role !== '') add(record.id, { role: shared(role), org: shared(org.trim()), isPrimary: true });
    }
    return roles;
  }
  for (const record of recordsOf(tables.get('roles'), remarks)) {
    if (record.isGone) continue;
    add(record.get('userSourcedId'), {
      role: shared(record.get('role')),
      org: shared(record.get('orgSourcedId')),
      isPrimary: record.get('roleType') === 'primary',
    });
  }
  return roles;
}

const readOlderRole = (text: string): string => {
  const word = text.toLowerCase();
  return [...Object.keys(identityOf), ...Object.keys(otherRoles)].find((role) => role.toLowerCase() === word) ?? word;
};

/** A Chinese name is written family name first, without a space. */
function nameOf(record: RosterRecord): string {
  const whole = record.get(ownColumns.users[0]);
  if (whole !== '') return whole;
  const [given, middle, family] = [record.get('givenName'), record.get('middleName'), record.get('familyName')];
  if (/\p{Script=Han}/u.test(family + given)) return `${family}${given}`;
  return [given, middle, family].filter((part) => part !== '').join(' ');
}

function mobileOf(record: RosterRecord): Record<string, Value> {
  for (const name of ['sms', 'phone']) {
    const digits = record
      .get(name)
      .replace(/^(?:\+|00)?86(?=[\s-]*1)/, '')
      .replace(/[\s()-]/g, '');
    if (/^1\d{10}$/.test(digits)) return { mobile: digits };
  }
  return {};
}

const studentFields = (record: RosterRecord): Record<string, Value> => ({
  nickname: nameOf(record),
  ...(record.get('identifier') === '' ? {} : { number: record.get('identifier') }),
  ...mobileOf(record),
  ...(record.get(ownColumns.users[1]) === '' ? {} : { guardian_mobile: record.get(ownColumns.users[1]) }),
});

const staffFields = (record: RosterRecord, identity: string): Record<string, Value> => ({
  ...(identity === 'staff' ? {} : { identity }),
  username: record.get('username'),
  real_name: nameOf(record),
  ...mobileOf(record),
});
