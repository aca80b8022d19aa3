/** Calls of learners to sign in by the school's identity, and for their own links. */
import * as v from 'valibot';
import { applicationOnly, handleApplication, shortBodyBytes } from '#server/learners/application.ts';
import { DeviceAddress, DeviceMark } from '#server/learners/learner-application.ts';
import { call } from '#server/platform/calls/call.ts';
import { FlagNumber, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { conflict } from '#server/platform/calls/outcome.ts';
import { accessMessages } from '#server/school/rules.ts';
import { deliversTextMessages, schoolPolicy } from '#server/school/settings.ts';
import { ownLinks, removeOwnLink } from './learner-own-links.ts';
import { beginLearnerSignIn, completeLearnerSignIn, leaveAsLearner } from './learner-sign-in.ts';
import { knownProviders } from './provider.ts';
import { learnerAttempts, providerKinds } from './rules.ts';

const Kind = v.picklist(providerKinds);

const listWays = call({
  method: 'GET',
  path: '/api/app/session/ways',
  title: '登录方式',
  description:
    '凭服务令牌调用。code 为1时可以发送登录验证码；为0时学校没有开通短信，学员用密码登录，初始密码由学校按班级印发。providers 为学员可用的学校身份（统一身份认证、企业微信等），登录后由对方返回本系统的学员端（site 为本系统的地址）。',
  answer: v.object({
    code: FlagNumber,
    providers: v.array(v.object({ kind: Kind, name: v.string() })),
    /** Origin of this product as providers know it; '' if it is not configured. */
    site: v.string(),
  }),
  example: {
    answer: {
      code: 1,
      providers: [{ kind: 'oidc', name: '统一身份认证' }],
      site: 'https://jiaowu.example.edu.cn',
    },
  },
});

const browser = 'browser 为浏览器保存的随机密钥（43个字符），开始和完成时须相同。';

const beginIdentity = call({
  method: 'POST',
  path: '/api/app/session/identity',
  title: '开始用学校的身份登录',
  description: `凭服务令牌调用，应答为要在学员的浏览器中打开的地址。${browser}登录后对方返回本系统的学员端，所以只有与学员端同一地址的应用能完成；自己有账号的应用用 uid 登录。return_to 为登录后要打开的页面，user_agent 为学员浏览器的标识。同一设备 device 10分钟内最多有${learnerAttempts.ofDevice}次未完成的登录。`,
  bodyLimit: shortBodyBytes,
  body: v.object({
    provider: TypedText,
    browser: TypedText,
    return_to: TypedText,
    user_agent: TypedText,
    device: DeviceMark,
    address: DeviceAddress,
  }),
  answer: v.object({ address: v.string() }),
  secret: true,
  example: {
    body: {
      provider: 'oidc',
      browser: 'Zk0x0m6a8mSbn5dWmYQy4k2sWb1xRrYz3o9pQv7cTfE',
      return_to: '/learn',
      user_agent: 'Mozilla/5.0',
    },
    answer: { address: 'https://sso.example.edu.cn/authorize?client_id=jiaowu' },
  },
});

const completeIdentity = call({
  method: 'POST',
  path: '/api/app/session/identity/complete',
  title: '完成用学校的身份登录',
  description: `凭服务令牌调用，sent 为返回地址中的查询参数。${browser}每次登录只能完成一次，十分钟内有效。账号第一次登录时按学号对应到学员，学号须在全部学校中只有一人；此后按对方的标识，不再看学号。对应不上的等待教务确认，返回403。拒绝时 data.return_to 为原来要打开的页面。`,
  bodyLimit: shortBodyBytes,
  body: v.object({
    provider: TypedText,
    browser: TypedText,
    sent: TypedText,
    device: DeviceMark,
    address: DeviceAddress,
  }),
  answer: v.object({ token: v.string(), ends_at: Seconds, return_to: v.string() }),
  message: '登录成功',
  secret: true,
  example: {
    body: {
      provider: 'oidc',
      browser: 'Zk0x0m6a8mSbn5dWmYQy4k2sWb1xRrYz3o9pQv7cTfE',
      sent: 'code=4f1c&state=learn-Zk0x0m6a8mSbn5dWmYQy4k2sWb1xRrYz3o9pQv7cTfE',
    },
    answer: {
      token: 'learner_Zk0x0m6a8mSbn5dWmYQy4k2sWb1xRrYz3o9pQv7cTfE',
      ends_at: 1795190400,
      return_to: '/learn',
    },
  },
});

const leaveIdentity = call({
  method: 'POST',
  path: '/api/app/session/identity/end',
  title: '学员退出登录，并取得统一身份认证的退出地址',
  description: '凭学员令牌调用，此后该令牌失效。onwards 为对方的退出地址，应在浏览器中打开；不必打开时为空。',
  answer: v.object({ onwards: v.string() }),
  message: '已退出登录',
  whileSigningIn: 'settling',
  example: { answer: { onwards: '' } },
});

export const OwnLink = v.object({
  provider: Kind,
  provider_name: v.string(),
  /** Number and name at the provider. */
  number: v.string(),
  name: v.string(),
  /** When the learner last signed in by it. */
  used_at: Seconds,
  /** Why the link cannot be removed; '' if it can be. */
  fault: v.string(),
});
export type OwnLink = v.InferOutput<typeof OwnLink>;

const listOwnLinks = call({
  method: 'GET',
  path: '/api/app/identities',
  title: '学员的统一登录关联',
  description: '凭学员令牌调用：该学员已关联的账号。fault 不为空时不能解除。',
  answer: v.array(OwnLink),
  example: {
    answer: [
      {
        provider: 'oidc',
        provider_name: '统一身份认证',
        number: '20260012',
        name: '林小满',
        used_at: 1795147200,
        fault: '',
      },
    ],
  },
});

const removeOwn = call({
  method: 'POST',
  path: '/api/app/identities/remove',
  title: '解除学员的统一登录关联',
  description: '凭学员令牌调用。通过它的其他登录随即结束。唯一的登录方式不能解除，返回409。',
  bodyLimit: shortBodyBytes,
  body: v.object({ provider: TypedText }),
  answer: v.null(),
  message: '已解除关联',
  example: { body: { provider: 'oidc' } },
});

export const learnerIdentityCalls = [
  handleApplication(listWays, async (context) => {
    const { db, now } = context;
    const providers = (await knownProviders(db)).filter(({ forLearners }) => forLearners);
    return (
      applicationOnly(context) ?? {
        code: (await deliversTextMessages(db, now)) ? (1 as const) : (0 as const),
        providers: providers.map(({ kind, name }) => ({ kind, name })),
        site: (await schoolPolicy(db, now)).site_address,
      }
    );
  }),
  handleApplication(beginIdentity, {
    prepare: async ({ body, ...context }) => applicationOnly(context) ?? beginLearnerSignIn(context, body),
  }),
  handleApplication(completeIdentity, {
    prepare: async ({ body, ...context }) => applicationOnly(context) ?? completeLearnerSignIn(context, body),
  }),
  handleApplication(leaveIdentity, {
    // May ask the provider for its addresses, so it runs outside of a transaction.
    prepare: async (context) =>
      context.learner ? leaveAsLearner(context, context.learner) : conflict(accessMessages.learnerAlone),
  }),
  handleApplication(listOwnLinks, (context) =>
    context.learner ? ownLinks(context, context.learner) : conflict(accessMessages.learnerAlone),
  ),
  handleApplication(removeOwn, ({ body, ...context }) =>
    context.learner ? removeOwnLink(context, context.learner, body.provider) : conflict(accessMessages.learnerAlone),
  ),
];
