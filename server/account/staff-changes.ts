/** Changes that administrators make to staff, each recorded in the history. */

import { emergencyAccountMessage } from '#server/identity/rules.ts';
import { type Identity, type Permission, permissions } from '#server/platform/auth/rules.ts';
import { endSignIns, type permissionColumns } from '#server/platform/auth/sign-in.ts';
import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import {
  conflict,
  forbidden,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import { type Database, isUniqueViolation } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, newRecordIds, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { openSchoolsOf, schoolsOf } from '#server/school/admin-schools.ts';
import { permissionNames } from '#server/school/call.ts';
import type { RuleContext } from '#server/school/context.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { schoolMessages } from '#server/schools/rules.ts';
import { unrecoverablePermissions } from './last-administrator.ts';
import {
  faultIfDisabled,
  faultIfEnabled,
  grantFault,
  lastAdministratorFault,
  missingStaff,
  outrankedFault,
  staffMessages,
} from './rules.ts';
import { CompleteNewStaff, CompleteStaff, type EditedStaff, type NewStaff, type StaffRow } from './staff.contract.ts';
import { staffOf, staffRows } from './staff-list.ts';
import { type EditableStaffFields, editableFields, openDutiesOf } from './staff-record.ts';
import { adminStaff } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Adds a member of staff. 422: errors by field. 409: a warning must be acknowledged first. */
export async function addMember(context: RequestContext, written: NewStaff): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const { output, errors } = validateComplete(CompleteNewStaff, written);
  if (!output) return invalid(errors);
  const { identity, ...typed } = output;
  const fields = fieldsOfIdentity(identity, typed);
  const refusal =
    (await fieldRefusal(context, { identity, fields })) ??
    requireConfirmation(await sharedMobile(context, fields.mobile), written.acknowledged);
  if (refusal) return refusal;
  const values = columnsOf(fields);
  const [id] = await newRecordIds(db, { table: 'staff', record: 'staff', count: 1 });
  const added = await refuseTakenName(() =>
    db
      .insertInto('staff')
      // The row has no password; an administrator generates one later.
      .values({
        id,
        ...values,
        identity,
        password_hash: '',
        must_change_password: 1,
        disabled_at: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  if (isRefusal(added)) return added;
  await keepSchools(db, added.id, fields.school_ids);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: added.id,
    action: 'add',
    before: null,
    after: { identity, ...fields },
  });
  return added;
}

/**
 * Edits a member of staff. 404: no such person. 403: they have more permissions than the user. 422: errors by field.
 * 409: edited meanwhile, or a warning must be acknowledged first.
 */
export async function editMember(context: RequestContext, id: number, written: EditedStaff): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const member = await lockedMember(context, id);
  if (isRefusal(member)) return member;
  const { output, errors } = validateComplete(CompleteStaff, written);
  if (!output) return invalid(errors);
  const before = editableFields(member);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, fieldsOfIdentity(member.identity, output));
  const refusal =
    (await fieldRefusal(context, { identity: member.identity, fields: merged, before })) ??
    (conflicts.length > 0 ? await conflictOf(db, id, both) : undefined) ??
    (member.is_disabled === 0 ? await refuseLast(db, id, before, merged) : undefined) ??
    (canRestorePasswords(before) && !canRestorePasswords(merged) && (await isEmergencyAccount(db, id, now))
      ? conflict(emergencyAccountMessage)
      : undefined);
  if (refusal) return refusal;
  const effect = merged.mobile === before.mobile ? undefined : await sharedMobile(context, merged.mobile, id);
  const unsaid = requireConfirmation(effect, written.acknowledged);
  if (unsaid) return unsaid;
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const result = await refuseTakenName(() =>
    db.updateTable('staff').set(columnsOf(merged)).where('id', '=', id).executeTakeFirst(),
  );
  if (isRefusal(result)) return result;
  await keepSchools(db, id, merged.school_ids);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: id,
    action: 'edit',
    before: change.before,
    after: change.after,
  });
  return null;
}

/** True for the one emergency account, whose password works while the others' are turned off. */
async function isEmergencyAccount(db: Database, id: number, now: number): Promise<boolean> {
  const { password_sign_in, emergency_staff } = await schoolPolicy(db, now);
  return password_sign_in === 'one' && emergency_staff === String(id);
}

