/** Scheduled lessons (document 3, section 3, class session). */
import * as v from 'valibot';
import { call } from '#server/http/call.ts';
import { FlagNumber, page, paging, SearchDay, Seconds, searchOneOf } from '#server/http/fields.ts';

/** 1 held, 2 not yet held, 3 in progress, 4 cancelled (document 3, section 4). */
export const sessionStatuses = [1, 2, 3, 4] as const;
export const cancelled = 4;
/** 1 a one-to-one lesson, 3 a lesson of a group class. */
export const sessionTypes = [1, 3] as const;

export const SessionFilter = v.object({
  start_at: SearchDay,
  end_at: SearchDay,
  status: searchOneOf(sessionStatuses),
  class_type: searchOneOf(sessionTypes),
  ...paging(),
});
export type SessionFilter = v.InferOutput<typeof SessionFilter>;

/** A scheduled lesson. Times in unix seconds; `time_name` is its time of day in the school's zone. */
export const SessionRow = v.object({
  id: v.number(),
  status: v.picklist(sessionStatuses),
  class_type: v.picklist(sessionTypes),
  arrange_time: Seconds,
  time_name: v.string(),
  end_time: Seconds,
  class_id: v.number(),
  class_name: v.string(),
  course_id: v.number(),
  course_title: v.string(),
  period_id: v.nullable(v.number()),
  period_title: v.string(),
  chapter_title: v.string(),
  /** 1 live, 2 in person. */
  teaching_mode: v.picklist([1, 2]),
  room_name: v.string(),
  org_name: v.string(),
  /** The lecturer. */
  nickname: v.string(),
  /** The student of a one-to-one lesson; 0 and no name for the lesson of a whole class. */
  user_id: v.number(),
  clue_name: v.string(),
  /** 1 hides the way into the live room: a lesson in person, or one that is cancelled. */
  allow_enter: FlagNumber,
  created_at: Seconds,
});
export type SessionRow = v.InferOutput<typeof SessionRow>;

/** The signed-in person's own sessions, the latest first. */
export const listSessions = call({
  method: 'GET',
  path: 'schedule/list',
  title: '我的排课',
  query: SessionFilter,
  answer: page(SessionRow),
});

export const showSession = call({
  method: 'GET',
  path: 'schedule/detail/:id',
  title: '课次信息',
  answer: SessionRow,
});
