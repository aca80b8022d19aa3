import * as v from 'valibot';
import { FlagNumber, page, paging, SearchText, Seconds, searchWord } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { searchKinds } from './rules.ts';

/**
 * Without `kind` the answer has the first few hits of each kind. With `kind` it has a page of the kind, and the counts
 * of the other kinds.
 */
export const SearchFilter = v.object({ q: SearchText, kind: searchWord(searchKinds), ...paging() });
export type SearchFilter = v.InferOutput<typeof SearchFilter>;

/**
 * Range of the name's characters that match by pinyin, end excluded; null if the name contains the typed text itself.
 */
const Spelled = v.nullable(v.tuple([v.number(), v.number()]));

export const FoundStudent = v.object({
  uid: v.number(),
  nickname: v.string(),
  mobile: v.string(),
  spelled: Spelled,
  /** Membership and class, in the first class that the caller sees; `more_classes` is the number of further classes. */
  id: v.number(),
  class_id: v.number(),
  class_type: v.number(),
  class_name: v.string(),
  more_classes: v.number(),
});
export type FoundStudent = v.InferOutput<typeof FoundStudent>;

export const FoundClass = v.object({
  id: v.number(),
  name: v.string(),
  spelled: Spelled,
  class_type: v.number(),
  students: v.number(),
});
export type FoundClass = v.InferOutput<typeof FoundClass>;

/** `class_id`: the caller's first class that takes the course. */
export const FoundCourse = v.object({
  id: v.number(),
  title: v.string(),
  spelled: Spelled,
  course_type: v.number(),
  class_id: v.number(),
  class_name: v.string(),
  more_classes: v.number(),
});
export type FoundCourse = v.InferOutput<typeof FoundCourse>;

export const FoundHomework = v.object({
  id: v.number(),
  name: v.string(),
  spelled: Spelled,
  course_title: v.string(),
  ending_time: Seconds,
  /** Status of the homework: 2 is recalled. */
  status: v.number(),
});
export type FoundHomework = v.InferOutput<typeof FoundHomework>;

export const FoundExam = v.object({
  id: v.number(),
  name: v.string(),
  spelled: Spelled,
  org_name: v.string(),
  created_at: Seconds,
});
export type FoundExam = v.InferOutput<typeof FoundExam>;

export const FoundQuestion = v.object({
  id: v.number(),
  stem_text: v.string(),
  /** Stem as HTML if it has formulas, else ''. */
  stem: v.string(),
  ques_type: v.number(),
  updated_at: Seconds,
  is_public: FlagNumber,
});
export type FoundQuestion = v.InferOutput<typeof FoundQuestion>;

export const FoundNotice = v.object({
  id: v.number(),
  title: v.string(),
  class_id: v.number(),
  class_name: v.string(),
  created_at: Seconds,
});
export type FoundNotice = v.InferOutput<typeof FoundNotice>;

export const SearchResults = v.object({
  students: page(FoundStudent),
  classes: page(FoundClass),
  courses: page(FoundCourse),
  homework: page(FoundHomework),
  exams: page(FoundExam),
  /** Questions of the caller; `publicQuestions` are questions of the public bank. */
  questions: page(FoundQuestion),
  publicQuestions: page(FoundQuestion),
  notices: page(FoundNotice),
});
export type SearchResults = v.InferOutput<typeof SearchResults>;

export const search = call({
  method: 'GET',
  path: 'search',
  title: '全局搜索',
  description:
    '学员（姓名、学员编号、手机号或其后四位）、班级、课程、作业、考试、题目和公告，只含调用者能看到的。学员、班级、课程、作业和考试也可按名称的拼音或首字母查找。',
  query: SearchFilter,
  answer: SearchResults,
});
