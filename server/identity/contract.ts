import * as v from 'valibot';
import { NewStaff } from '#server/account/staff.contract.ts';
import {
  FlagNumber,
  OneLine,
  page,
  paging,
  SearchFlag,
  SearchText,
  Seconds,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { TestResult } from '#server/settings/contract.ts';
import { passwordRules } from '#server/settings/rules.ts';
import { linkStates, providerKinds, providerMessages, providerNameLimit } from './rules.ts';

const Kind = v.picklist(providerKinds);

/**
 * `has_secret`: the secret itself is never shown. `from_environment` 1: an environment variable sets the secret.
 * `linked`, `linked_learners`: number of staff and of learners linked to the provider.
 */
export const Provider = v.object({
  kind: Kind,
  name: v.string(),
  is_set: FlagNumber,
  /** 1: staff sign in by it. */
  is_on: FlagNumber,
  for_learners: FlagNumber,
  address: v.string(),
  client_id: v.string(),
  organization: v.string(),
  scope: v.string(),
  claim: v.string(),
  learner_claim: v.string(),
  asks_code: FlagNumber,
  has_secret: FlagNumber,
  from_environment: FlagNumber,
  linked: v.number(),
  linked_learners: v.number(),
  /** URLs that the school enters in the provider's console: the return URL, and the URL for logout notifications. */
  back: v.string(),
  told: v.string(),
  seen: v.string(),
});
export type Provider = v.InferOutput<typeof Provider>;

/** `administrators`: those who can be the emergency account. `seen`: version, sent back with the form. */
export const IdentitySettings = v.object({
  providers: v.array(Provider),
  ways: v.object({
    site_address: v.string(),
    password_sign_in: v.picklist(passwordRules),
    emergency_staff: v.string(),
    administrators: v.array(v.object({ id: v.number(), name: v.string() })),
    seen: v.string(),
  }),
});
export type IdentitySettings = v.InferOutput<typeof IdentitySettings>;

export const showIdentity = adminCall({
  method: 'GET',
  path: 'identity',
  title: '统一登录设置',
  needs: 'settings',
  answer: IdentitySettings,
});

const params = { kind: Kind };

/** An empty secret keeps the stored one. */
const written = {
  name: TypedText,
  address: TypedText,
  client_id: TypedText,
  secret: TypedText,
  organization: TypedText,
  scope: TypedText,
  claim: TypedText,
  learner_claim: TypedText,
  asks_code: SearchFlag,
};
export const EditedProvider = v.object({ ...written, is_on: SearchFlag, for_learners: SearchFlag, seen: TypedText });
export type EditedProvider = v.InferOutput<typeof EditedProvider>;

const field = v.pipe(v.string(), v.trim(), v.maxLength(500, providerMessages.length));
export const CompleteProvider = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(providerMessages.noName),
    v.check((name) => lengthOf(name) <= providerNameLimit, providerMessages.nameLength),
  ),
  address: field,
  client_id: field,
  secret: field,
  organization: field,
  scope: field,
  claim: field,
  learner_claim: field,
  asks_code: v.optional(FlagNumber, 0),
});

export const saveProvider = adminCall({
  method: 'PUT',
  path: 'identity/providers/:kind',
  title: '保存登录方式',
  description: 'secret 为空时保留原密钥。',
  needs: 'settings',
  params,
  body: EditedProvider,
  answer: v.null(),
  message: '保存成功',
});

export const tryProvider = adminCall({
  method: 'POST',
  path: 'identity/providers/:kind/try',
  title: '试连登录方式',
  description: '向所填的服务发出请求，返回对方应答的状态码。不保存设置。',
  needs: 'settings',
  params,
  body: v.object(written),
  answer: TestResult,
});

export const WrittenSignInMethods = v.object({
  site_address: TypedText,
  password_sign_in: TypedText,
  emergency_staff: TypedText,
  seen: TypedText,
});
export type WrittenSignInMethods = v.InferOutput<typeof WrittenSignInMethods>;

export const saveSignInMethods = adminCall({
  method: 'PUT',
  path: 'identity/ways',
  title: '保存密码登录和本系统的地址',
  needs: 'settings',
  body: WrittenSignInMethods,
  answer: v.null(),
  message: '保存成功',
});

// ---- links ------------------------------------------------------------------------------------------

export const LinkFilter = v.object({
  name: SearchText,
  state: searchWord(linkStates),
  provider: searchWord(providerKinds),
  ...paging(),
});
export type LinkFilter = v.InferOutput<typeof LinkFilter>;

export const LinkRow = v.object({
  id: v.number(),
  provider: Kind,
  provider_name: v.string(),
  number: v.string(),
  name: v.string(),
  state: v.picklist(linkStates),
  created_at: Seconds,
  used_at: Seconds,
  staff: v.nullable(v.object({ id: v.number(), name: v.string(), username: v.string() })),
});
export type LinkRow = v.InferOutput<typeof LinkRow>;

export const listLinks = adminCall({
  method: 'GET',
  path: 'identity/links',
  title: '登录申请和关联',
  needs: 'people',
  query: LinkFilter,
  answer: page(LinkRow),
});

export const showLink = adminCall({
  method: 'GET',
  path: 'identity/links/:id',
  title: '登录申请详情',
  needs: 'people',
  answer: LinkRow,
});

export const approveLink = adminCall({
  method: 'POST',
  path: 'identity/links/:id/approve',
  title: '关联已有人员',
  needs: 'people',
  body: v.object({ username: TypedText }),
  answer: v.null(),
  message: '已关联，对方可以登录了',
});

export const approveNewStaff = adminCall({
  method: 'POST',
  path: 'identity/links/:id/add',
  title: '添加人员并关联',
  needs: 'people',
  body: NewStaff,
  answer: v.object({ id: v.number() }),
  message: '已添加并关联，对方可以登录了',
});

export const rejectLink = adminCall({
  method: 'POST',
  path: 'identity/links/:id/reject',
  title: '拒绝登录申请',
  needs: 'people',
  answer: v.null(),
  message: '已拒绝',
});

/** Removes a link. The person must be approved again before they can sign in by this provider. */
export const unlink = adminCall({
  method: 'POST',
  path: 'identity/links/:id/unlink',
  title: '解除关联',
  needs: 'people',
  answer: v.null(),
  message: '已解除，其用该方式的登录已结束',
});
