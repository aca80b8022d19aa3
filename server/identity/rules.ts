import { isPrivateConnection } from '#server/settings/rules.ts';
/** Kinds of identity providers, in display order. */
export const providerKinds = ['oidc', 'cas', 'wecom', 'dingtalk', 'feishu'] as const;
export type ProviderKind = (typeof providerKinds)[number];
export const isProviderKind = (word: unknown): word is ProviderKind => providerKinds.some((kind) => kind === word);

/** Display names of the kinds, and default labels of their buttons. */
export const providerNames: Record<ProviderKind, string> = {
  oidc: 'OpenID Connect',
  cas: 'CAS',
  wecom: '企业微信',
  dingtalk: '钉钉',
  feishu: '飞书',
};
export const defaultProviderName = (kind: ProviderKind): string =>
  kind === 'oidc' || kind === 'cas' ? '统一身份认证' : providerNames[kind];

export const providerFields = [
  'address',
  'client_id',
  'secret',
  'organization',
  'scope',
  'claim',
  'learner_claim',
] as const;
export type ProviderField = (typeof providerFields)[number];
export const fieldsOfKind: Record<ProviderKind, { needed: readonly ProviderField[]; also: readonly ProviderField[] }> =
  {
    oidc: { needed: ['address', 'client_id', 'secret'], also: ['scope', 'claim', 'learner_claim'] },
    cas: { needed: ['address'], also: ['claim', 'learner_claim'] },
    wecom: { needed: ['client_id', 'organization', 'secret'], also: ['claim', 'learner_claim', 'address'] },
    dingtalk: { needed: ['client_id', 'secret'], also: ['organization', 'address'] },
    feishu: { needed: ['client_id', 'secret'], also: ['claim', 'learner_claim', 'address'] },
  };

/** Labels of the settings, worded as in each provider's console. */
const fieldNames: Record<ProviderField, string> = {
  address: '服务器地址',
  client_id: '客户端标识（client_id）',
  secret: '密钥（client_secret）',
  organization: '',
  scope: '范围（scope）',
  claim: '工号所在的字段',
  learner_claim: '学号所在的字段',
};
const ownFieldNames: Partial<Record<ProviderKind, Partial<Record<ProviderField, string>>>> = {
  oidc: { address: '颁发者地址（issuer）' },
  wecom: { client_id: '企业ID（corpid）', organization: '应用ID（AgentId）', secret: '应用密钥（Secret）' },
  dingtalk: {
    client_id: 'Client ID（AppKey）',
    secret: 'Client Secret（AppSecret）',
    organization: '企业标识（CorpId）',
  },
  feishu: { client_id: 'App ID', secret: 'App Secret' },
};
export const fieldName = (kind: ProviderKind, field: ProviderField): string =>
  ownFieldNames[kind]?.[field] ?? (field === 'address' && !isOwnServer(kind) ? '接口地址' : fieldNames[field]);

/** True for kinds that a school runs on a server of its own; the others are shared services. */
export const isOwnServer = (kind: ProviderKind): boolean => kind === 'oidc' || kind === 'cas';

/** Claim (field of the user's account) that holds the staff number by default, and the student number. */
export const defaultClaim: Record<ProviderKind, string> = {
  oidc: 'sub',
  cas: '',
  wecom: '',
  dingtalk: '',
  feishu: 'employee_no',
};
export const defaultScope = 'openid profile';

export const linkStates = ['waiting', 'linked', 'rejected'] as const;
export type LinkState = (typeof linkStates)[number];
export const linkStateNames: Record<LinkState, string> = { waiting: '待确认', linked: '已关联', rejected: '已拒绝' };

/** Seconds within which the user must return from a provider. */
export const maxReturnSeconds = 10 * 60;
/** Seconds by which a provider's clock may differ. */
export const clockTolerance = 60;

/** Rate limit per IP address in ten minutes; far above what a school behind one address needs in the morning. */
export const addressRateLimit = { max: 1000, window: 600 } as const;

/** Maximum of pending link requests. If there are more, the provider probably lets the public in. */
export const maxPendingLinks = 1000;

/** Maximum characters of a provider's display name. */
export const providerNameLimit = 20;
export const fieldLimit = 500;

export const missingProvider = '没有这种登录方式';
export const missingLink = '该登录申请不存在';

