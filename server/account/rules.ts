/** What people write of themselves, their passwords, and where they are signed in. */
import { pictureBytes, pictureTooLarge } from '#server/platform/files/rules.ts';

/** Characters. */
export const introductionLimit = 200;
export const personNameLimit = 50;

/** Endings of pictures that an avatar may be made of. */
export const avatarExtensions = ['gif', 'jpeg', 'jpg', 'png'] as const;

/** Characters of a password that is set, and of the one that is asked for. */
const passwordLimits = { least: 6, most: 18 } as const;
const oldPasswordLimits = { least: 6, most: 16 } as const;
/** No password was ever longer, and hashing it would be work for nothing. */
export const hashedLimit = 200;

export const accountMessages = {
  noAvatar: '头像不能为空',
  avatar: `头像支持 ${avatarExtensions.join('、')} 格式的图片`,
  lostAvatar: `请重新上传头像，${pictureTooLarge(pictureBytes)}`,
  noName: '姓名不能为空',
  nameLength: `姓名不能超过${personNameLimit}个字`,
  noIntroduction: '简介不能为空',
  introductionLength: `简介不能超过${introductionLimit}个字`,
  /** Said beside the field, and by `passwordFault`. */
  passwordRule: `密码为${passwordLimits.least}到${passwordLimits.most}位，且至少包含数字、小写字母、大写字母中的两种`,
  repetition: '两次输入的密码不一致',
  passwordChanged: '密码已被修改，请重新登录',
  tooManyOldPasswords: '旧密码错误次数过多，请稍后再试',
} as const;

export const signInMessages = {
  noName: '请输入用户名',
  noPassword: '请输入密码',
  /** Which of the two it is, is not told. */
  wrong: '用户名或密码不正确',
} as const;

/** Of signing in again after too many failures. */
export function signInWait(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `登录失败次数过多，请${time}后再试`;
}

export const missingDevice = '该设备不存在或已退出';

const oldPasswordLength = `密码长度为${oldPasswordLimits.least}到${oldPasswordLimits.most}位`;

/** Of the present password as it is typed, before it is tried. */
export function oldPasswordFault(password: string): string | undefined {
  if (password === '') return '请输入旧密码';
  return password.length < oldPasswordLimits.least ? oldPasswordLength : undefined;
}

/**
 * Of one that is not the present password. It is asked to have 6 to 16 characters, but a new one may have 18: whoever
 * chose one of 17 must be able to change it, so the length is held against a wrong one only.
 */
export const wrongPassword = (password: string): string =>
  password.length > oldPasswordLimits.most ? oldPasswordLength : '旧密码不正确';

/** Of one that is set: so many characters with two of digits, lower case, upper case. */
export function passwordFault(password: string): string | undefined {
  if (password === '') return '请输入新密码';
  const kinds = [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(password)).length;
  const { least, most } = passwordLimits;
  return password.length >= least && password.length <= most && kinds >= 2 ? undefined : accountMessages.passwordRule;
}

/** Of signing a device out from afar. */
export const signOutFault = (device: { is_current: boolean }): string | undefined =>
  device.is_current ? '当前设备请使用“退出”按钮' : undefined;
