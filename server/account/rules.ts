/** What people write of themselves, their passwords, and where they are signed in. */

import { type Identity, type Permission, permissionsFor } from '#server/platform/auth/rules.ts';
import { pictureBytes, pictureTooLarge } from '#server/platform/files/rules.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';

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

export const secondFactorMessages = {
  noCode: '请输入验证码',
  code: '验证码为6位数字',
  wrong: '验证码不正确，请确认手机时间准确',
  used: '该验证码已使用，请等待下一个',
  /** Of what is as long as a recovery code. */
  wrongRecovery: '恢复代码不正确，或已使用过',
  /** Of a form that was made up. */
  noSecret: '请重新生成密钥',
  isOn: '两步验证已开启',
  isOff: '两步验证未开启',
  required: '学校要求开启两步验证，不能关闭',
  notAwaited: '本次登录不需要验证码',
  tooMany: '验证码错误次数过多，请稍后再试',
} as const;

/** Of the code of an application, before it is tried. */
export function codeFault(code: string): string | undefined {
  if (code === '') return secondFactorMessages.noCode;
  return /^\d{6}$/.test(code) ? undefined : secondFactorMessages.code;
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

/** Refuses to sign out the current device remotely. */
export const signOutFault = (device: { is_current: boolean }): string | undefined =>
  device.is_current ? '当前设备请使用“退出”按钮' : undefined;

/** Refuses to keep the old password; an initial password is known to others. */
export const samePasswordFault = (old: string, chosen: string, isFirst: boolean): string | undefined =>
  old === chosen ? `新密码不能与${isFirst ? '初始' : '旧'}密码相同` : undefined;

/** What a browser says of itself (User-Agent), in the words of a person; the most telling name comes first. */
const browsers: [RegExp, string][] = [
  [/MicroMessenger\/(\d+)/, '微信'],
  [/DingTalk\/(\d+)/, '钉钉'],
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[.\d]* (?:Mobile\/\S+ )?Safari/, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/HarmonyOS/, '鸿蒙'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows NT/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** `Chrome 126 · Windows`; undefined where nothing of it is known. */
export function knownDevice(userAgent: string): string | undefined {
  const browser = browsers.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version ? [`${name} ${version}`] : [];
  })[0];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [browser, system].filter(Boolean).join(' · ') || undefined;
}

export const deviceName = (userAgent: string): string => knownDevice(userAgent) ?? '未知设备';

/** An IPv4 address that came over an IPv6 socket, as people know it. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/, '');

// ---- what an administrator writes of the staff --------------------------------------------------

export const missingStaff = '该人员不存在';

/** Characters. */
export const usernameLimit = 100;

/** Normalises a user name for storage: full-width letters of input methods become half-width, capitals lower case. */
export const plainUsername = (name: string): string => name.normalize('NFKC').toLowerCase();

/** People whose first passwords are made at a time: each takes some hundredths of a second of a core. */
export const firstPasswordsLimit = 100;

export const staffMessages = {
  noIdentity: '请选择身份',
  noUsername: '用户名不能为空',
  username: `用户名不能有空格，最多${usernameLimit}个字符`,
  usernameTaken: '该用户名已被使用',
  mobile: '请输入11位手机号',
  permissions: '请选择权限',
  noSchool: '请选择学校',
  noSchools: '请选择至少一所学校',
  everySchool: '只有管理全部学校的教务可以授予',
  nobodyChosen: '请选择人员',
  tooManyChosen: `一次最多生成${firstPasswordsLimit}人的初始密码`,
} as const;

/** Names a colleague with the name or mobile number of an imported person. */
export const importedStaffAlike = (other: { username: string; real_name: string }, isMobile: boolean): string =>
  `已有${isMobile ? '手机号相同的' : '同名的'}人员：${other.real_name}（用户名 ${other.username}），请核对`;

/** Of whom an import speaks. */
export const importedStaffMessages = {
  administrator: '教务不能导入，请在“人员”中添加',
  identity: '身份不能修改，请停用后另行添加',
  used: '已登录、已有密码，或已有课程和班级',
} as const;

/** What may be granted: what the identity has use for, and the grantor has themselves. */
export function grantFault(
  granted: readonly Permission[],
  { identity, own, before }: { identity: Identity; own: readonly Permission[]; before: readonly Permission[] },
): string | undefined {
  const fit = permissionsFor(identity);
  const beyond = granted.filter(
    (permission) => !before.includes(permission) && identity === 'admin' && !own.includes(permission),
  );
  if (granted.some((permission) => !fit.includes(permission))) return '该身份没有所选的权限';
  return beyond.length > 0 ? '不能授予您自己没有的权限' : undefined;
}

/** An administrator who may more than another is not changed by them: their rights would be theirs for the taking. */
export const outrankedFault = (
  member: { identity: Identity; permissions: readonly Permission[] },
  own: readonly Permission[],
): string | undefined =>
  member.identity === 'admin' && member.permissions.some((permission) => !own.includes(permission))
    ? '该教务拥有您没有的权限，不能由您修改'
    : undefined;

export const ownPasswordFault = (isOwn: boolean): string | undefined =>
  isOwn ? '请在“我的账号”中修改自己的密码' : undefined;

/**
 * Somebody has to be left who can make the next administrator, and who has what nobody else could grant again. `lost`:
 * what no other administrator of all schools would have, with its name.
 */
export function lastAdministratorFault(lost: readonly { permission: Permission; name: string }[]): string | undefined {
  if (lost.some(({ permission }) => permission === 'people')) return '至少保留一位能管理全部学校人员的教务';
  const names = lost.map(({ name }) => `“${name}”`);
  return names.length > 0 ? `至少保留一位管理全部学校、有${names.join('')}权限的教务，否则无人能再授予` : undefined;
}

/** Of a first password, which is given to whoever has none of their own yet. */
export const firstPasswordFault = (person: { is_new: 0 | 1; is_disabled: 0 | 1 }): string | undefined => {
  if (person.is_disabled === 1) return '该人员已停用';
  return person.is_new === 1 ? undefined : '该人员已有自己的密码，请使用“重置密码”';
};

export const disabledFault = (person: { is_disabled: 0 | 1 }): string | undefined =>
  person.is_disabled === 1 ? '该人员已停用' : undefined;
export const enabledFault = (person: { is_disabled: 0 | 1 }): string | undefined =>
  person.is_disabled === 0 ? '该人员未停用' : undefined;

/** What others are left with when somebody of the staff goes; undefined where it is nothing. */
export function dutiesSentence({
  lessons,
  next,
  classes,
}: {
  /** Of periods and lessons that are still to come. */
  lessons: number;
  /** The next of them, as it is called, with its time. */
  next: string;
  /** In which they are head teacher or assistant. */
  classes: number;
}): string | undefined {
  const said = [
    lessons > 0 && `还有${lessons}节课未上，最近一节：${next}`,
    classes > 0 && `是${classes}个班级的班主任或助教`,
  ].filter((one) => one !== false);
  return said.length > 0 ? said.join('；') : undefined;
}

// ---- the first start ------------------------------------------------------------------------------

export const missingSetup = '该设置地址无效或已使用';

export const setupMessages = {
  noSchool: '学校名称不能为空',
  schoolLength: `学校名称不能超过${schoolNameLimit}个字`,
  timezone: '请选择时区',
} as const;
