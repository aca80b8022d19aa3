/** Administrators' calls for the records of a student, kind by kind. */

import * as v from 'valibot';
import { FlagNumber, page, pageOnly, Seconds } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';

/**
 * An enrolment in a class. A student who returns to a class has several. `left_at` is null while the enrolment lasts.
 * `leaving_at`: planned end.
 */
export const StudentStay = v.object({
  class_id: v.number(),
  class_name: v.string(),
  class_type: v.number(),
  is_running: FlagNumber,
  /** 1: the present or latest enrolment. */
  is_latest: FlagNumber,
  joined_at: Seconds,
  left_at: v.nullable(Seconds),
  left_reason: v.string(),
  leaving_at: v.nullable(Seconds),
});
export type StudentStay = v.InferOutput<typeof StudentStay>;

export const listStudentStays = adminCall({
  method: 'GET',
  path: 'students/:id/classes',
  looks: true,
  title: '学员的班级',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentStay),
});

export const StudentHomework = v.object({
  id: v.number(),
  homework_id: v.number(),
  name: v.string(),
  course: v.string(),
  class_id: v.number(),
  class_name: v.string(),
  ending_time: Seconds,
  /** 1: the homework was recalled. */
  is_recalled: FlagNumber,
  status: v.picklist([1, 2, 3]),
  submit_time: v.nullable(Seconds),
  /** Points, or percent in rated homework; null until graded. */
  score: v.nullable(v.number()),
  total: v.number(),
});
export type StudentHomework = v.InferOutput<typeof StudentHomework>;

export const listStudentHomework = adminCall({
  method: 'GET',
  path: 'students/:id/homework',
  looks: true,
  title: '学员的作业',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentHomework),
});

export const StudentExam = v.object({
  id: v.number(),
  exam_id: v.number(),
  name: v.string(),
  submit_time: Seconds,
  /** Time spent on the exam, in seconds. */
  answer_time: v.number(),
  test_status: v.picklist([2, 3]),
  /** Score in points. */
  score: v.number(),
  total: v.number(),
  /** Null while grading is pending, and for exams without scores. */
  is_passed: v.nullable(FlagNumber),
});
export type StudentExam = v.InferOutput<typeof StudentExam>;

export const listStudentExams = adminCall({
  method: 'GET',
  path: 'students/:id/exams',
  looks: true,
  title: '学员的考试',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentExam),
});

/** A past lesson: a period of a course with attendance (`op_status`), or a scheduled lesson (`status`). */
export const StudentLesson = v.object({
  kind: v.picklist(['period', 'session']),
  id: v.number(),
  title: v.string(),
  course: v.string(),
  class_id: v.number(),
  class_name: v.string(),
  start: Seconds,
  /** Attendance in words. */
  state: v.string(),
  /** Attendance: 1 attended, 2 excused, 3 absent, 0 none of these. */
  attended: v.picklist([0, 1, 2, 3]),
});
export type StudentLesson = v.InferOutput<typeof StudentLesson>;

export const listStudentAttendance = adminCall({
  method: 'GET',
  path: 'students/:id/attendance',
  looks: true,
  title: '学员的考勤',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentLesson),
});

export const StudentLeave = v.object({
  id: v.number(),
  class_id: v.number(),
  class_name: v.string(),
  course: v.string(),
  title: v.string(),
  start: Seconds,
  cause: v.string(),
  state: v.string(),
  is_waiting: FlagNumber,
  requested_at: Seconds,
  decided_at: v.nullable(Seconds),
  decided_by: v.string(),
});
export type StudentLeave = v.InferOutput<typeof StudentLeave>;

export const listStudentLeave = adminCall({
  method: 'GET',
  path: 'students/:id/leave',
  looks: true,
  title: '学员的请假',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentLeave),
});

export const StudentTalk = v.object({
  id: v.number(),
  content: v.string(),
  by: v.string(),
  at: Seconds,
  class_name: v.string(),
  start: Seconds,
});
export type StudentTalk = v.InferOutput<typeof StudentTalk>;

export const listStudentTalks = adminCall({
  method: 'GET',
  path: 'students/:id/communication',
  looks: true,
  title: '学员的沟通记录',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentTalk),
});

export const StudentEvent = v.object({
  id: v.number(),
  at: Seconds,
  /** Name of the author; '' for the command line and for users who were not signed in. */
  by: v.string(),
  action: v.string(),
  /** Name of the class, if the change is about an enrolment. */
  class_name: v.string(),
  /** One line of text per changed field. */
  changes: v.array(v.string()),
});
export type StudentEvent = v.InferOutput<typeof StudentEvent>;

export const listStudentHistory = adminCall({
  method: 'GET',
  path: 'students/:id/history',
  looks: true,
  title: '学员的操作记录',
  needs: 'people',
  query: pageOnly(),
  answer: page(StudentEvent),
});
