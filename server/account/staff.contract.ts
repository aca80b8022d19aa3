import * as v from 'valibot';
import { type Identity, identities, permissions } from '#server/platform/auth/rules.ts';
import {
  FlagNumber,
  IdAndName,
  OneLine,
  page,
  paging,
  required,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { accountMessages, personNameLimit, plainUsername, staffMessages, usernameLimit } from './rules.ts';

/** `new`: has no password of their own yet. */
export const staffStates = ['active', 'new', 'disabled'] as const;

/** `name` matches names, user names and mobile numbers. */
export const StaffFilter = v.object({
  name: SearchText,
  identity: searchWord(identities),
  state: searchWord(staffStates),
  school_id: SearchId,
  ...paging(),
});
export type StaffFilter = v.InferOutput<typeof StaffFilter>;

const shared = {
  id: v.number(),
  identity: v.picklist(identities),
  username: v.string(),
  real_name: v.string(),
  mobile: v.string(),
  permissions: v.array(v.picklist(permissions)),
  school_id: v.number(),
  school_name: v.string(),
  /** 1: an administrator of all schools. 0: an administrator of the schools in `schools`. */
  every_school: FlagNumber,
  schools: v.array(IdAndName),
  is_disabled: FlagNumber,
  /** 1: the person has no password of their own yet. */
  is_new: FlagNumber,
  /** 1: an administrator generated a password for them. */
  was_given: FlagNumber,
  /** Time of the last activity; null if the person has never signed in. */
  used_at: v.nullable(Seconds),
};

export const StaffRow = v.object(shared);
export type StaffRow = v.InferOutput<typeof StaffRow>;

/**
 * `seen`: version of the record, sent back with the form. `duties`: says which duties the person still has; '' if none.
 */
export const StaffRecord = v.object({
  ...shared,
  created_at: Seconds,
  has_second_factor: FlagNumber,
  sign_ins: v.number(),
  duties: v.string(),
  seen: v.string(),
});
export type StaffRecord = v.InferOutput<typeof StaffRecord>;

export const listStaff = adminCall({
  method: 'GET',
  path: 'staff',
  title: '人员列表',
  needs: 'people',
  query: StaffFilter,
  answer: page(StaffRow),
});

/** Lists the schools of the signed-in administrator. */
export const staffSchools = adminCall({
  method: 'GET',
  path: 'staff/schools',
  title: '可选的学校',
  needs: 'people',
  answer: v.array(IdAndName),
});

export const showStaff = adminCall({
  method: 'GET',
  path: 'staff/:id',
  title: '人员详情',
  needs: 'people',
  answer: StaffRecord,
});

const written = {
  username: TypedText,
  real_name: TypedText,
  mobile: TypedText,
  school_id: SearchId,
  permissions: v.fallback(v.array(TypedText), []),
  every_school: SearchFlag,
  school_ids: SearchIds,
  /** The warning that the user confirmed. If it differs from the current warning, the answer is 409. */
  acknowledged: TypedText,
};

/** `seen`: version of the record when the form was opened. If somebody edited it since, the answer is 409. */
export const EditedStaff = v.object({ ...written, seen: TypedText });
export type EditedStaff = v.InferOutput<typeof EditedStaff>;

export const NewStaff = v.object({ ...written, identity: TypedText });
export type NewStaff = v.InferOutput<typeof NewStaff>;

const completed = {
  username: v.pipe(
    OneLine,
    v.nonEmpty(staffMessages.noUsername),
    v.regex(/^\S+$/, staffMessages.username),
    v.check((name) => lengthOf(name) <= usernameLimit, staffMessages.username),
    v.transform(plainUsername),
  ),
  real_name: v.pipe(
    OneLine,
    v.nonEmpty(accountMessages.noName),
    v.check((name) => lengthOf(name) <= personNameLimit, accountMessages.nameLength),
  ),
  mobile: v.pipe(OneLine, v.regex(/^(?:1\d{10})?$/, staffMessages.mobile)),
  school_id: required(staffMessages.noSchool),
  permissions: v.pipe(
    v.array(v.string()),
    v.check((words) => words.every((word) => permissions.some((one) => one === word)), staffMessages.permissions),
    v.transform((words) => permissions.filter((permission) => words.includes(permission))),
  ),
  every_school: v.optional(FlagNumber, 0),
  school_ids: v.array(v.number()),
};

export const CompleteStaff = v.object(completed);
export type CompleteStaff = v.InferOutput<typeof CompleteStaff>;

export const CompleteNewStaff = v.object({
  ...completed,
  identity: v.pipe(
    v.string(),
    v.check((word) => identities.some((one) => one === word), staffMessages.noIdentity),
    v.transform((word) => word as Identity),
  ),
});

/** Adds a member of staff without a password; `firstPasswords` generates one. */
export const addStaffMember = adminCall({
  method: 'POST',
  path: 'staff',
  title: '添加人员',
  needs: 'people',
  body: NewStaff,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editStaffMember = adminCall({
  method: 'PUT',
  path: 'staff/:id',
  title: '修改人员',
  needs: 'people',
  body: EditedStaff,
  answer: v.null(),
  message: '保存成功',
});

/** Disables a member of staff and signs them out everywhere. `acknowledged`: the `duties` of the record, if any. */
export const disableStaffMember = adminCall({
  method: 'POST',
  path: 'staff/:id/disable',
  title: '停用人员',
  needs: 'people',
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '已停用',
});

export const enableStaffMember = adminCall({
  method: 'POST',
  path: 'staff/:id/enable',
  title: '恢复人员',
  needs: 'people',
  answer: v.null(),
  message: '已恢复',
});

export const endStaffSignIns = adminCall({
  method: 'POST',
  path: 'staff/:id/sign-out',
  title: '结束人员的全部登录',
  needs: 'people',
  answer: v.object({ count: v.number() }),
  message: '已结束全部登录',
});

export const GivenPassword = v.object({
  id: v.number(),
  real_name: v.string(),
  username: v.string(),
  password: v.string(),
});
export type GivenPassword = v.InferOutput<typeof GivenPassword>;

/** Generates a one-time password for one person and signs them out everywhere. */
export const resetStaffPassword = adminCall({
  method: 'POST',
  path: 'staff/:id/password',
  title: '重置密码',
  description: '一次性密码只在本次应答中出现，首次登录须修改。',
  needs: 'people',
  answer: GivenPassword,
  message: '密码已重置',
  secret: true,
});

/** Generates one-time passwords for a printed sheet, for staff without a password of their own. All or none. */
export const firstPasswords = adminCall({
  method: 'POST',
  path: 'staff/passwords',
  title: '生成初始密码',
  description: '一次性密码只在本次应答中出现，首次登录须修改；再次生成则前一次的作废。',
  needs: 'people',
  body: v.object({ ids: SearchIds }),
  answer: v.array(GivenPassword),
  message: '初始密码已生成',
  secret: true,
});
