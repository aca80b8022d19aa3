/** Calls for state-school classes: the list, a class, its students, courses, homework and courseware. */

import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  page,
  paging,
  SearchFlag,
  SearchId,
  SearchText,
  Seconds,
  searchOneOf,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { memberStatuses, validTypes } from './rules.ts';

// ---- the list ---------------------------------------------------------------------------------------

export const ClassFilter = v.object({
  name: SearchText,
  classify_id: SearchId,
  grade_id: SearchId,
  /** 1: only classes with the user as head teacher. */
  only_mine: SearchFlag,
  ...paging(),
});
export type ClassFilter = v.InferOutput<typeof ClassFilter>;

/** `large_class_id` is 0 if the class belongs to no large class. Names are '' where there is none. */
export const ClassRow = v.object({
  id: v.number(),
  name: v.string(),
  /** URL of the schedule picture; '' if there is none. */
  schedule_image: v.string(),
  grade_name: v.string(),
  classify_name: v.string(),
  /** Number of current students; those who left do not count. */
  students_count: v.number(),
  /** 1: the class is running. 0: its validity is over. */
  is_processing: FlagNumber,
  large_class_id: v.number(),
  large_class_name: v.string(),
  valid_type: v.picklist(validTypes),
  /** Unix seconds; 0 for a long-term class. */
  valid_time: Seconds,
});
export type ClassRow = v.InferOutput<typeof ClassRow>;

export const listClasses = call({
  method: 'GET',
  path: 'stateschoolclass',
  title: '班级列表',
  query: ClassFilter,
  answer: page(ClassRow),
});

/** Lists the large classes to which the visible classes belong. */
export const listLargeClasses = call({
  method: 'GET',
  path: 'stateschoolclass/large/list',
  title: '大班列表',
  answer: v.array(IdAndName),
});

// ---- one class --------------------------------------------------------------------------------------

const StaffName = v.object({ id: v.number(), real_name: v.string() });

export const ClassDetail = v.object({
  id: v.number(),
  class_name: v.string(),
  cover_image: v.string(),
  head_teachers: v.array(StaffName),
  /** Lecturers of the class's courses. */
  teachers: v.array(StaffName),
  students_count: v.number(),
  courses_count: v.number(),
  large_class_id: v.number(),
  large_class_name: v.string(),
  schedule_image: v.string(),
  created_at: Seconds,
  valid_type: v.picklist(validTypes),
  /** Unix seconds; 0 for a long-term class. */
  valid_time: Seconds,
  /** Id of the class's circle; null if it has none. */
  group_id: v.nullable(v.number()),
  group_hidden: v.picklist([1, 2]),
  /** 1: the user is head teacher of this class. */
  is_header_teacher: FlagNumber,
});
export type ClassDetail = v.InferOutput<typeof ClassDetail>;

export const showClass = call({
  method: 'GET',
  path: 'stateschoolclass/:id',
  title: '班级详情',
  answer: ClassDetail,
});

/**
 * Replaces the schedule picture of a large class (`:id`) and so of all its classes. `schedule_image`: the path that
 * `public/file` returned.
 */
export const changeSchedule = call({
  method: 'PUT',
  path: 'stateschoolclass/:id',
  title: '更新课表图片',
  body: v.object({ schedule_image: TypedText }),
  answer: v.null(),
  message: '上传成功',
});

export const ClassStudentFilter = v.object({
  class_id: SearchId,
  nickname: SearchText,
  mobile: SearchText,
  status: searchOneOf(memberStatuses),
  ...paging(),
});
export type ClassStudentFilter = v.InferOutput<typeof ClassStudentFilter>;

/**
 * A student's membership in a class. `id`: of the membership; `uid`: of the student. `created_at`: when they joined.
 * `left_at`: 0 while present.
 */
export const ClassStudentRow = v.object({
  id: v.number(),
  uid: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  created_at: Seconds,
  valid_status: v.picklist(memberStatuses),
  left_at: Seconds,
});
export type ClassStudentRow = v.InferOutput<typeof ClassStudentRow>;

export const listClassStudents = call({
  method: 'GET',
  path: 'stateschoolstudent',
  title: '班级学员',
  query: ClassStudentFilter,
  answer: page(ClassStudentRow),
});

export const ClassCourseRow = v.object({
  id: v.number(),
  title: v.string(),
  /** URL of the cover picture; '' if there is none. */
  cover_img: v.string(),
  course_type: v.number(),
  /** Number of periods. */
  periods_count: v.number(),
  /** `start_play`: start of the first period. `end_play`: end of the last one. Both are 0 without periods. */
  start_play: Seconds,
  end_play: Seconds,
  /** The first five lecturers; `teachers_count` counts all. */
  teachers: v.array(StaffName),
  teachers_count: v.number(),
  /** 1: some of the course's periods take attendance. */
  is_view_Attendance: FlagNumber,
});
export type ClassCourseRow = v.InferOutput<typeof ClassCourseRow>;

export const listClassCourses = call({
  method: 'GET',
  path: 'stateschoolcourse',
  title: '班级课程',
  query: v.object({ class_id: SearchId, ...paging() }),
  answer: page(ClassCourseRow),
});
