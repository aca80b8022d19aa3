/** Study statistics: of the students of a class, of one student, and of one course with its lessons. */

import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  page,
  pageOnly,
  paging,
  SearchId,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { UndoableRoll } from './roll.contract.ts';
import { attendanceCategories, opStatuses } from './rules.ts';
import { LessonStatus, OpStatusCode } from './status.contract.ts';

const Url = v.object({ url: v.string() });

// ---- study statistics of a class -------------------------------------------------------------------

const studyFilterFields = { nickname: SearchText, mobile: SearchText, org_id: SearchId };

export const studySortFields = [
  'study_length',
  'progress_rate',
  'attend_times',
  'leave_times',
  'truant_times',
  'uncalled_times',
  'hw_submit_times',
] as const;

/** Filters of the study statistics. Students are in order of joining, unless `sort_field` is given. */
export const StudyFilter = v.object({
  ...studyFilterFields,
  sort_field: searchWord(studySortFields),
  sort: SortDirection,
  ...paging(),
});
export type StudyFilter = v.InferOutput<typeof StudyFilter>;

/** Study figures of a student or of a course. */
const StudyFigures = v.object({
  /** Seconds watched live or as playback, except in text and face-to-face courses. */
  study_length: v.number(),
  /** Percent of the length of these courses that was watched; decimals are cut off. */
  progress_rate: v.number(),
  attend_times: v.number(),
  leave_times: v.number(),
  truant_times: v.number(),
  /** Number of face-to-face lessons whose roll was not called. */
  uncalled_times: v.number(),
  hw_submit_times: v.number(),
  hw_assign_times: v.number(),
});
export type StudyFigures = v.InferOutput<typeof StudyFigures>;

export const StudyRow = v.object({
  /** Id of the membership, by which the student's detail is read. */
  id: v.number(),
  uid: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  org_name: v.string(),
  ...StudyFigures.entries,
});
export type StudyRow = v.InferOutput<typeof StudyRow>;

/** `extra.schools`: schools of the class's students, as choices for the filter. */
export const StudyExtra = v.object({ schools: v.array(IdAndName) });

export const classStudy = call({
  method: 'GET',
  path: 'stateschoolclass/studyanalysis/:classId',
  title: '班级学习统计',
  fromReplica: true,
  query: StudyFilter,
  answer: page(StudyRow),
});

export const exportClassStudy = call({
  method: 'POST',
  path: 'stateschoolclass/studyanalysis/export',
  title: '导出班级学习统计',
  fromReplica: true,
  reads: true,
  body: v.object({ class_id: SearchId, ...studyFilterFields }),
  answer: Url,
});

// ---- one student ---------------------------------------------------------------------------------------

/** A membership, as listed by `stateschoolstudent`. `join_type`: see `joinTypeNames`. */
export const ClassMember = v.object({
  id: v.number(),
  uid: v.number(),
  class_id: v.number(),
  class_name: v.string(),
  nickname: v.string(),
  mobile: v.string(),
  created_at: Seconds,
  join_type: v.number(),
  /** When the student left the class; 0 for current members. */
  left_at: Seconds,
});
export type ClassMember = v.InferOutput<typeof ClassMember>;

export const showClassMember = call({
  method: 'GET',
  path: 'stateschoolstudent/:id',
  looks: true,
  title: '班级学员详情',
  answer: ClassMember,
});

export const StudyCourse = v.object({
  course_basis_id: v.number(),
  title: v.string(),
  course_type: v.number(),
  section_num: v.number(),
  ...StudyFigures.entries,
});
export type StudyCourse = v.InferOutput<typeof StudyCourse>;

export const studyCourses = call({
  method: 'GET',
  path: 'stateschoolstudent/studycourses/:id',
  looks: true,
  title: '学员的课程',
  query: pageOnly(),
  answer: page(StudyCourse),
});

export const StudyPeriod = v.object({
  id: v.number(),
  title: v.string(),
  start_play: Seconds,
  /** Length of the period in seconds. */
  total_time: v.number(),
  study_length: v.number(),
  progress_rate: v.number(),
  op_status: OpStatusCode,
  /** Id of the latest leave request, or null. */
  leave_id: v.nullable(v.number()),
  leave_cause: v.string(),
  periods_type: v.number(),
  course_type: v.number(),
});
export type StudyPeriod = v.InferOutput<typeof StudyPeriod>;

