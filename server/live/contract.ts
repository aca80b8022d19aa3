import * as v from 'valibot';
import { ClassGroup } from '#server/calendar/contract.ts';
import { entryKinds } from '#server/calendar/rules.ts';
import { SearchId, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/**
 * Live room to enter: `id` is the id of a period, a lesson (`course`) or a class meeting. `group_id` is the group whose
 * room is entered.
 */
export const LiveQuery = v.object({ type: searchWord(entryKinds), id: SearchId, group_id: SearchId });
export type LiveQuery = v.InferOutput<typeof LiveQuery>;

/**
 * `go`: the provider's address, personal to this user. `choose`: the user has several groups to enter by.
 * `unconfigured`: entry is allowed, but the school has set up no provider. `group_id` 0: no group.
 */
export const LiveAnswer = v.variant('kind', [
  v.object({ kind: v.literal('go'), url: v.string() }),
  v.object({ kind: v.literal('choose'), title: v.string(), groups: v.array(ClassGroup) }),
  v.object({
    kind: v.literal('unconfigured'),
    title: v.string(),
    parameters: v.object({
      type: v.picklist(entryKinds),
      id: v.number(),
      group_id: v.number(),
      group_name: v.string(),
      is_playback: v.picklist([0, 1]),
    }),
  }),
]);
export type LiveAnswer = v.InferOutput<typeof LiveAnswer>;

export const enterLive = call({
  method: 'GET',
  path: 'live/enter',
  title: '进入直播间或查看回放',
  query: LiveQuery,
  answer: LiveAnswer,
});
