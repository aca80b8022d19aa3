/** Imports lecturers and assistants by the rules of `staff-changes.ts`. */

import { type Permission, permissionsFor, teachingPermissions } from '#server/platform/auth/rules.ts';
import { endSignInsOfStaff } from '#server/platform/auth/sign-in.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import {
  fieldsOrErrors,
  type ImportContext,
  idsOf,
  importerSchools,
  messagesPerRecord,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { endByDisabling, type SimpleSession, simpleImporter } from '#server/school/simple-importer.ts';
import { busyStaffIds } from '#server/school/staff-duties.ts';
import { schoolMessages } from '#server/schools/rules.ts';
import {
  grantFault,
  importedStaffMessages,
  plainUsername,
  similarStaffMessage,
  staffMessages,
  staffTwiceMessage,
} from './rules.ts';
import { CompleteNewStaff } from './staff.contract.ts';
import { openDutiesOf } from './staff-record.ts';
import { adminStaff } from './visible.ts';

export const importedStaff = simpleImporter({
  table: 'staff',
  needs: 'people',
  refers: { school_id: 'school' },
  scalars: ['username', 'real_name', 'mobile', 'identity', 'permissions'],
  // Only administrators have these fields, and an import cannot contain administrators.
  ignored: ['every_school', 'school_ids'],
  defaults: {
    identity: '',
    username: '',
    real_name: '',
    mobile: '',
    school_id: 0,
    permissions: teachingPermissions.join(','),
  },
  fixed: { identity: importedStaffMessages.identity },
  labelOf: ({ real_name }) => String(real_name ?? ''),
  naturalKey: ({ username }) => plainUsername(String(username ?? '')),
  facts: ({ real_name, identity }, isGone) => ({
    real_name: real_name ?? '',
    identity: identity ?? '',
    is_disabled: isGone ? 1 : 0,
  }),
  leaves: true,
  columns: {
    username: 'text',
    real_name: 'text',
    mobile: 'text',
    school_id: 'integer',
    can_dispatch: 'integer',
    can_correct: 'integer',
  },
  newColumns: { identity: 'text', password_hash: 'text', must_change_password: 'integer', created_at: 'integer' },
  row(fields) {
    const granted = split(fields.permissions);
    return {
      username: String(fields.username),
      real_name: String(fields.real_name),
      mobile: String(fields.mobile),
      school_id: Number(fields.school_id),
      can_dispatch: granted.includes('dispatch') ? 1 : 0,
      can_correct: granted.includes('correct') ? 1 : 0,
    };
  },
  said: ({ permissions, ...fields }) => ({ ...fields, permissions: split(permissions) }),
  ending: endByDisabling,
  removal: 'undo',
  open,
});

/** Stores a set of permissions as one comma-separated field, in a fixed order. */
const joinPermissions = (granted: readonly Permission[]) => granted.join(',');
const split = (written: unknown): string[] =>
  String(written ?? '')
    .split(/[,，、;；\s]+/)
    .filter(Boolean);