/** True if the person has the rights to turn passwords on again for everybody. */
const canRestorePasswords = ({
  every_school,
  permissions,
}: Pick<EditableStaffFields, 'every_school' | 'permissions'>): boolean =>
  every_school === 1 && permissions.includes('people') && permissions.includes('settings');

/**
 * Disables a member of staff. 404: no such person. 403: they have more permissions than the user. 409: already
 * disabled, the last who can manage people, or open duties not acknowledged.
 */
export async function disableMember(
  context: RuleContext<'actor' | 'now' | 'settings'>,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, actor, now, settings } = context;
  const member = await lockedMember(context, id);
  if (isRefusal(member)) return member;
  const refusal =
    refuseFor('conflict', faultIfDisabled(member)) ??
    refuseFor('conflict', (await isEmergencyAccount(db, id, now)) ? emergencyAccountMessage : undefined) ??
    (await refuseLast(db, id, editableFields(member))) ??
    requireConfirmation(await openDutiesOf(db, id, { now, timezone: settings.timezone }), acknowledged);
  if (refusal) return refusal;
  await db.updateTable('staff').set({ disabled_at: now }).where('id', '=', id).execute();
  await endSignIns(db, id, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: id,
    action: 'disable',
    before: { is_disabled: 0 },
    after: { is_disabled: 1, duties: acknowledged },
  });
  return null;
}

/**
 * Enables a disabled member of staff. 404: no such person. 403: they have more permissions than the user. 409: not
 * disabled.
 */
export async function enableMember(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const member = await lockedMember(context, id);
  if (isRefusal(member)) return member;
  const refusal = refuseFor('conflict', faultIfEnabled(member));
  if (refusal) return refusal;
  await db.updateTable('staff').set({ disabled_at: null }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: id,
    action: 'enable',
    before: { is_disabled: 1 },
    after: { is_disabled: 0 },
  });
  return null;
}

/** Signs a member of staff out everywhere. 404: no such person. 403: they have more permissions than the user. */
export async function endMembersSignIns(context: RequestContext, id: number): Promise<{ count: number } | Refusal> {
  const { db, actor, now } = context;
  const member = await lockedMember(context, id);
  if (isRefusal(member)) return member;
  const count = await endSignIns(db, id, now);
  await recordHistory(db, {
    actor,
    now,
    record: 'staff',
    recordId: id,
    action: 'sign-out',
    before: { sign_ins: count },
    after: { sign_ins: 0 },
  });
  return { count };
}

/**
 * Loads a person whom the user may change, and locks the row. All administrators' rows are locked in id order first, so
 * that two administrators who change each other do not deadlock.
 */
