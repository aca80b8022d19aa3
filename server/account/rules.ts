import { type Identity, type Permission, permissionsFor } from '#server/platform/auth/rules.ts';
import { pictureBytes, pictureTooLargeMessage } from '#server/platform/files/rules.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';

/** Characters. */
export const introductionLimit = 200;
export const personNameLimit = 50;

export const avatarExtensions = ['gif', 'jpeg', 'jpg', 'png'] as const;

/** Length of a new password, and of the old one in the form. */
const passwordLimits = { min: 6, max: 18 } as const;
const oldPasswordLimits = { min: 6, max: 16 } as const;
/** Longer passwords never existed, so they are not hashed. */
export const maxHashedLength = 200;

export const accountMessages = {
  noAvatar: '头像不能为空',
  avatar: `头像支持 ${avatarExtensions.join('、')} 格式的图片`,
  lostAvatar: `请重新上传头像，${pictureTooLargeMessage(pictureBytes)}`,
  noName: '姓名不能为空',
  nameLength: `姓名不能超过${personNameLimit}个字`,
  noIntroduction: '简介不能为空',
  introductionLength: `简介不能超过${introductionLimit}个字`,
  /** Shown beside the field, and by `passwordFault`. */
  passwordRule: `密码为${passwordLimits.min}到${passwordLimits.max}位，且至少包含数字、小写字母、大写字母中的两种`,
  repetition: '两次输入的密码不一致',
  passwordChanged: '密码已被修改，请重新登录',
  tooManyOldPasswords: '旧密码错误次数过多，请稍后再试',
} as const;

export const signInMessages = {
  noName: '请输入用户名',
  noPassword: '请输入密码',
  /** Does not tell which of the two is wrong. */
  wrong: '用户名或密码不正确',
} as const;

/** Sign-in is blocked after too many failures. */
export function signInWait(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `登录失败次数过多，请${time}后再试`;
}

export const secondFactorMessages = {
  noCode: '请输入验证码',
  code: '验证码为6位数字',
  wrong: '验证码不正确，请确认手机时间准确',
  used: '该验证码已使用，请等待下一个',
  /** For input as long as a recovery code. */
  wrongRecovery: '恢复代码不正确，或已使用过',
  /** The form was forged. */
  noSecret: '请重新生成密钥',
  isOn: '两步验证已开启',
  isOff: '两步验证未开启',
  required: '学校要求开启两步验证，不能关闭',
  notAwaited: '本次登录不需要验证码',
  tooMany: '验证码错误次数过多，请稍后再试',
} as const;

/** Checks the format of an authenticator code. */
export function codeFault(code: string): string | undefined {
  if (code === '') return secondFactorMessages.noCode;
  return /^\d{6}$/.test(code) ? undefined : secondFactorMessages.code;
}

export const missingDevice = '该设备不存在或已退出';

const oldPasswordLength = `密码长度为${oldPasswordLimits.min}到${oldPasswordLimits.max}位`;

/** Checks the length of the old password before comparing it. */
export function oldPasswordFault(password: string): string | undefined {
  if (password === '') return '请输入旧密码';
  return password.length < oldPasswordLimits.min ? oldPasswordLength : undefined;
}

/**
 * Message for a wrong old password. The form asks for 6 to 16 characters, but new ones may have 18, so the length is
 * only checked once the password is known to be wrong.
 */
export const wrongPassword = (password: string): string =>
  password.length > oldPasswordLimits.max ? oldPasswordLength : '旧密码不正确';

/** Rules of a new password: length, and two of digits, lower case, upper case. */
export function passwordFault(password: string): string | undefined {
  if (password === '') return '请输入新密码';
  const kinds = [/\d/, /[a-z]/, /[A-Z]/].filter((kind) => kind.test(password)).length;
  const { min: least, max: most } = passwordLimits;
  return password.length >= least && password.length <= most && kinds >= 2 ? undefined : accountMessages.passwordRule;
}

/** Refuses to sign out the current device remotely. */
export const signOutFault = (device: { is_current: boolean }): string | undefined =>
  device.is_current ? '当前设备请使用“退出”按钮' : undefined;

