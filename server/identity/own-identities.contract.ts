import * as v from 'valibot';
import { FlagNumber, Seconds } from '#server/platform/calls/fields.ts';
import { callOfAllIdentities } from '#server/school/call.ts';
import { providerKinds } from './rules.ts';

/** An enabled provider, and the link of the user's account to it, if there is one. */
export const OwnIdentity = v.object({
  provider: v.picklist(providerKinds),
  provider_name: v.string(),
  is_linked: FlagNumber,
  /** The user's staff number at the provider; '' if not linked. */
  number: v.string(),
  /** The user's name at the provider; '' if not linked. */
  name: v.string(),
  /** When the user last signed in by this link, or made it; null if not linked. */
  used_at: v.nullable(Seconds),
  /** Why the link cannot be removed; '' if it can be, or if there is none. */
  fault: v.string(),
});
export type OwnIdentity = v.InferOutput<typeof OwnIdentity>;

export const listOwnIdentities = callOfAllIdentities({
  method: 'GET',
  path: 'account/identities',
  title: '本人的统一登录关联',
  description: '已启用的登录方式各一项。关联用开始登录的接口，凭本人的令牌并带 link。',
  answer: v.array(OwnIdentity),
});

export const unlinkOwn = callOfAllIdentities({
  method: 'DELETE',
  path: 'account/identities/:provider',
  title: '解除本人的统一登录关联',
  description: '通过它的其他登录随即结束。唯一的登录方式不能解除。',
  params: { provider: v.picklist(providerKinds) },
  answer: v.null(),
  message: '已解除关联',
});
