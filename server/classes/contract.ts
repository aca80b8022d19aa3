/** State-school classes: the list, a class, its students, courses, homework and courseware. */

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
  /** 1: only classes with the caller as head teacher. */
  only_mine: SearchFlag,
  ...paging(),
});
export type ClassFilter = v.InferOutput<typeof ClassFilter>;

/** `large_class_id` is 0 and names are blank if there is none. */
export const ClassRow = v.object({
  id: v.number(),
  name: v.string(),
  /** URL of the picture, or blank. */
  schedule_image: v.string(),
  grade_name: v.string(),
  classify_name: v.string(),
  /** Present students. */
  students_count: v.number(),
  /** 1 running, 0 expired. */
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

/** Large classes of the visible classes. */
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
  /** Lecturers of its courses. */
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
  /** Id of its circle; null: none. */
  group_id: v.nullable(v.number()),
  group_hidden: v.picklist([1, 2]),
  /** 1: the caller is its head teacher. */
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
 * `:id` is the large class's id. `schedule_image`: the path that public/file answered; it applies to all its classes.
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

/** A membership: `id` is its own, `uid` the student's. `created_at`: when they joined; `left_at` 0: present. */
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
  /** URL of the picture, or blank. */
  cover_img: v.string(),
  course_type: v.number(),
  /** Number of periods. */
  periods_count: v.number(),
  /** Start of the first period and end of the last; 0 without periods. */
  start_play: Seconds,
  end_play: Seconds,
  /** The first five; `teachers_count` counts all. */
  teachers: v.array(StaffName),
  teachers_count: v.number(),
  /** 1: some periods take attendance. */
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
