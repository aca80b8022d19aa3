import * as v from 'valibot';
import { FlagNumber, Seconds, withoutControls } from '#server/platform/calls/fields.ts';
import { callOfAllIdentities } from '#server/school/call.ts';
import { accountMessages, introductionLimit, personNameLimit } from './rules.ts';

const typed = v.fallback(v.string(), '');
const required = (message: string) =>
  v.pipe(v.optional(v.string(message), ''), withoutControls, v.trim(), v.nonEmpty(message));

/** `avatar`: URL of the picture, or blank. */
export const Profile = v.object({
  avatar: v.string(),
  real_name: v.string(),
  mobile: v.string(),
  introduction: v.string(),
});
export type Profile = v.InferOutput<typeof Profile>;

/** `avatar`: the `path` that the upload call returned, or the unchanged present URL. */
export const ProfileForm = v.object({
  avatar: required(accountMessages.noAvatar),
  real_name: v.pipe(required(accountMessages.noName), v.maxLength(personNameLimit, accountMessages.nameLength)),
  introduction: v.pipe(
    required(accountMessages.noIntroduction),
    v.check((text) => [...text].length <= introductionLimit, accountMessages.introductionLength),
  ),
});
export type ProfileForm = v.InferOutput<typeof ProfileForm>;

export const showOwnProfile = callOfAllIdentities({
  method: 'GET',
  path: 'information',
  title: '个人信息',
  answer: Profile,
});

export const updateProfile = callOfAllIdentities({
  method: 'PUT',
  path: { teacher: 'lector/update', assist: 'assistant/update', admin: 'information' },
  title: '修改个人信息',
  body: ProfileForm,
  answer: v.null(),
  message: '保存成功',
});

/** Password rules depend on the present password, so they are in password.ts, not in this schema. */
export const PasswordForm = v.object({
  old_password: typed,
  new_password: typed,
  new_password_confirmation: typed,
});
export type PasswordForm = v.InferOutput<typeof PasswordForm>;

/** Changes the user's password and signs out their other devices. With a first password, `old_password` may be empty. */
export const updatePassword = callOfAllIdentities({
  method: 'PUT',
  path: 'update/password',
  title: '修改密码',
  body: PasswordForm,
  answer: v.null(),
  message: '密码修改成功',
  whileSigningIn: 'settling',
});

/** An active sign-in. `device`: from the User-Agent. Times in unix seconds. */
export const Device = v.object({
  id: v.number(),
  device: v.string(),
  address: v.string(),
  created_at: Seconds,
  used_at: Seconds,
  is_current: FlagNumber,
});
export type Device = v.InferOutput<typeof Device>;

/** Lists the user's devices: the current one first, then by last use. */
export const listDevices = callOfAllIdentities({
  method: 'GET',
  path: 'account/devices',
  title: '已登录的设备',
  answer: v.array(Device),
});

export const signOutDevice = callOfAllIdentities({
  method: 'DELETE',
  path: 'account/devices/:id',
  title: '退出一台设备',
  answer: v.null(),
  message: '已退出该设备',
});

/** `count`: number of devices signed out. */
export const signOutOthers = callOfAllIdentities({
  method: 'DELETE',
  path: 'account/devices',
  title: '退出其他全部设备',
  answer: v.object({ count: v.number() }),
  message: '已退出其他全部设备',
});