export const studyPeriods = call({
  method: 'GET',
  path: 'stateschoolstudent/studyperiods/:id',
  looks: true,
  title: '学员的课时',
  query: v.object({ course_id: SearchId, ...paging() }),
  answer: page(StudyPeriod),
});

export const exportStudentStudy = call({
  method: 'POST',
  path: 'stateschoolstudent/exportStudy',
  title: '导出学员学习详情',
  fromReplica: true,
  reads: true,
  body: v.object({ id: SearchId }),
  answer: Url,
});

// ---- one course of a class -----------------------------------------------------------------------------

export const ClassCourse = v.object({
  id: v.number(),
  title: v.string(),
  cover_img: v.string(),
  course_type: v.number(),
  /** Number of current members of the class. Without a class: of all the caller's classes that take the course. */
  study_count: v.number(),
  chapter_num: v.number(),
  section_num: v.number(),
});
export type ClassCourse = v.InferOutput<typeof ClassCourse>;

export const showClassCourse = call({
  method: 'GET',
  path: 'stateschoolcourse/:id',
  title: '班级课程详情',
  query: v.object({ class_id: SearchId }),
  answer: ClassCourse,
});

export const CourseLesson = v.object({
  id: v.number(),
  title: v.string(),
  start_play: Seconds,
  /** Length of the period in seconds. */
  total_time: v.number(),
  status: LessonStatus,
  attend_num: v.number(),
  leave_num: v.number(),
  truant_num: v.number(),
  /** Number of students without a record, in a face-to-face lesson whose roll was not called. */
  uncalled_num: v.number(),
  /** Number of expected students: members of the class when the lesson began. */
  total_num: v.number(),
  course_type: v.number(),
});
export type CourseLesson = v.InferOutput<typeof CourseLesson>;

export const courseLessons = call({
  method: 'GET',
  path: 'stateschoolcourse/studyperiods/:id/:classId',
  title: '课程的课时考勤',
  query: pageOnly(),
  answer: page(CourseLesson),
});

export const LessonStudent = v.object({
  uid: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  op_status: OpStatusCode,
  leave_cause: v.string(),
  leave_id: v.nullable(v.number()),
  /** 1: the lesson has started. */
  has_begun: FlagNumber,
  /** 1: the student watched live, even if leave was approved. */
  watched_live: FlagNumber,
  /** Category of the student in statistics. A leave request that was not approved counts as truant. */
  counted: v.picklist(attendanceCategories),
});
export type LessonStudent = v.InferOutput<typeof LessonStudent>;

const lessonStudentFields = {
  /** Text to find in nicknames and mobile numbers. */
  nickname: SearchText,
  op_status: searchOneOf(opStatuses),
  counted: searchWord(attendanceCategories),
};

/**
 * Filters of a lesson's students. By default pending leave requests come first, then students in order of joining.
 * `sort_field` sorts by attendance instead.
 */
export const LessonStudentFilter = v.object({
  ...lessonStudentFields,
  sort_field: searchWord(['op_status']),
  sort: SortDirection,
  ...paging(),
});
export type LessonStudentFilter = v.InferOutput<typeof LessonStudentFilter>;

/** `undoable`: the record or roll call that the caller can undo. */
export const LessonExtra = v.object({ undoable: v.nullable(UndoableRoll) });

export const lessonStudents = call({
  method: 'GET',
  path: 'stateschoolcourse/studystudents/:id/:classId',
  title: '课时的考勤详情',
  description: 'extra.undoable：当前用户十分钟内可撤销的考勤操作。',
  /** `uid`: limits the list to one student. */
  query: v.object({ period_id: SearchId, uid: SearchId, ...LessonStudentFilter.entries }),
  answer: page(LessonStudent),
});

export const exportCourseStudy = call({
  method: 'POST',
  path: 'stateschoolcourse/exportStudy',
  title: '导出课程考勤',
  fromReplica: true,
  reads: true,
  /** `period_id`: exports only this lesson, with the students that its list shows under the same filter. */
  body: v.object({ id: SearchId, class: SearchId, period_id: SearchId, ...lessonStudentFields }),
  answer: Url,
});