export const identityMessages = {
  /** Shown if the returning sign-in is unknown, used already, from another browser, or too old. */
  expired: '本次登录已失效，请重新点击登录按钮',
  off: '该登录方式未启用',
  tooMany: '登录过于频繁，请稍后再试',
  disabled: '您的账号已停用，不能登录，请联系本校教务',
  rejected: '教务没有通过您的登录申请，如有疑问请联系本校教务',
  crowded: '待确认的登录申请过多，请联系本校教务',
  /** Shown while only the emergency account has a working password. */
  passwordsOff: '用户名或密码不正确，或本校已关闭密码登录，请使用上方的按钮登录',
} as const;

export const providerAwayMessage = (name: string): string => `暂时连接不上“${name}”，请稍后再试，或使用密码登录`;
export const unconfirmedIdentityMessage = (name: string): string => `“${name}”没有确认您的身份，请重新登录`;
export const cancelledMessage = (name: string): string => `您没有同意通过“${name}”登录，请重新登录或使用密码登录`;
export const providerSetupMessage = (name: string): string => `“${name}”的设置有误，暂时不能使用，请联系本校教务`;
export const noStaffNumberMessage = (name: string): string => `“${name}”没有提供您的工号，请联系本校教务`;
export const notMemberMessage = (name: string): string => `您不是本校在“${name}”中的成员，不能登录`;
export const pendingLinkMessage = (number: string): string => `账号“${number}”尚未登记，已转给教务确认，确认后即可登录`;

// ---- learners --------------------------------------------------------------------------------------

/**
 * Rate limits of sign-ins that learners begin and do not finish, in `window` seconds: of one device, and of one address
 * against floods, because a school sits behind one.
 */
export const learnerAttempts = { window: 10 * 60, ofDevice: 50, ofAddress: 2000 } as const;

export function learnerAttemptsWaitMessage(seconds: number): string {
  const time = seconds > 60 ? `${Math.ceil(seconds / 60)}分钟` : `${seconds}秒`;
  return `当前设备或网络登录未成功的次数过多，请${time}后再试`;
}

export const learnerIdentityMessages = {
  ...identityMessages,
  off: '学员不能用该方式登录',
  rejected: '学校没有通过您的登录申请，如有疑问请联系学校',
  crowded: '待确认的登录申请过多，请联系学校',
  notLinked: '您没有关联该登录方式',
} as const;

/** Sentences for learners, by the cause of a provider's failure. */
export const learnerProviderMessages = {
  away: (name: string): string => `暂时连接不上“${name}”，请稍后再试，或用其他方式登录`,
  refused: (name: string): string => `“${name}”没有确认您的身份，请重新登录`,
  cancelled: (name: string): string => `您没有同意通过“${name}”登录，请重新登录或用其他方式登录`,
  setup: (name: string): string => `“${name}”的设置有误，暂时不能使用，请联系学校`,
  number: (name: string): string => `“${name}”没有提供您的学号，请联系学校`,
  outsider: (name: string): string => `您不是本校在“${name}”中的成员，不能登录`,
} as const;

export const pendingLearnerMessage = (number: string): string =>
  `账号“${number}”没有对应到学员，已转给学校确认，确认后即可登录`;

/** Why a learner's last way to sign in cannot be removed. */
export const lastLearnerMethodFault = (hasOther: boolean): string | undefined =>
  hasOther ? undefined : '这是您唯一的登录方式，不能解除；请先设置密码';

export const learnerLinkMessages = {
  noNumber: '请填写学员的学号或手机号',
  unknown: '没有学号或手机号为此的学员',
  disabled: '该学员已停用',
} as const;

export const missingLearnerLink = '该登录申请不存在';
/** A learner can have one link per provider: a second account with the same number may be somebody else. */
export const learnerAlreadyLinkedMessage = (name: string): string => `该学员已关联“${name}”的另一个账号，请先解除`;

/** Names the learners who share a number, so that the administrator types another one or picks the school. */
export const severalLearnersMessage = (learners: readonly { nickname: string; school: string }[]): string =>
  `有${learners.length}名学员的号码相同：${learners
    .slice(0, 5)
    .map(({ nickname, school }) => `${nickname}（${school}）`)
    .join('、')}${learners.length > 5 ? '等' : ''}，请选择学校，或填写学号`;

// ---- own links ------------------------------------------------------------------------------------

