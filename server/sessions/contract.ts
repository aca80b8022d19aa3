import * as v from 'valibot';
import {
  FlagNumber,
  page,
  pageOnly,
  paging,
  SearchDay,
  SearchId,
  Seconds,
  searchOneOf,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { attendanceStatuses, handoutStatuses, sessionStatuses, sessionTypes, teachingModes } from './rules.ts';

export const SessionFilter = v.object({
  start_at: SearchDay,
  end_at: SearchDay,
  status: searchOneOf(sessionStatuses),
  class_type: searchOneOf(sessionTypes),
  ...paging(),
});
export type SessionFilter = v.InferOutput<typeof SessionFilter>;

/** A scheduled lesson. Times in unix seconds; `time_name` is the local time of day. */
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
  /** How the lesson is taught: 1 live, 2 in person. */
  teaching_mode: v.picklist(teachingModes),
  room_name: v.string(),
  org_name: v.string(),
  /** Name of the lecturer. */
  nickname: v.string(),
  /** Student of a one-to-one lesson; 0 and '' in a group class. */
  user_id: v.number(),
  clue_name: v.string(),
  /** 1: screens hide the entry to the live room, because the lesson is in person or cancelled. */
  allow_enter: FlagNumber,
  created_at: Seconds,
});
export type SessionRow = v.InferOutput<typeof SessionRow>;

/** Lists the caller's own lessons: first those in progress, then future and past ones, each nearest first. */
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

/** Numbers of students: expected, present, on leave, absent. */
export const rosterFields = {
  should_arrive: v.number(),
  arrived: v.number(),
  leave: v.number(),
  truants: v.number(),
  /** Number of students without a record, in an in-person lesson whose roll was not called yet. */
  uncalled: v.number(),
};

export const SessionDetail = v.object({
  ...SessionRow.entries,
  classify_name: v.string(),
  grade_name: v.string(),
  sub_name: v.string(),
  /** Repeats `arrange_time` under another name. */
  start_play: Seconds,
  /** Address of an in-person lesson. */
  address: v.string(),
  file_status: v.picklist(handoutStatuses),
  file_remark: v.string(),
  file_name: v.string(),
  /** File id of the handout; 0 if there is none. */
  fid: v.number(),
  file_url: v.string(),
  /** Courseware for the live room. */
  get_ware_info: v.array(
    v.object({ id: v.number(), ware_id: v.number(), ware_name: v.string(), ware_filename: v.string() }),
  ),
  ...rosterFields,
});
export type SessionDetail = v.InferOutput<typeof SessionDetail>;

export const sessionDetail = call({
  method: 'GET',
  path: { teacher: 'teacherSchedule/detailClassTime/:id', assist: 'teamClass/classTime/detailClassTime/:id' },
  title: '课次详情',
  answer: SessionDetail,
});

export const scheduleDetail = call({
  method: 'GET',
  path: { teacher: 'teacherSchedule/scheduleDetail/:id' },
  title: '排课详情',
  answer: SessionRow,
});

/**
 * A student expected in the lesson. `id` is the id of the student's row in this lesson; `clue_id` is the student's id.
 */
export const SessionStudent = v.object({
  id: v.number(),
  clue_id: v.number(),
  clue_name: v.string(),
  mobile: v.string(),
  /** Present attendance (see `presentAttendance`). */
  status: v.nullable(v.picklist(attendanceStatuses)),
  /** How attendance was recorded: 0 not recorded, 1 by entering the live room, 2 by hand. */
  attend_type: v.picklist([0, 1, 2]),
  /** Reason given for attendance that was recorded by hand. */
  remark: v.string(),
  student_remark: v.string(),
  teacher_remark: v.string(),
});
export type SessionStudent = v.InferOutput<typeof SessionStudent>;

export const SessionStudentFilter = pageOnly();

export const sessionStudents = call({
  method: 'GET',
  path: {
    teacher: 'teacherSchedule/getClassTimeStudent/:id',
    assist: 'teamClass/classTime/student/getClassTimeStudent/:id',
  },
  title: '课次学员',
  query: SessionStudentFilter,
  answer: page(SessionStudent),
});

/**
 * Saves a lecturer's evaluation of a student. `:id` is the student's row in the lesson. An evaluation cannot be changed
 * later.
 */
export const evaluateStudent = call({
  method: 'PUT',
  path: { teacher: 'teacherSchedule/teacherRemark/:id' },
  title: '评价学员',
  body: v.object({ remark: TypedText }),
  answer: v.null(),
  message: '评价成功',
});

/**
 * Uploads the handout of a lesson: `fid` is the id of an uploaded courseware file, or `file_url` is the address that an
 * upload returned. `file_name` defaults to the name of the file.
 */
export const uploadNotes = call({
  method: 'POST',
  path: { teacher: 'teacherSchedule/detailClassTime/uploadNotes', assist: 'teamClass/classTime/uploadNotes' },
  title: '上传讲义',
  body: v.object({ class_times_id: SearchId, file_name: TypedText, file_url: TypedText, fid: SearchId }),
  answer: v.null(),
  message: '上传成功',
});

export const takeLeave = call({
  method: 'GET',
  alsoPost: true,
  path: { teacher: 'teacherSchedule/leave/:id' },
  title: '老师请假',
  answer: v.null(),
  message: '请假成功',
});

const Communication = v.object({
  id: v.number(),
  user_id: v.number(),
  clue_name: v.string(),
  content: v.string(),
  /** Name of the note's author. */
  nickname: v.string(),
  created_at: Seconds,
});
export type Communication = v.InferOutput<typeof Communication>;

export const CommunicationFilter = v.object({ user_id: SearchId, ...paging() });

/** Lists notes of talks, latest first; with `user_id` only about one student. */
export const listCommunications = call({
  method: 'GET',
  path: 'schedule/communication/:id',
  title: '沟通记录',
  query: CommunicationFilter,
  answer: page(Communication),
});

export const addCommunication = call({
  method: 'POST',
  path: 'schedule/communication/:id',
  title: '添加沟通记录',
  body: v.object({ user_id: SearchId, content: TypedText }),
  answer: v.null(),
  message: '添加成功',
});
