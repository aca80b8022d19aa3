/** Labels of an identity provider's settings, by the kind of provider. */

import {
  type LinkState,
  linkStateNames,
  linkStates,
  type ProviderField,
  type ProviderKind,
  providerKinds,
  providerNames,
} from '#server/identity/rules.ts';
import type { PasswordRule } from '#server/settings/rules.ts';

export const kindChoices = providerKinds.map((kind) => [kind, providerNames[kind]] as const);
export const stateChoices = linkStates.map((state: LinkState) => [state, linkStateNames[state]] as const);

export const stateTones = { waiting: 'warn', linked: 'good', rejected: 'bad' } as const;

/** Names an account by its number and, if the provider says it, its person. */
export const accountName = ({ number, name }: { number: string; name: string }): string =>
  name ? `${number}（${name}）` : number;

export const kindNotes: Record<ProviderKind, string> = {
  oidc: '学校的统一身份认证平台支持 OpenID Connect 时使用，请向信息中心申请一个客户端。',
  cas: '学校的统一身份认证平台支持 CAS 3.0 时使用，请信息中心登记本系统的服务地址。',
  wecom: '在企业微信管理后台创建自建应用，设置“企业微信授权登录”的授权回调域，并把服务器的网络地址加入“企业可信IP”。',
  dingtalk: '在钉钉开放平台创建企业内部应用，登记重定向地址，并申请“根据unionid获取用户”和“成员信息读”权限。',
  feishu: '在飞书开放平台创建企业自建应用，登记重定向地址，申请“获取用户 user ID”和“获取用户受雇信息”权限并发布。',
};

export const fieldNotes: Partial<Record<ProviderKind, Partial<Record<ProviderField, string>>>> = {
  oidc: {
    address: '与平台给出的 issuer 完全一致，例如 https://sso.example.edu.cn/realms/school',
    scope: '留空为 openid profile；工号在其他范围内时填写，用空格分开',
    claim: '留空为 sub（平台内的唯一标识），一般要填写工号所在的字段，例如 employee_no；不能使用可由本人修改的字段',
    learner_claim: '学号与工号在不同字段时填写，例如 student_no；留空则与上一项相同',
  },
  cas: {
    address: '例如 https://cas.example.edu.cn/cas',
    claim: '留空时用户标识（user）就是工号；否则填写属性名，例如 employeeNumber',
    learner_claim: '学号与工号在不同属性时填写；留空则与上一项相同',
  },
  wecom: {
    claim: '留空时成员账号（userid）就是工号；否则填写成员的扩展属性名，例如 工号',
    learner_claim: '学员另有扩展属性时填写，例如 学号；留空则与上一项相同',
    address: '私有部署时填写，一般留空',
  },
  dingtalk: {
    organization: '填写后只允许该企业的成员登录',
    address: '专有部署时填写，一般留空',
  },
  feishu: {
    claim: '留空为 employee_no（工号）；也可以填写 user_id',
    learner_claim: '留空则与上一项相同',
    address: '私有部署时填写，一般留空',
  },
};

export const passwordLabels: Record<PasswordRule, string> = {
  all: '所有人都可以用密码登录',
  one: '关闭密码登录，只留一个应急账号',
};
