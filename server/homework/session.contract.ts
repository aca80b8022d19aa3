/** Homework of lessons and of group classes. */
import * as v from 'valibot';
import { page, paging, SearchDay, SearchId, SearchText, Seconds, searchOneOf } from '#server/platform/calls/fields.ts';

import { call } from '#server/school/call.ts';

const SessionHomework = v.object({
  hw_id: v.number(),
  name: v.string(),
  /** Status of the homework: 1 published, 2 recalled. */
  hw_status: v.picklist([1, 2]),
  submit: v.number(),
  shouldSubmit: v.number(),
  notRevise: v.number(),
  revised: v.number(),
  ending_time: Seconds,
  publish_time: Seconds,
  creator_name: v.string(),
});
export type SessionHomework = v.InferOutput<typeof SessionHomework>;

export const sessionHomework = call({
  method: 'GET',
  path: 'arrangeHomework/getHomeWorkRecord',
  title: '课次的作业',
  /** `type_id` is the id of a lesson. `type` is always 3. */
  query: v.object({ type: searchOneOf([3]), type_id: SearchId, ...paging() }),
  answer: page(SessionHomework),
});

/** `start_time` and `end_time` are the first and the last day of publication. */
export const TeamHomeworkFilter = v.object({
  hw_name: SearchText,
  start_time: SearchDay,
  end_time: SearchDay,
  ...paging(),
});

/** Lists the homework of a group class (`class_id`). `type` is always 3. */
export const teamHomework = call({
  method: 'GET',
  path: { assist: 'arrangeHomework/getClassHomeWorkRecord' },
  title: '团课班级的作业',
  query: v.object({ ...TeamHomeworkFilter.entries, type: searchOneOf([3]), class_id: SearchId }),
  answer: page(SessionHomework),
});
