/** Teaching calendars of a person and of a class, and the private addresses by which calendar programs read them. */
import * as v from 'valibot';
import { classTypes } from '#server/classes/rules.ts';
import { liveStatuses } from '#server/meetings/rules.ts';
import { FlagNumber, SearchDay, SearchId, Seconds, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { entryKinds, entryWays } from './rules.ts';

export const ClassGroup = v.object({
  group_name: v.string(),
  course_basis_id: v.number(),
  class_group_id: v.number(),
});
export type ClassGroup = v.InferOutput<typeof ClassGroup>;

/** An entry of a calendar. `id` is unique within its `kind`. Times in unix seconds, `advance_time` in minutes. */
export const CalendarCourse = v.object({
  kind: v.picklist(entryKinds),
  id: v.number(),
  period_title: v.string(),
  meeting_name: v.string(),
  class_name: v.string(),
  course_title: v.string(),
  /** Name of the lecturer; for a meeting, of the host. */
  nickname: v.string(),
  room_name: v.string(),
  start_play: Seconds,
  end_play: Seconds,
  live_status: v.picklist(liveStatuses),
  periods_type: v.number(),
  course_type: v.number(),
  is_playback: FlagNumber,
  /** 1: the live room cannot be entered. */
  allow_enter: FlagNumber,
  advance_time: v.number(),
  student_code: v.string(),
  assistant_code: v.string(),
  teacher_code: v.string(),
  periods_extend: FlagNumber,
  course_extend: FlagNumber,
  /** Groups whose rooms the user may enter: an assistant's own groups; for a lecturer all groups of the course. */
  class_list: v.array(ClassGroup),
  course_basis_id: v.number(),
  course_chapter_id: v.number(),
  /** Type of the class of a scheduled lesson: 3 group class, 1 one-to-one. 0 for other kinds of entries. */
  class_type: v.picklist(Object.values(classTypes)),
  is_cancelled: FlagNumber,
  entry: v.object({ way: v.picklist(entryWays), reason: v.string() }),
  /** 1: the user is a lecturer who may also enter the assistant rooms of the groups. */
  assistant_room: FlagNumber,
});
export type CalendarCourse = v.InferOutput<typeof CalendarCourse>;

/** Number of entries on a day (`yyyy-mm-dd`). Days without entries are left out. */
export const DayCount = v.object({ date: v.string(), count: v.number() });
export type DayCount = v.InferOutput<typeof DayCount>;

/**
 * Months to read. `date`: any day of the first month, today by default. `until`: any day of the last month; at most
 * three months in all.
 */
const MonthQuery = v.object({ date: SearchDay, until: SearchDay });
/**
 * Days to read. `date`: the first day, today by default. `until`: the last day, at most six weeks later; by default the
 * first day.
 */
const DaysQuery = v.object({ date: SearchDay, until: SearchDay });

/** State of a calendar screen: its view, and any day within it. */
export const calendarViews = ['month', 'week', 'day'] as const;
export const CalendarSearch = v.object({ view: searchWord(calendarViews), date: SearchDay });

export const monthCourses = call({
  method: 'GET',
  path: { teacher: 'teacher/month/course', assist: 'month/course' },
  title: '教学日历：当月各日课程数',
  query: MonthQuery,
  answer: v.array(DayCount),
});

export const dayCourses = call({
  method: 'GET',
  path: { teacher: 'teacher/courseCalendar', assist: 'courseCalendar' },
  title: '教学日历：当日课程',
  query: DaysQuery,
  answer: v.array(CalendarCourse),
});

export const classMonthCourses = call({
  method: 'GET',
  path: 'stateschoolclass/monthCourse/:classId',
  title: '班级教学日历：当月各日课程数',
  query: MonthQuery,
  answer: v.array(DayCount),
});

export const classDayCourses = call({
  method: 'GET',
  path: 'stateschoolclass/classCalendar/:classId',
  title: '班级教学日历：当日课程',
  query: DaysQuery,
  answer: v.array(CalendarCourse),
});

// ---- subscription feeds for calendar programs ---------------------------------------------------

/** Class of the feed; without it the actor's own calendar. */
const FeedOf = v.object({ class_id: SearchId });

/** A feed. Unix seconds. `created_at` null: there is no feed. `used_at` null: nobody has read it yet. */
export const CalendarFeed = v.object({ created_at: v.nullable(Seconds), used_at: v.nullable(Seconds) });
export type CalendarFeed = v.InferOutput<typeof CalendarFeed>;

export const calendarFeed = call({
  method: 'GET',
  path: 'calendar/feed',
  title: '日历订阅地址的状态',
  query: FeedOf,
  answer: CalendarFeed,
});

/**
 * Revokes the previous address and returns a new one. The new address is shown only in this answer, because the
 * database keeps only a hash of its token.
 */
export const renewCalendarFeed = call({
  method: 'POST',
  path: 'calendar/feed',
  title: '生成日历订阅地址',
  body: FeedOf,
  answer: v.object({ path: v.string() }),
  message: '订阅地址已生成',
});

export const revokeCalendarFeed = call({
  method: 'DELETE',
  path: 'calendar/feed',
  title: '停用日历订阅地址',
  query: FeedOf,
  answer: v.null(),
  message: '订阅地址已停用',
});

/** Path of a feed in the API; `feedPath` is the public path. */
export const feedApiPath = '/api/calendar/feed/:token';
export const feedPath = (token: string) => `/calendar/feed/${token}.ics`;