async function open(context: ImportContext): Promise<SimpleSession> {
  const { db, now, importer, timezone } = context;
  const schools = await importerSchools(context);
  const claimed = new Set<string>();
  /** The first of this import with a mobile number, and with a name. */
  const members = new Map<string, { username: string; real_name: string }>();
  const seen = adminStaff(db, viewerOf(importer));

  return {
    async rows(ids) {
      const rows = await forUpdate(db)(
        seen
          .select(['staff.id', 'staff.identity', 'staff.username', 'staff.real_name', 'staff.mobile'])
          .select(['staff.school_id', 'staff.can_dispatch', 'staff.can_correct', 'staff.disabled_at'])
          .where('staff.id', 'in', inIds(db, ids)),
        ['staff'],
      ).execute();
      return rows.map(({ can_dispatch, can_correct, ...row }) => {
        const permissions = teachingPermissions.filter((one) => (one === 'dispatch' ? can_dispatch : can_correct));
        return { ...row, permissions: joinPermissions(permissions) };
      });
    },
    async findMatch(wanted) {
      const names = wanted.map(({ username }) => plainUsername(String(username ?? '')));
      const rows = await seen
        .select(['staff.id', 'staff.username'])
        .where('staff.username', 'in', inTexts(db, names))
        .execute();
      const ids = new Map(rows.map(({ id, username }) => [username, id]));
      return names.map((name) => {
        const id = ids.get(name);
        return id === undefined ? undefined : { record: String(id), isSure: false };
      });
    },
    async similar(wanted) {
      const textsOf = (name: 'mobile' | 'real_name') =>
        wanted.flatMap(({ fields }) => (fields[name] ? [String(fields[name])] : []));
      const rows = await seen
        .select(['staff.id', 'staff.username', 'staff.real_name', 'staff.mobile', 'staff.school_id'])
        .where('staff.disabled_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('staff.mobile', 'in', inTexts(db, textsOf('mobile'))),
            eb('staff.real_name', 'in', inTexts(db, textsOf('real_name'))),
          ]),
        )
        .orderBy('staff.id')
        .execute();
      return wanted.map(({ record: own, fields, before: stored }) => {
        if (stored !== undefined) return undefined;
        const others = rows.filter(({ id }) => String(id) !== own);
        const other =
          others.find(({ mobile }) => mobile !== '' && mobile === fields.mobile) ??
          others.find((row) => row.real_name === fields.real_name && row.school_id === fields.school_id);
        const member = { username: String(fields.username), real_name: String(fields.real_name) };
        const earlier = (key: string) => {
          const first = members.get(key);
          if (first === undefined) members.set(key, member);
          return first;
        };
        const mobileBefore = fields.mobile ? earlier(`mobile ${fields.mobile}`) : undefined;
        const nameBefore = earlier(`name ${fields.school_id} ${fields.real_name}`);
        if (other) return similarStaffMessage(other, other.mobile !== '' && other.mobile === fields.mobile);
        const before = mobileBefore ?? nameBefore;
        return before && staffTwiceMessage(before, mobileBefore !== undefined);
      });
    },
    async diff(wanted) {
      const taken = await takenNames(
        db,
        wanted.map(({ fields }) => plainUsername(String(fields.username ?? ''))),
      );
      return wanted.map(({ record: own, fields: written, before }): RecordDiff => {
        const { output, errors: wrong } = validateImported(CompleteNewStaff, {
          ...written,
          permissions: split(written.permissions),
          every_school: 0,
          school_ids: [],
        });
        if (!output) return { errors: wrong };
        const { identity, username, real_name, mobile, school_id } = output;
        const permissions = permissionsFor('teacher').filter((one) => output.permissions.includes(one));
        const errors: FieldErrors = {};
        if (identity === 'admin') errors.identity = [importedStaffMessages.administrator];
        if (!schools.isKnown(school_id)) errors.school_id = [staffMessages.noSchool];
        else if (school_id !== before?.school_id && !schools.isOpen(school_id))
          errors.school_id = [schoolMessages.archived];
        const fault = grantFault(output.permissions, { identity, own: importer.permissions, before: [] });
        if (fault && identity !== 'admin') errors.permissions = [fault];
        const holder = taken.get(username);
        if ((holder !== undefined && String(holder) !== own) || claimed.has(username))
          errors.username = [staffMessages.usernameTaken];
        else claimed.add(username);
        return fieldsOrErrors(
          { identity, username, real_name, mobile, school_id, permissions: joinPermissions(permissions) },
          errors,
        );
      });
    },
    // New rows have no password; an administrator generates one later.
    newRows: async (made) =>
      made.map(({ fields }) => ({
        identity: String(fields.identity),
        password_hash: '',
        must_change_password: 1,
        created_at: now,
      })),
    async beforeEnd(ids) {
      await endSignInsOfStaff(db, ids, now);
      return new Map();
    },
    effects: (ended) => messagesPerRecord(ended, (id) => openDutiesOf(db, id, { now, timezone })),
    async inUse(made) {
      const used = await usedStaff(db, idsOf(made));
      return new Map([...used].map((id) => [String(id), importedStaffMessages.used]));
    },
  };
}

async function takenNames(db: Database, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'username'])
    .where('username', 'in', inTexts(db, names))
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

/**
 * Returns the staff that the import must not delete: they have signed in, have a password, or have lessons or classes.
 */
async function usedStaff(db: Database, ids: readonly number[]): Promise<Set<number>> {
  const idList = inIds(db, ids);
  const [known, signed, busy] = await Promise.all([
    db.selectFrom('staff').select('id').where('id', 'in', idList).where('password_hash', '!=', '').execute(),
    db.selectFrom('sign_in').select('staff_id as id').distinct().where('staff_id', 'in', idList).execute(),
    busyStaffIds(db, ids),
  ]);
  return new Set([...[...known, ...signed].map(({ id }) => id), ...busy]);
}
