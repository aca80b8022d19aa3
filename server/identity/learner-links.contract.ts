/** Calls of administrators for links between providers' accounts and learners. */
import * as v from 'valibot';
import { page, SearchId, Seconds, TypedText } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { LinkFilter } from './contract.ts';
import { linkStates, providerKinds } from './rules.ts';

export const LearnerLinkRow = v.object({
  id: v.number(),
  provider: v.picklist(providerKinds),
  provider_name: v.string(),
  number: v.string(),
  name: v.string(),
  state: v.picklist(linkStates),
  created_at: Seconds,
  used_at: Seconds,
  student: v.nullable(v.object({ id: v.number(), nickname: v.string(), number: v.string(), school_name: v.string() })),
});
export type LearnerLinkRow = v.InferOutput<typeof LearnerLinkRow>;

export const listLearnerLinks = adminCall({
  method: 'GET',
  path: 'identity/learners',
  title: '学员的登录申请和关联',
  needs: 'people',
  query: LinkFilter,
  answer: page(LearnerLinkRow),
});

export const showLearnerLink = adminCall({
  method: 'GET',
  path: 'identity/learners/:id',
  title: '学员的登录申请详情',
  needs: 'people',
  answer: LearnerLinkRow,
});

export const approveLearnerLink = adminCall({
  method: 'POST',
  path: 'identity/learners/:id/approve',
  title: '关联学员',
  description: 'number 为学员的学号或手机号；几名学员的号码相同时用 school_id 指明学校。',
  needs: 'people',
  body: v.object({ number: TypedText, school_id: SearchId }),
  answer: v.null(),
  message: '已关联，对方可以登录了',
});

export const rejectLearnerLink = adminCall({
  method: 'POST',
  path: 'identity/learners/:id/reject',
  title: '拒绝学员的登录申请',
  needs: 'people',
  answer: v.null(),
  message: '已拒绝',
});

/** Removes a link. The account must be approved again before it can sign in. */
export const unlinkLearner = adminCall({
  method: 'POST',
  path: 'identity/learners/:id/unlink',
  title: '解除学员的关联',
  needs: 'people',
  answer: v.null(),
  message: '已解除，其用该方式的登录已结束',
});