/** Refuses to keep the old password; an initial password is known to others. */
export const samePasswordFault = (old: string, chosen: string, isFirst: boolean): string | undefined =>
  old === chosen ? `新密码不能与${isFirst ? '初始' : '旧'}密码相同` : undefined;

/** Browser and system names in a User-Agent; the most specific pattern comes first. */
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

/** Such as `Chrome 126 · Windows`; undefined if unknown. */
export function describeDevice(userAgent: string): string | undefined {
  const browser = browsers.flatMap(([pattern, name]) => {
    const version = pattern.exec(userAgent)?.[1];
    return version ? [`${name} ${version}`] : [];
  })[0];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [browser, system].filter(Boolean).join(' · ') || undefined;
}

export const deviceName = (userAgent: string): string => describeDevice(userAgent) ?? '未知设备';

/** Removes the IPv6 prefix of an IPv4 address. */
export const plainIpAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/, '');

// ---- administration of staff ----------------------------------------------------------------------

export const missingStaff = '该人员不存在';

/** Characters. */
export const usernameLimit = 100;

/** Normalises a user name for storage: full-width letters of input methods become half-width, capitals lower case. */
export const plainUsername = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Maximum of first passwords per request; hashing one takes some hundredths of a second of CPU. */
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
export const similarStaffMessage = (other: { username: string; real_name: string }, isMobile: boolean): string =>
  `已有${isMobile ? '手机号相同的' : '同名的'}人员：${other.real_name}（用户名 ${other.username}），请核对`;

export const importedStaffMessages = {
  administrator: '教务不能导入，请在“人员”中添加',
  identity: '身份不能修改，请停用后另行添加',
  used: '已登录、已有密码，或已有课程和班级',
} as const;

/** Permissions can be granted if they fit the identity and the grantor has them. */
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

/** An administrator cannot change one with more permissions: that would let them take these over. */
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
 * Some administrator must remain who can grant each permission. `lost`: those nobody else of all schools would have.
 */
export function lastAdministratorFault(lost: readonly { permission: Permission; name: string }[]): string | undefined {
  if (lost.some(({ permission }) => permission === 'people')) return '至少保留一位能管理全部学校人员的教务';
  const names = lost.map(({ name }) => `“${name}”`);
  return names.length > 0 ? `至少保留一位管理全部学校、有${names.join('')}权限的教务，否则无人能再授予` : undefined;
}

/** First passwords are only for people without a password of their own. */
export const firstPasswordFault = (person: { is_new: 0 | 1; is_disabled: 0 | 1 }): string | undefined => {
  if (person.is_disabled === 1) return '该人员已停用';
  return person.is_new === 1 ? undefined : '该人员已有自己的密码，请使用“重置密码”';
};

export const faultIfDisabled = (person: { is_disabled: 0 | 1 }): string | undefined =>
  person.is_disabled === 1 ? '该人员已停用' : undefined;
export const faultIfEnabled = (person: { is_disabled: 0 | 1 }): string | undefined =>
  person.is_disabled === 0 ? '该人员未停用' : undefined;

/** Duties that a leaving person leaves behind; undefined if none. */
export function dutiesSentence({
  lessons,
  next,
  classes,
}: {
  /** Future periods and lessons. */
  lessons: number;
  /** Title and time of the next one. */
  next: string;
  /** Classes with the person as head teacher or assistant. */
  classes: number;
}): string | undefined {
  const duties = [
    lessons > 0 && `还有${lessons}节课未上，最近一节：${next}`,
    classes > 0 && `是${classes}个班级的班主任或助教`,
  ].filter((one) => one !== false);
  return duties.length > 0 ? duties.join('；') : undefined;
}

// ---- first start ----------------------------------------------------------------------------------

export const missingSetup = '该设置地址无效或已使用';

export const setupMessages = {
  noSchool: '学校名称不能为空',
  schoolLength: `学校名称不能超过${schoolNameLimit}个字`,
  timezone: '请选择时区',
} as const;
