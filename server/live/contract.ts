import * as v from 'valibot';
import { ClassGroup } from '#server/calendar/contract.ts';
import { entryKinds } from '#server/calendar/rules.ts';
import { SearchId, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';

/** A period, a scheduled lesson (`course`) or a class meeting by its id, and the group to enter by. */
export const LiveQuery = v.object({ type: searchWord(entryKinds), id: SearchId, group_id: SearchId });
export type LiveQuery = v.InferOutput<typeof LiveQuery>;

/**
 * `go`: the provider's address, for this person alone. `choose`: several groups lead in. `unconfigured`: the way is
 * open, but the school has set up no provider for it. `group_id` is 0 outside of groups.
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
