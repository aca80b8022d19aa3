/** Calls of administrators for the tokens of the school's applications: create, bind to schools, revoke. */

import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  maxId,
  OneLine,
  page,
  paging,
  SearchFlag,
  SearchIds,
  SearchText,
  Seconds,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { isServiceAddress } from '#server/settings/rules.ts';
import { learnerEventKinds, replayLimit, tokenMessages, tokenNameLimit, webhookMessages } from './rules.ts';

/** States of a token or OneRoster client of an application. `ended`: it was revoked. */
export const accessStates = ['in-use', 'ended'] as const;

export const AccessFilter = v.object({ name: SearchText, state: searchWord(accessStates), ...paging() });
export type AccessFilter = v.InferOutput<typeof AccessFilter>;

export const TokenRow = v.object({
  id: v.number(),
  name: v.string(),
  every_school: FlagNumber,
  schools: v.array(IdAndName),
  created_at: Seconds,
  /** When the token was last used; null if never. */
  used_at: v.nullable(Seconds),
  /** When the token was revoked; null if it is in use. */
  ended_at: v.nullable(Seconds),
});
export type TokenRow = v.InferOutput<typeof TokenRow>;

export const listTokens = adminCall({
  method: 'GET',
  path: 'tokens',
  title: '应用令牌列表',
  needs: 'settings',
  query: AccessFilter,
  answer: page(TokenRow),
});

export const showToken = adminCall({
  method: 'GET',
  path: 'tokens/:id',
  title: '应用令牌详情',
  needs: 'settings',
  answer: TokenRow,
});

export const tokenSchools = adminCall({
  method: 'GET',
  path: 'tokens/schools',
  title: '可选的学校',
  needs: 'settings',
  answer: v.array(IdAndName),
});

export const NewToken = v.object({ name: TypedText, every_school: SearchFlag, school_ids: SearchIds });
export type NewToken = v.InferOutput<typeof NewToken>;

/** Fields of a new access: a name of at most `most` characters, and schools. */
export const accessEntries = (messages: { noName: string; nameLength: string }, most: number) => ({
  name: v.pipe(
    OneLine,
    v.nonEmpty(messages.noName),
    v.check((name) => lengthOf(name) <= most, messages.nameLength),
  ),
  every_school: v.optional(FlagNumber, 0),
  school_ids: v.array(v.number()),
});

export const CompleteToken = v.object(accessEntries(tokenMessages, tokenNameLimit));

export const MadeToken = v.object({ id: v.number(), name: v.string(), token: v.string() });
export type MadeToken = v.InferOutput<typeof MadeToken>;

export const addToken = adminCall({
  method: 'POST',
  path: 'tokens',
  title: '生成应用令牌',
  description: '令牌只在本次应答中出现。',
  needs: 'settings',
  body: NewToken,
  answer: MadeToken,
  message: '令牌已生成',
  secret: true,
});

export const endToken = adminCall({
  method: 'POST',
  path: 'tokens/:id/end',
  title: '停用应用令牌',
  needs: 'settings',
  answer: v.null(),
  message: '令牌已停用',
});

// ---- Webhooks of applications ----------------------------------------------------------------------------

export const Webhook = v.object({
  /** Address of the webhook; '' if there is none. */
  url: v.string(),
  events: v.array(v.picklist(learnerEventKinds)),
  created_at: v.nullable(Seconds),
  /** Number of undelivered messages, and the last error. */
  waiting: v.number(),
  error: v.string(),
});
export type Webhook = v.InferOutput<typeof Webhook>;

export const showWebhook = adminCall({
  method: 'GET',
  path: 'tokens/:id/webhook',
  title: '应用的通知地址',
  needs: 'settings',
  answer: Webhook,
});

export const WrittenWebhook = v.object({
  url: TypedText,
  events: v.fallback(v.optional(v.array(v.string()), []), []),
});
export type WrittenWebhook = v.InferOutput<typeof WrittenWebhook>;

export const CompleteWebhook = v.object({
  url: v.pipe(OneLine, v.check(isServiceAddress, webhookMessages.url)),
  events: v.pipe(
    v.array(v.string()),
    v.transform((events) => learnerEventKinds.filter((kind) => events.includes(kind))),
    v.minLength(1, webhookMessages.events),
  ),
});

export const setWebhook = adminCall({
  method: 'PUT',
  path: 'tokens/:id/webhook',
  title: '设置应用的通知地址',
  description:
    '事件以 POST 发送，X-Signature 为 t=<时间>,v1=<HMAC-SHA256(密钥, 时间.正文)>，至少送达一次，同一学员按先后顺序。密钥只在本次应答中出现，再次设置时更换。',
  needs: 'settings',
  body: WrittenWebhook,
  answer: v.object({ secret: v.string() }),
  message: '通知地址已保存',
  secret: true,
});

export const endWebhook = adminCall({
  method: 'POST',
  path: 'tokens/:id/webhook/end',
  title: '停止应用的通知',
  needs: 'settings',
  answer: v.null(),
  message: '已停止通知',
});

export const replayWebhook = adminCall({
  method: 'POST',
  path: 'tokens/:id/webhook/replay',
  title: '重新发送应用的通知',
  description: `重新发送 since（事件 id）之后的事件，一次最多${replayLimit}条。`,
  needs: 'settings',
  body: v.object({ since: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxId)), 0) }),
  answer: v.object({ count: v.number(), since: v.number() }),
  message: '已重新发送',
});
