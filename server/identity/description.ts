import * as v from 'valibot';
import { SignedIn } from '#server/account/sign-in.contract.ts';
import { type Operation, plainOperation } from '#server/platform/calls/describe.ts';
import { passwordRules } from '#server/settings/rules.ts';
import { providerKinds } from './rules.ts';
import {
  backChannelPath,
  beginSignInPath,
  casServicePath,
  completeSignInPath,
  signInMethodsPath,
  signOutPath,
} from './sign-in.contract.ts';

const tags = ['登录'];
const provider = v.picklist(providerKinds);
const browser = v.string();

export const identityDescription: Record<string, Record<string, Operation>> = {
  [signInMethodsPath]: {
    get: plainOperation(
      signInMethodsPath,
      { tags, summary: '登录方式', description: '不需要登录。', security: [] },
      {
        answer: v.object({
          providers: v.array(v.object({ kind: provider, name: v.string() })),
          passwords: v.picklist(passwordRules),
          site: v.string(),
        }),
      },
    ),
  },
  [beginSignInPath]: {
    post: plainOperation(
      beginSignInPath,
      {
        tags,
        summary: '开始用学校的身份登录',
        description:
          'browser 为浏览器保存的随机密钥（43个字符），完成时须相同。应答为要打开的地址。凭令牌并带 link 时，不是登录，而是把对方的身份关联到本人。',
        security: [],
      },
      {
        body: v.object({ provider, return_to: v.string(), browser, link: v.optional(v.string()) }),
        answer: v.object({ address: v.string() }),
      },
    ),
  },
  [completeSignInPath]: {
    post: plainOperation(
      completeSignInPath,
      {
        tags,
        summary: '完成用学校的身份登录',
        description:
          'sent 为返回地址中的查询参数。每次登录只能完成一次，十分钟内有效；尚未登记的人等待教务确认。关联时须带开始时的令牌，应答为 {is_linking: 1, return_to}。',
        security: [],
      },
      {
        body: v.object({ provider, browser, sent: v.string() }),
        answer: v.object({ ...SignedIn.entries, return_to: v.string() }),
      },
    ),
  },
  [signOutPath]: {
    post: plainOperation(
      signOutPath,
      { tags, summary: '退出登录，并取得统一身份认证的退出地址' },
      { answer: v.object({ onwards: v.string() }) },
    ),
  },
  [casServicePath]: {
    get: plainOperation(casServicePath, { tags, summary: 'CAS 登录后返回', security: [] }),
    post: plainOperation(casServicePath, { tags, summary: 'CAS 单点退出通知', security: [] }),
  },
  [backChannelPath]: {
    post: plainOperation(backChannelPath, {
      tags,
      summary: 'OpenID Connect 退出通知（Back-Channel Logout）',
      security: [],
    }),
  },
};
