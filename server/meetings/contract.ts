import * as v from 'valibot';
import {
  FlagNumber,
  fieldsRule,
  OneLine,
  page,
  pageOnly,
  required,
  SearchId,
  SearchSeconds,
  Seconds,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { call } from '#server/school/call.ts';
import { liveStatuses, meetingMessages, meetingNameLimit } from './rules.ts';

export const Meeting = v.object({
  id: v.number(),
  class_id: v.number(),
  meeting_name: v.string(),
  start_time: Seconds,
  end_time: Seconds,
  live_status: v.picklist(liveStatuses),
  /** Number of students who attended, and number of class members who have not attended. */
  join_num: v.number(),
  not_join_num: v.number(),
  /** Name of the host. */
  teacher_name: v.string(),
  /** Id of the room at the provider of live rooms. */
  room_id: v.string(),
  /** 1: the caller may delete the meeting, and edit it until it ends. */
  is_can_edit: FlagNumber,
  /** 1: the caller hosts the meeting or is staff of its class, and may enter until it ends. */
  is_can_enter: FlagNumber,
});
export type Meeting = v.InferOutput<typeof Meeting>;

/** Lists the meetings of a class: live ones first, then upcoming, then past ones. */
export const listMeetings = call({
  method: 'GET',
  path: 'class/meeting/lists/:classId',
  title: '班会列表',
  query: pageOnly(),
  answer: page(Meeting),
});

export const showMeeting = call({ method: 'GET', path: 'class/meeting/:id', title: '班会', answer: Meeting });

/** Join codes of a meeting. The codes of lecturers and assistants are '' for callers who may not enter. */
export const JoinCodes = v.object({ teacher_code: v.string(), assistant_code: v.string(), student_code: v.string() });
export type JoinCodes = v.InferOutput<typeof JoinCodes>;

export const meetingCodes = call({
  method: 'GET',
  path: 'class/meeting/code/:id',
  title: '班会参会码',
  answer: JoinCodes,
});

export const Participant = v.object({
  id: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  is_join: FlagNumber,
  /** When the student first entered; 0 if never. */
  join_time: Seconds,
});
export type Participant = v.InferOutput<typeof Participant>;

/**
 * Returns the attendance of a meeting. `list`: attendees in order of entry, then absent students. 409: not started yet.
 */
export const meetingStatistics = call({
  method: 'GET',
  path: 'class/meeting/statistics/:id',
  title: '班会统计',
  fromReplica: true,
  answer: v.object({ ...Meeting.entries, list: v.array(Participant) }),
});

export const WrittenMeeting = v.object({
  meeting_name: TypedText,
  start_time: SearchSeconds,
  end_time: SearchSeconds,
});
export type WrittenMeeting = v.InferOutput<typeof WrittenMeeting>;

/** Required fields of a meeting; the form and the API check them. Rules that need the clock run separately. */
export const CompleteMeeting = v.pipe(
  v.object({
    meeting_name: v.pipe(
      OneLine,
      v.nonEmpty(meetingMessages.name),
      v.check((name) => lengthOf(name) <= meetingNameLimit, meetingMessages.nameLength),
    ),
    start_time: required(meetingMessages.start),
    end_time: required(meetingMessages.end),
  }),
  fieldsRule(['start_time', 'end_time'], ({ start_time, end_time }) => end_time > start_time, meetingMessages.order),
);

export const createMeeting = call({
  method: 'POST',
  path: 'class/meeting',
  title: '创建班会',
  body: v.object({ ...WrittenMeeting.entries, class_id: SearchId }),
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editMeeting = call({
  method: 'PUT',
  path: 'class/meeting/:id',
  title: '编辑班会',
  body: WrittenMeeting,
  answer: v.null(),
  message: '编辑成功',
});

export const deleteMeeting = call({
  method: 'DELETE',
  path: 'class/meeting/:id',
  title: '删除班会',
  answer: v.null(),
  message: '删除成功',
});
