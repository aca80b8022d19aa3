/** Group classes, and attendance of their and of one-to-one lessons: for assistants only. */
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
  /** Students who are in it. */
  in_number: v.number(),
  grade_name: v.string(),
  classify_name: v.string(),
  sub_name: v.string(),
  /** The lecturer. */
  teacher_name: v.string(),
  /** Separated by 、. */
  assistant_name: v.string(),
  teaching_mode: v.picklist(teachingModes),
  room_name: v.string(),
  status: v.picklist(teamStatuses),
  /** When it meets, in words. */
  schedule: v.string(),
  sign_type_name: v.string(),
  created_at: Seconds,
  start_time: Seconds,
  remarks: v.string(),
});
export type TeamClassRow = v.InferOutput<typeof TeamClassRow>;

/** `extra.schools`: with more than one, the list says to which school a class belongs. */
export const TeamSchools = v.array(v.object({ id: v.number(), org_name: v.string() }));
export type TeamSchools = v.InferOutput<typeof TeamSchools>;

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
  /** When the student joined the class. */
  created_at: Seconds,
  /** The student's first lesson; 0 before it. */
  first_time: Seconds,
  org_name: v.string(),
  contracts_number: v.string(),
  sign_type_name: v.string(),
  /** Lessons that remain. */
  time: v.number(),
  /** Yuan of one lesson, two decimals at most. */
  periods_price: v.number(),
  /** Hours of one lesson, two decimals at most. */
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

/** `status` is the session's, `attendance` how the student stands in it by the clock. */
export const AttendanceCell = v.object({
  status: v.picklist(sessionStatuses),
  attendance: v.nullable(v.picklist(attendanceStatuses)),
  remarks: v.string(),
});
export type AttendanceCell = v.InferOutput<typeof AttendanceCell>;

/** The cells by `attendanceKey`; none of a session before which the student was not in the class. */
export const StudentAttendance = v.object({
  clue_id: v.number(),
  clue_name: v.string(),
  /** 1 in the class, 2 has left it: their records stay. */
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

/** Of a group class or of one-to-one lessons. */
export const setAttendance = call({
  method: 'GET',
  alsoPost: true,
  path: { assist: 'teamClass/classTime/student/setAttendance' },
  title: '设置团课或一对一课次的考勤',
  query: AttendanceChange,
  answer: v.null(),
  message: '操作成功',
});

// ---- calling the roll of a lesson: all of its students marked at once ------------------------------------

const Standing = v.nullable(v.picklist(attendanceStatuses, rollMessages.status));

export const SessionRollStudent = v.object({
  clue_id: v.number(),
  clue_name: v.string(),
  mobile: v.string(),
  /** As it stands now: see `presentAttendance`. */
  status: Standing,
  /** 0: nothing was recorded, the state follows from the clock. */
  is_recorded: FlagNumber,
  remark: v.string(),
});
export type SessionRollStudent = v.InferOutput<typeof SessionRollStudent>;

/** `called` 1: somebody is marked in a lesson in person. */
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
 * `from` is the state that was shown: who stands otherwise by now is named, and nobody is marked. `remark` is why those
 * attended whom the clock has as absent.
 */
export const callSessionRoll = call({
  method: 'POST',
  path: { assist: 'teamClass/classTime/rollcall/:id' },
  title: '保存课次点名',
  body: v.object({
    remark: TypedText,
    marks: v.array(v.object({ clue_id: bodyId(rollMessages.student), from: Standing, to: Standing })),
  }),
  /** Null: others have marked all of them the same. */
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