export async function lockedMember(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<StaffRow | Refusal> {
  await forUpdate(db)(
    db
      .selectFrom('staff')
      .select('id')
      .where((eb) => eb.or([eb('id', '=', id), eb('identity', '=', 'admin')]))
      .orderBy('id'),
  ).execute();
  const found = await staffRows(adminStaff(db, actor).where('staff.id', '=', id)).executeTakeFirst();
  const [member] = found ? await staffOf(db, [found]) : [];
  if (!member) return missing(missingStaff);
  const fault = outrankedFault(member, actor.permissions);
  return fault === undefined ? member : forbidden(fault);
}

/** Drops the fields that the identity does not have, such as an administrator's schools for a lecturer. */
function fieldsOfIdentity(identity: Identity, fields: EditableStaffFields): EditableStaffFields {
  const isAdministrator = identity === 'admin';
  const every_school = isAdministrator ? fields.every_school : 0;
  const schoolIds = isAdministrator && every_school === 0 ? fields.school_ids : [];
  return {
    ...fields,
    permissions: permissions.filter((permission) => fields.permissions.includes(permission)),
    every_school,
    school_ids: [...schoolIds].sort((a, b) => a - b),
  };
}

/** Checks the field rules that need the user or the database. */
async function fieldRefusal(
  { db, actor }: RequestContext,
  { identity, fields, before }: { identity: Identity; fields: EditableStaffFields; before?: EditableStaffFields },
): Promise<Refusal | undefined> {
  const errors: FieldErrors = {};
  const known = new Set((await schoolsOf(db, actor).execute()).map(({ id }) => id));
  if (!known.has(fields.school_id)) errors.school_id = [staffMessages.noSchool];
  else if (before?.school_id !== fields.school_id) {
    const open = await openSchoolsOf(db, actor).where('school.id', '=', fields.school_id).execute();
    if (open.length === 0) errors.school_id = [schoolMessages.archived];
  }
  const unknown = fields.school_ids.some((id) => !known.has(id));
  if (identity === 'admin' && fields.every_school === 0 && (fields.school_ids.length === 0 || unknown))
    errors.school_ids = [staffMessages.noSchools];
  if (fields.every_school === 1 && !actor.everySchool) errors.every_school = [staffMessages.everySchool];
  const fault = grantFault(fields.permissions, {
    identity,
    own: actor.permissions,
    before: before?.permissions ?? [],
  });
  if (fault) errors.permissions = [fault];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

type Rights = Pick<EditableStaffFields, 'every_school' | 'permissions'>;

/** 409: after the change nobody could grant one of the permissions any more. */
async function refuseLast(db: Database, id: number, before: Rights, after?: Rights): Promise<Refusal | undefined> {
  if (before.every_school === 0) return undefined;
  const last = await unrecoverablePermissions(
    db,
    { ...before, id },
    after?.every_school === 1 ? after.permissions : [],
  );
  const named = last.map((permission) => ({ permission, name: permissionNames[permission] }));
  return refuseFor('conflict', lastAdministratorFault(named));
}

/** Returns a warning to acknowledge if another person has this mobile number. Sharing one is allowed. */
async function sharedMobile({ db, actor }: RequestContext, mobile: string, id = 0): Promise<string | undefined> {
  if (mobile === '') return undefined;
  const other = await adminStaff(db, actor)
    .select(['staff.real_name', 'staff.username'])
    .where('staff.mobile', '=', mobile)
    .where('staff.id', '!=', id)
    .orderBy('staff.id')
    .limit(1)
    .executeTakeFirst();
  return other && `手机号与${other.real_name}（${other.username}）相同`;
}

const fieldNames: Record<keyof EditableStaffFields, string> = {
  username: '用户名',
  real_name: '姓名',
  mobile: '手机号',
  school_id: '所属学校',
  permissions: '权限',
  every_school: '管理全部学校',
  school_ids: '管理的学校',
};

async function conflictOf(db: Database, id: number, edit: Edit<EditableStaffFields>): Promise<Refusal> {
  const schools = await db.selectFrom('school').select(['id', 'org_name']).execute();
  const schoolName = (value: unknown) => schools.find((school) => school.id === value)?.org_name ?? '无';
  const by = await lastChangedBy(db, 'staff', id, edit.conflicts);
  const wordsOf: Partial<Record<keyof EditableStaffFields, (value: unknown) => string>> = {
    school_id: schoolName,
    school_ids: (value) => (value as number[]).map(schoolName).join('、') || '无',
    permissions: (value) => (value as Permission[]).map((one) => permissionNames[one]).join('、') || '无',
    every_school: (value) => (value === 1 ? '是' : '否'),
  };
  return editConflict(edit, {
    by: by || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? String(value || '空'),
  });
}

const flag = (is: boolean): Flag => (is ? 1 : 0);

/** Converts form fields to columns. `school_ids` is left out: it has a table of its own. */
function columnsOf({ permissions: granted, school_ids: _, ...fields }: EditableStaffFields) {
  const flags = Object.fromEntries(
    permissions.map((permission) => [`can_${permission}`, flag(granted.includes(permission))]),
  ) as Record<(typeof permissionColumns)[number], Flag>;
  return { ...fields, ...flags };
}

async function keepSchools(db: Database, staffId: number, schoolIds: readonly number[]): Promise<void> {
  await db.deleteFrom('staff_school').where('staff_id', '=', staffId).execute();
  if (schoolIds.length === 0) return;
  const rows = schoolIds.map((school_id) => ({ staff_id: staffId, school_id }));
  await db.insertInto('staff_school').values(rows).execute();
}

async function refuseTakenName<T>(write: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error)) return invalid({ username: [staffMessages.usernameTaken] });
    throw error;
  }
}
