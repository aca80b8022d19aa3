import * as v from 'valibot';
import {
  FlagNumber,
  IdAndName,
  OneLine,
  page,
  paging,
  required,
  SearchFlag,
  SearchId,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
  WholeNumber,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { courseKinds, courseMessages, courseStates, courseTitleLimit, introductionLimit } from './rules.ts';

/** `title` also matches pinyin. */
export const CourseFilter = v.object({
  title: SearchText,
  school_id: SearchId,
  classify_id: SearchId,
  grade_id: SearchId,
  subject_id: SearchId,
  type: searchOneOf(courseKinds),
  state: searchWord(courseStates),
  ...paging(),
});
export type CourseFilter = v.InferOutput<typeof CourseFilter>;

const shared = {
  id: v.number(),
  title: v.string(),
  course_type: v.number(),
  school_id: v.number(),
  school_name: v.string(),
  classify_id: v.nullable(v.number()),
  classify_name: v.string(),
  grade_id: v.nullable(v.number()),
  grade_name: v.string(),
  subject_id: v.nullable(v.number()),
  subject_name: v.string(),
  parent_id: v.nullable(v.number()),
  parent_title: v.string(),
  /** When the course was archived, unix seconds; null while it is in use. */
  put_away_at: v.nullable(Seconds),
  periods: v.number(),
  classes: v.number(),
  /** Number of current students of the classes that take the course. */
  students: v.number(),
};

export const CourseRow = v.object(shared);
export type CourseRow = v.InferOutput<typeof CourseRow>;

/**
 * `effect`: what others notice when the course is archived; '' if nothing. `delete_fault`: why it cannot be deleted.
 */
export const CourseRecord = v.object({
  ...shared,
  introduction: v.string(),
  /** URL of the cover; '' if there is none. */
  cover_img: v.string(),
  course_extend: FlagNumber,
  created_at: Seconds,
  children: v.array(IdAndName),
  chapters: v.number(),
  effect: v.string(),
  delete_fault: v.nullable(v.string()),
  seen: v.string(),
});
export type CourseRecord = v.InferOutput<typeof CourseRecord>;

export const listCourses = adminCall({
  method: 'GET',
  path: 'courses',
  title: '课程列表',
  needs: 'teaching',
  query: CourseFilter,
  answer: page(CourseRow),
});

export const CourseChoices = v.object({
  schools: v.array(IdAndName),
  classify: v.array(IdAndName),
  grades: v.array(IdAndName),
  subjects: v.array(IdAndName),
  /** Courses that can be parents. */
  parents: v.array(v.object({ id: v.number(), name: v.string(), school_id: v.number() })),
  /** Lecturers that periods can be given to. */
  lecturers: v.array(IdAndName),
});
export type CourseChoices = v.InferOutput<typeof CourseChoices>;

export const courseChoices = adminCall({
  method: 'GET',
  path: 'courses/choices',
  title: '课程表单的选项',
  needs: 'teaching',
  answer: CourseChoices,
});

export const showCourse = adminCall({
  method: 'GET',
  path: 'courses/:id',
  title: '课程详情',
  needs: 'teaching',
  answer: CourseRecord,
});

export const TypedNumber = v.fallback(v.optional(WholeNumber), undefined);

const written = {
  title: TypedText,
  course_type: TypedNumber,
  classify_id: SearchId,
  grade_id: SearchId,
  subject_id: SearchId,
  parent_id: SearchId,
  introduction: TypedText,
  course_extend: SearchFlag,
};

export const NewCourse = v.object({ ...written, school_id: SearchId });
export type NewCourse = v.InferOutput<typeof NewCourse>;

export const EditedCourse = v.object({ ...written, seen: TypedText, acknowledged: TypedText });
export type EditedCourse = v.InferOutput<typeof EditedCourse>;

export const CourseTitle = v.pipe(
  OneLine,
  v.nonEmpty(courseMessages.noTitle),
  v.check((title) => lengthOf(title) <= courseTitleLimit, courseMessages.titleLength),
);

/** Optional id; a missing one becomes null, as in the database. */
export const OptionalRecordId = v.optional(v.nullable(v.number()), null);

const completed = {
  title: CourseTitle,
  course_type: required(courseMessages.noType),
  classify_id: OptionalRecordId,
  grade_id: OptionalRecordId,
  subject_id: OptionalRecordId,
  parent_id: OptionalRecordId,
  introduction: v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => lengthOf(text) <= introductionLimit, courseMessages.introductionLength),
  ),
  course_extend: v.optional(FlagNumber, 0),
};

export const CompleteCourse = v.object(completed);
export type CompleteCourse = v.InferOutput<typeof CompleteCourse>;
export const CompleteNewCourse = v.object({ ...completed, school_id: required(courseMessages.noSchool) });

export const addCourse = adminCall({
  method: 'POST',
  path: 'courses',
  title: '添加课程',
  needs: 'teaching',
  body: NewCourse,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editCourse = adminCall({
  method: 'PUT',
  path: 'courses/:id',
  title: '修改课程',
  needs: 'teaching',
  body: EditedCourse,
  answer: v.null(),
  message: '保存成功',
});

/** `cover_img`: the path that `public/file` returned; '' removes the cover. */
export const changeCourseCover = adminCall({
  method: 'PUT',
  path: 'courses/:id/cover',
  title: '更换课程封面',
  needs: 'teaching',
  body: v.object({ cover_img: TypedText }),
  answer: v.null(),
  message: '封面已更换',
});

/** Archives a course: nothing more can be published to it. `acknowledged`: the `effect` of the record, if any. */
export const archiveCourse = adminCall({
  method: 'POST',
  path: 'courses/:id/put-away',
  title: '停用课程',
  needs: 'teaching',
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '已停用',
});

export const restoreCourse = adminCall({
  method: 'POST',
  path: 'courses/:id/restore',
  title: '恢复课程',
  needs: 'teaching',
  answer: v.null(),
  message: '已恢复',
});

/** Deletes a course and its chapters; only possible while it has no records. */
export const deleteCourse = adminCall({
  method: 'DELETE',
  path: 'courses/:id',
  title: '删除课程',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});
