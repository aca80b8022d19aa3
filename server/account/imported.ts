/** Lecturers and assistants as an import has them, many at a time, by the rules of `staff-changes.ts`. */
import { type Permission, permissionsFor, teachingPermissions } from '#server/platform/auth/rules.ts';
import { endSignInsOf } from '#server/platform/auth/sign-in.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { among, amongTexts, given } from '#server/platform/db/given.ts';
import { changedFields, recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import {
  type Fields,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  viewerOf,
} from '#server/school/imported.ts';
import { busyAmong } from '#server/school/reach.ts';
import { schoolMessages } from '#server/school/rules.ts';
import { grantFault, importedStaffAlike, importedStaffMessages, plainUsername, staffMessages } from './rules.ts';
import { CompleteNewStaff } from './staff.contract.ts';
import { dutiesLeftBy } from './staff-record.ts';
import { administeredStaff } from './visible.ts';

const record = 'staff';
const numbers = (records: readonly string[]) => records.map(Number);

export const importedStaff: ImportedKind = {
  needs: 'people',
  refers: { school_id: 'school' },
  scalars: ['username', 'real_name', 'mobile', 'identity', 'permissions'],
  // Of administrators, who are not imported.
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
  open,
};

/** Permissions in their order, joined: a value of one field. */
const joined = (granted: readonly Permission[]) => granted.join(',');
const split = (written: unknown): string[] =>
  String(written ?? '')
    .split(/[,，、;；\s]+/)
    .filter(Boolean);

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, now, importer, timezone } = context;
  const schools = await importerSchools(context);
  const claimed = new Set<string>();
  const seen = administeredStaff(db, viewerOf(importer));
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });

  return {
    async stored(records) {
      const rows = await locked(db)(
        seen
          .select(['staff.id', 'staff.identity', 'staff.username', 'staff.real_name', 'staff.mobile'])
          .select(['staff.school_id', 'staff.can_dispatch', 'staff.can_correct', 'staff.disabled_at'])
          .where('staff.id', 'in', among(db, numbers(records))),
        ['staff'],
      ).execute();
      return new Map(
        rows.map(({ id, disabled_at, can_dispatch, can_correct, ...fields }) => {
          const permissions = teachingPermissions.filter((one) => (one === 'dispatch' ? can_dispatch : can_correct));
          return [
            String(id),
            { fields: { ...fields, permissions: joined(permissions) }, isGone: disabled_at !== null },
          ];
        }),
      );
    },
    async meant(wanted) {
      const names = wanted.map(({ username }) => plainUsername(String(username ?? '')));
      const rows = await seen
        .select(['staff.id', 'staff.username'])
        .where('staff.username', 'in', amongTexts(db, names))
        .execute();
      const ids = new Map(rows.map(({ id, username }) => [username, id]));
      return names.map((name) => {
        const id = ids.get(name);
        return id === undefined ? undefined : { record: String(id), isSure: false };
      });
    },
    async alike(wanted) {
      const textsOf = (name: 'mobile' | 'real_name') =>
        wanted.flatMap(({ fields }) => (fields[name] ? [String(fields[name])] : []));
      const rows = await seen
        .select(['staff.id', 'staff.username', 'staff.real_name', 'staff.mobile', 'staff.school_id'])
        .where('staff.disabled_at', 'is', null)
        .where((eb) =>
          eb.or([
            eb('staff.mobile', 'in', amongTexts(db, textsOf('mobile'))),
            eb('staff.real_name', 'in', amongTexts(db, textsOf('real_name'))),
          ]),
        )
        .orderBy('staff.id')
        .execute();
      return wanted.map(({ record: own, fields, before }) => {
        if (before !== undefined) return undefined;
        const others = rows.filter(({ id }) => String(id) !== own);
        const other =
          others.find(({ mobile }) => mobile !== '' && mobile === fields.mobile) ??
          others.find((row) => row.real_name === fields.real_name && row.school_id === fields.school_id);
        return other && importedStaffAlike(other, other.mobile !== '' && other.mobile === fields.mobile);
      });
    },
    async judge(wanted) {
      const taken = await takenNames(
        db,
        wanted.map(({ fields }) => plainUsername(String(fields.username ?? ''))),
      );
      return wanted.map(({ record: own, fields: written, before }): Judged => {
        const { output, errors: wrong } = heldTo(CompleteNewStaff, {
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
          errors.school_id = [schoolMessages.putAway];
        const fault = grantFault(output.permissions, { identity, own: importer.permissions, before: [] });
        if (fault && identity !== 'admin') errors.permissions = [fault];
        const holder = taken.get(username);
        if ((holder !== undefined && String(holder) !== own) || claimed.has(username))
          errors.username = [staffMessages.usernameTaken];
        else claimed.add(username);
        return orErrors({ identity, username, real_name, mobile, school_id, permissions: joined(permissions) }, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'staff', record, count: fields.length })).map(String),
    async add(made) {
      const rows = made.map(({ record: id, fields }) => ({
        ...columnsOf(fields),
        id: Number(id),
        identity: String(fields.identity),
        // Nobody signs in with it: they are given a password when they need one.
        password_hash: '',
        must_change_password: 1,
        created_at: now,
      }));
      const names = [
        'id',
        'identity',
        'username',
        'real_name',
        'mobile',
        'school_id',
        'can_dispatch',
        'can_correct',
        'password_hash',
        'must_change_password',
        'created_at',
      ] as const;
      const types = {
        id: 'integer',
        identity: 'text',
        ...columnTypes,
        password_hash: 'text',
        must_change_password: 'integer',
        created_at: 'integer',
      } as const;
      await db
        .insertInto('staff')
        .columns(names)
        .expression((eb) => eb.selectFrom(given(db, types, rows)).select(names))
        .execute();
      await note(
        'add',
        made.map(({ record: id, fields }) => ({ recordId: Number(id), before: null, after: saidOf(fields) })),
      );
      return new Map();
    },
    async change(changed) {
      const rows = changed.map(({ record: id, after }) => ({ ...columnsOf(after), id: Number(id) }));
      await db
        .updateTable('staff')
        .from(given(db, { id: 'integer', ...columnTypes }, rows))
        .set((eb) => ({
          username: eb.ref('given.username'),
          real_name: eb.ref('given.real_name'),
          mobile: eb.ref('given.mobile'),
          school_id: eb.ref('given.school_id'),
          can_dispatch: eb.ref('given.can_dispatch').$castTo<0 | 1>(),
          can_correct: eb.ref('given.can_correct').$castTo<0 | 1>(),
        }))
        .whereRef('staff.id', '=', 'given.id')
        .execute();
      await note(
        'edit',
        changed.map(({ record: id, before, after }) => {
          const change = changedFields(saidOf(before), saidOf(after));
          return { recordId: Number(id), before: change.before, after: change.after };
        }),
      );
    },
    async end(ended) {
      const ids = numbers(ended.map(({ record: id }) => id));
      await setDisabled(db, ids, now);
      await endSignInsOf(db, ids, now);
      await note(
        'disable',
        ids.map((recordId) => ({ recordId, before: { is_disabled: 0 }, after: { is_disabled: 1 } })),
      );
      return new Map();
    },
    async comeBack(returning) {
      const ids = numbers(returning.map(({ record: id }) => id));
      const before = await db
        .selectFrom('staff')
        .select(['id', 'disabled_at'])
        .where('id', 'in', among(db, ids))
        .execute();
      await setDisabled(db, ids, null);
      await note(
        'enable',
        ids.map((recordId) => ({ recordId, before: { is_disabled: 1 }, after: { is_disabled: 0 } })),
      );
      return new Map(before.map(({ id, disabled_at }) => [String(id), { disabled_at }]));
    },
    async effects(ended) {
      const said = new Map<string, string>();
      for (const { record: id } of ended) {
        const duties = await dutiesLeftBy(db, Number(id), { now, timezone });
        if (duties) said.set(id, duties);
      }
      return said;
    },
    async remove(made) {
      const ids = numbers(made.map(({ record: id }) => id));
      const used = await usedStaff(db, ids);
      const gone = made.filter(({ record: id }) => !used.has(Number(id)));
      await db
        .deleteFrom('staff')
        .where('id', 'in', among(db, numbers(gone.map(({ record: id }) => id))))
        .execute();
      await note(
        'undo',
        gone.map(({ record: id, fields }) => ({ recordId: Number(id), before: saidOf(fields), after: null })),
      );
      return new Map([...used].map((id) => [String(id), importedStaffMessages.used]));
    },
    async unend(ended) {
      const ids = numbers(ended.map(({ record: id }) => id));
      await setDisabled(db, ids, null);
      await note(
        'enable',
        ids.map((recordId) => ({ recordId, before: { is_disabled: 1 }, after: { is_disabled: 0 } })),
      );
    },
    async unreturn(returned) {
      const rows = returned.map(({ record: id, trace }) => ({
        id: Number(id),
        disabled_at: (trace as { disabled_at: number | null }).disabled_at,
      }));
      await db
        .updateTable('staff')
        .from(given(db, { id: 'integer', disabled_at: 'integer' }, rows))
        .set((eb) => ({ disabled_at: eb.ref('given.disabled_at') }))
        .whereRef('staff.id', '=', 'given.id')
        .execute();
      await note(
        'disable',
        rows.map(({ id }) => ({ recordId: id, before: { is_disabled: 0 }, after: { is_disabled: 1 } })),
      );
    },
  };
}

const columnTypes = {
  username: 'text',
  real_name: 'text',
  mobile: 'text',
  school_id: 'integer',
  can_dispatch: 'integer',
  can_correct: 'integer',
} as const;

function columnsOf(fields: Fields) {
  const granted = split(fields.permissions);
  return {
    username: String(fields.username),
    real_name: String(fields.real_name),
    mobile: String(fields.mobile),
    school_id: Number(fields.school_id),
    can_dispatch: granted.includes('dispatch') ? 1 : 0,
    can_correct: granted.includes('correct') ? 1 : 0,
  };
}

/** As the history has them, whoever changed them. */
const saidOf = ({ permissions, ...fields }: Fields) => ({ ...fields, permissions: split(permissions) });

async function takenNames(db: Database, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('staff')
    .select(['id', 'username'])
    .where('username', 'in', amongTexts(db, names))
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

const setDisabled = (db: Database, ids: readonly number[], disabledAt: number | null) =>
  db.updateTable('staff').set({ disabled_at: disabledAt }).where('id', 'in', among(db, ids)).execute();

/** Whoever has signed in, been given a password, or teaches or looks after something. */
async function usedStaff(db: Database, ids: readonly number[]): Promise<Set<number>> {
  const them = among(db, ids);
  const [known, signed, busy] = await Promise.all([
    db.selectFrom('staff').select('id').where('id', 'in', them).where('password_hash', '!=', '').execute(),
    db.selectFrom('sign_in').select('staff_id as id').distinct().where('staff_id', 'in', them).execute(),
    busyAmong(db, ids),
  ]);
  return new Set([...[...known, ...signed].map(({ id }) => id), ...busy]);
}
