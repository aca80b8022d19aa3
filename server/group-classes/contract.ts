/** Assistants' calls for group classes and for attendance of group and one-to-one lessons. */
import * as v from 'valibot';
import { UndoableRoll } from '#server/attendance/roll.contract.ts';
import {
  bodyId,
  FlagNumber,
  page,
  pageOnly,
  paging,
  SearchId,
  SearchText,
  Seconds,
  searchOneOf,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { rosterFields } from '#server/sessions/contract.ts';
import { attendanceStatuses, sessionStatuses, teachingModes } from '#server/sessions/rules.ts';
import { attendanceActions, rollMessages, teamStatuses } from './rules.ts';

export const TeamClassFilter = v.object({
  class_name: SearchText,
  org_id: SearchId,
  grade_id: SearchId,
  classify_id: SearchId,
  sub_id: SearchId,
  room_id: SearchId,
  status: searchOneOf(teamStatuses),
  teaching_mode: searchOneOf(teachingModes),
  ...paging(),
});
export type TeamClassFilter = v.InferOutput<typeof TeamClassFilter>;

export const TeamClassRow = v.object({
  id: v.number(),
  class_name: v.string(),
  org_name: v.string(),
  /** Number of current students. */
  in_number: v.number(),
  grade_name: v.string(),
  classify_name: v.string(),
  sub_name: v.string(),
  /** Name of the lecturer. */
  teacher_name: v.string(),
  /** Names of the assistants, separated by 、. */
  assistant_name: v.string(),
  teaching_mode: v.picklist(teachingModes),
  room_name: v.string(),
  status: v.picklist(teamStatuses),
  /** When the class regularly meets, as free text. */
  schedule: v.string(),
  sign_type_name: v.string(),
  created_at: Seconds,
  start_time: Seconds,
  remarks: v.string(),
});
export type TeamClassRow = v.InferOutput<typeof TeamClassRow>;

/** `extra.schools`: schools of the listed classes. If there are several, the list shows the school of each class. */
export const GroupClassSchools = v.array(v.object({ id: v.number(), org_name: v.string() }));
export type GroupClassSchools = v.InferOutput<typeof GroupClassSchools>;

export const listTeamClasses = call({
  method: 'GET',
  path: { assist: 'teamClass' },
  title: '团课班级列表',
  query: TeamClassFilter,
  answer: page(TeamClassRow),
});

export const showTeamClass = call({
  method: 'GET',
  path: { assist: 'teamClass/:id' },
  title: '团课班级信息',
  answer: TeamClassRow,
});

export const TeamStudent = v.object({
  clue_id: v.number(),
  clue_name: v.string(),
  mobile: v.string(),
  /** When the student joined. */
  created_at: Seconds,
  /** Start of the student's first lesson; 0 if there was none yet. */
  first_time: Seconds,
  org_name: v.string(),
  contracts_number: v.string(),
  sign_type_name: v.string(),
  time: v.number(),
  /** Yuan per lesson, at most two decimals. */
  periods_price: v.number(),
  /** Hours per lesson, at most two decimals. */
  class_time_hour: v.number(),
});
export type TeamStudent = v.InferOutput<typeof TeamStudent>;

export const TeamStudentFilter = pageOnly();

export const teamStudents = call({
  method: 'GET',
  path: { assist: 'teamClass/student/getTeamClassStudentList/:id' },
  title: '团课班级在读学员',
  query: TeamStudentFilter,
  answer: page(TeamStudent),
});

export const TeamSession = v.object({
  id: v.number(),
  arrange_time: Seconds,
  time_name: v.string(),
  status: v.picklist(sessionStatuses),
  chapter_title: v.string(),
  /** 1 live, 2 in person. */
  teaching_mode: v.picklist(teachingModes),
  ...rosterFields,
});
export type TeamSession = v.InferOutput<typeof TeamSession>;

export const teamSessions = call({
  method: 'GET',
  path: { assist: 'teamClass/classTime/list/:id' },
  title: '团课班级课次',
  query: pageOnly(),
  answer: page(TeamSession),
});

/** `status`: of the lesson. `attendance`: the student's attendance now. */
export const AttendanceCell = v.object({
  status: v.picklist(sessionStatuses),
  attendance: v.nullable(v.picklist(attendanceStatuses)),
  remarks: v.string(),
});
export type AttendanceCell = v.InferOutput<typeof AttendanceCell>;

/** A student's cells, by `attendanceKey`. Lessons that do not expect the student have no cell. */
export const StudentAttendance = v.object({
  clue_id: v.number(),
  clue_name: v.string(),
  /** 1: current member. 2: former member. */
  valid_status: v.picklist([1, 2]),
  attendance: v.record(v.string(), AttendanceCell),
});
export type StudentAttendance = v.InferOutput<typeof StudentAttendance>;

export const classAttendance = call({
  method: 'GET',
  path: { assist: 'teamClass/classTime/student/classAttendance/:id' },
  title: '团课班级考勤',
  answer: v.array(StudentAttendance),
});

export const AttendanceChange = v.object({
  class_id: SearchId,
  times_id: SearchId,
  clue_id: SearchId,
  type: searchOneOf(attendanceActions),
  remark: TypedText,
});

/**
 * Changes a student's attendance in a lesson of a group or one-to-one class. A GET that writes, as the specification
 * demands.
 */
export const setAttendance = call({
  method: 'GET',
  alsoPost: true,
  path: { assist: 'teamClass/classTime/student/setAttendance' },
  title: '设置团课或一对一课次的考勤',
  query: AttendanceChange,
  answer: v.null(),
  message: '操作成功',
});

// ---- roll call: marks all students of a lesson at once ---------------------------------------------------

const Standing = v.nullable(v.picklist(attendanceStatuses, rollMessages.status));

export const SessionRollStudent = v.object({
  clue_id: v.number(),
  clue_name: v.string(),
  mobile: v.string(),
  /** The student's attendance now, see `presentAttendance`. */
  status: Standing,
  /** 0: nothing is recorded, and the state is derived from the clock. */
  is_recorded: FlagNumber,
  remark: v.string(),
});
export type SessionRollStudent = v.InferOutput<typeof SessionRollStudent>;

/** `called` 1: the roll of this in-person lesson has been called. */
export const SessionRoll = v.object({
  id: v.number(),
  status: v.picklist(sessionStatuses),
  teaching_mode: v.picklist(teachingModes),
  called: FlagNumber,
  students: v.array(SessionRollStudent),
  undoable: v.nullable(UndoableRoll),
});

export const showSessionRoll = call({
  method: 'GET',
  path: { assist: 'teamClass/classTime/rollcall/:id' },
  title: '课次点名',
  answer: SessionRoll,
});

/**
 * Saves the attendance of several students. `from`: the state that the screen showed. If one has changed since, nothing
 * is saved and the message names the student. `remark`: reason for marking students present whom the clock counts as
 * absent.
 */
export const callSessionRoll = call({
  method: 'POST',
  path: { assist: 'teamClass/classTime/rollcall/:id' },
  title: '保存课次点名',
  body: v.object({
    remark: TypedText,
    marks: v.array(v.object({ clue_id: bodyId(rollMessages.student), from: Standing, to: Standing })),
  }),
  /** Null if others have already saved the same marks. */
  answer: v.nullable(UndoableRoll),
  message: '点名已保存',
});

export const undoSessionRoll = call({
  method: 'POST',
  path: { assist: 'teamClass/classTime/rollcall/undo/:rollId' },
  title: '撤销课次点名',
  answer: v.null(),
  message: '已撤销，考勤恢复为点名前',
});