export const notLinkedMessage = '您没有关联该登录方式';
export const linkedMessage = (name: string): string => `已关联“${name}”，以后可以用它登录`;
export const ownAlreadyLinkedMessage = (name: string): string => `您已关联“${name}”的另一个账号，请先解除`;
export const linkOfAnotherMessage = (name: string): string => `该“${name}”账号已关联另一位人员，不能再关联到您的账号`;

/** Why the user's last way to sign in cannot be removed. `others`: number of other linked providers. */
export const lastMethodFault = ({
  hasPassword,
  others,
}: {
  hasPassword: boolean;
  others: number;
}): string | undefined => (hasPassword || others > 0 ? undefined : '这是您唯一的登录方式，不能解除');

// ---- provider settings ----------------------------------------------------------------------------

export const providerMessages = {
  everySchool: '这些设置对全部学校有效，只有管理全部学校的教务可以修改',
  noName: '请填写按钮名称',
  nameLength: `按钮名称不能超过${providerNameLimit}个字`,
  address: '请填写以 https:// 开头的地址：身份信息不能明文传输',
  length: `最多${fieldLimit}个字符`,
  changeable: '姓名、昵称、邮箱和手机号可由本人修改或会重复，不能用来识别人员，请填写工号或学号所在的字段',
  site: '请填写以 https:// 开头的地址，只有域名，例如 https://jiaowu.example.edu.cn',
  noSite: '请先填写并保存“本系统的地址”',
  notSet: '请先填写并保存该登录方式',
  emergency: '请选择一名管理全部学校、能管理人员和修改设置的教务',
  emergencyPassword: '该教务还没有自己的密码，不能作为应急账号',
} as const;

export const requiredMessage = (kind: ProviderKind, field: ProviderField): string => `请填写${fieldName(kind, field)}`;

export const isProviderAddress = (text: string): boolean =>
  text.length <= fieldLimit &&
  /^https?:\/\/[^\s?#@]+$/i.test(text) &&
  URL.canParse(text) &&
  isPrivateConnection(new URL(text));

/**
 * Refuses claims that users can change themselves, such as an e-mail address: with one they could become somebody else.
 */
export const claimFault = (claim: string): string | undefined =>
  /^(?:name|given_?name|family_?name|middle_?name|nick_?name|cn|display_?name|real_?name|e-?mail|mail|phone(?:_number)?|mobile|telephone.*)$/i.test(
    claim,
  )
    ? providerMessages.changeable
    : undefined;

/**
 * Why passwords cannot be turned off: one provider must work. `signedIn`: number of people who have signed in by an
 * enabled one.
 */
export function passwordsOffFault({ on, signedIn }: { on: number; signedIn: number }): string | undefined {
  if (on === 0) return '请先启用一种登录方式，再关闭密码登录';
  return signedIn === 0 ? '还没有人用已启用的登录方式登录过，请先试着登录一次，再关闭密码登录' : undefined;
}
export const noWorkingMethodMessage = (tests: string): string =>
  `已启用的登录方式目前都连接不上，不能关闭密码登录：${tests}`;

/** Shown when the last provider would be disabled while passwords are turned off. */
export const lastProviderMessage = '密码登录已关闭，请先恢复密码登录，再停用最后一种登录方式';
/** Shown when the rights of the emergency account would change, whose password works while the others' are off. */
export const emergencyAccountMessage = '该教务是密码登录关闭期间的应急账号，请先恢复密码登录或更换应急账号';

// ---- links --------------------------------------------------------------------------------------------

export const linkMessages = {
  everySchool: '登录申请不分学校，只有管理全部学校的教务可以处理',
  noUsername: '请填写用户名',
  unknown: '没有用户名为此的人员',
  disabled: '该人员已停用',
} as const;

type Linked = '人员' | '学员';
export const decideFault = ({ state }: { state: LinkState }, linked: Linked = '人员'): string | undefined =>
  state === 'linked' ? `该申请已关联${linked}，请先解除` : undefined;
export const rejectFault = ({ state }: { state: LinkState }, linked: Linked = '人员'): string | undefined =>
  state === 'waiting' ? undefined : state === 'linked' ? `该申请已关联${linked}，请先解除` : '该申请已被拒绝';
export const unlinkFault = ({ state }: { state: LinkState }, linked: Linked = '人员'): string | undefined =>
  state === 'linked' ? undefined : `该申请没有关联${linked}`;
/** A person can have one link per provider: a second account with the same number may be somebody else. */
export const alreadyLinkedMessage = (name: string): string => `该人员已关联“${name}”的另一个账号，请先解除`;
