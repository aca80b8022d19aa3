/** Homework management: the list, and the actions on one homework. */
import * as v from 'valibot';
import {
  FlagNumber,
  IdList,
  page,
  paging,
  RefusalPreview,
  SearchDay,
  SearchFlag,
  SearchId,
  SearchText,
  Seconds,
  SortDirection,
  searchOneOf,
  searchWord,
} from '#server/platform/calls/fields.ts';

import { call } from '#server/school/call.ts';
import { homeworkTypes } from './rules.ts';

/** Filters of the homework list. Date ranges include both ends. */
export const homeworkFilterFields = {
  publish_start: SearchDay,
  publish_end: SearchDay,
  ending_start: SearchDay,
  ending_end: SearchDay,
  course_title: SearchText,
  name: SearchText,
  type: searchOneOf(homeworkTypes),
  periods_title: SearchText,
  publisher_name: SearchText,
  /**
   * `open`: before the deadline. `ended`: past the deadline. `waiting`: with reports to grade. Recalled homework has
   * none of these states.
   */
  state: searchWord(['open', 'ended', 'waiting']),
};

export const HomeworkFilter = v.object({
  ...homeworkFilterFields,
  course_basis_id: SearchId,
  show_other: SearchFlag,
  sort_field: searchWord(['not_revised_homework_count']),
  sort: SortDirection,
  ...paging(),
});
export type HomeworkFilter = v.InferOutput<typeof HomeworkFilter>;

/**
 * A row of the homework list. Counts are numbers of reports, and 0 for recalled homework. An assistant's counts and
 * `class_name` cover the classes that they assist. Times in unix seconds.
 */
export const HomeworkRow = v.object({
  id: v.number(),
  name: v.string(),
  status: v.picklist([1, 2]),
  type: v.picklist(homeworkTypes),
  course_title: v.string(),
  periods_title: v.string(),
  not_revised_homework_count: v.number(),
  submitted_homework_count: v.number(),
  homework_count: v.number(),
  ending_time: Seconds,
  publish_time: Seconds,
  class_name: v.string(),
  publish_type: v.picklist([1, 2]),
  published_class_count: v.number(),
  class_count: v.number(),
  is_owner: FlagNumber,
  creator_type: v.picklist([1, 2]),
  teacher_name: v.string(),
  assistant_name: v.string(),
});
export type HomeworkRow = v.InferOutput<typeof HomeworkRow>;

export const listHomework = call({
  method: 'GET',
  path: 'hw/index',
  title: '作业列表',
  query: HomeworkFilter,
  answer: page(HomeworkRow),
});

const Names = v.array(v.string());

/** Suggests names for the homework filters, from the latest homework that the caller sees, optionally of one class. */
export const homeworkNames = call({
  method: 'GET',
  path: 'hw/names',
  title: '作业筛选的候选名称',
  query: v.object({ class_id: SearchId }),
  answer: v.object({ courses: Names, periods: Names, publishers: Names }),
});

export const ClassHomeworkFilter = v.object({
  ...homeworkFilterFields,
  sort_field: searchWord(['not_revised_homework_count']),
  sort: SortDirection,
  ...paging(),
});
export type ClassHomeworkFilter = v.InferOutput<typeof ClassHomeworkFilter>;

/** Lists the homework of one class that the caller sees. Counts cover only that class. */
export const listClassHomework = call({
  method: 'GET',
  path: 'class/homework/:classId',
  title: '班级作业',
  query: ClassHomeworkFilter,
  answer: page(HomeworkRow),
});

/** State of one homework for its dialogs, with the reasons why actions are refused. */
export const HomeworkActions = v.object({
  id: v.number(),
  name: v.string(),
  status: v.picklist([1, 2]),
  publish_type: v.picklist([1, 2]),
  published_class_count: v.number(),
  class_count: v.number(),
  is_owner: FlagNumber,
  ending_time: Seconds,
  /** Number of students who should submit, and number of students who have. */
  homework_count: v.number(),
  submitted_homework_count: v.number(),
  /** Why each action would be refused now; null if it would succeed. */
  refusals: v.object({ recall: RefusalPreview, deadline: RefusalPreview, continue: RefusalPreview }),
});
export type HomeworkActions = v.InferOutput<typeof HomeworkActions>;

export const homeworkButtons = call({
  method: 'GET',
  path: 'hw/publish/button/:id',
  title: '作业可执行的操作',
  answer: HomeworkActions,
});

export const recallHomework = call({
  method: 'GET',
  alsoPost: true,
  path: 'hw/withdraw/:id',
  title: '撤回作业',
  needs: 'dispatch',
  answer: v.null(),
  message: '作业撤回成功',
});

const HomeworkClass = v.object({ id: v.number(), name: v.string(), students_count: v.number() });

export const homeworkClasses = call({
  method: 'GET',
  path: 'hw/class/published/:id',
  title: '作业的已发布与未发布班级',
  answer: v.object({ published: v.array(HomeworkClass), unpublished: v.array(HomeworkClass) }),
});

export const publishToMoreClasses = call({
  method: 'GET',
  alsoPost: true,
  path: 'hw/class/publish/:id/:classIds?',
  title: '继续发布到班级',
  needs: 'dispatch',
  params: { classIds: IdList },
  answer: v.null(),
  message: '继续发布成功',
});

/** Moves the deadline to `:seconds` (unix seconds). Anything but a number counts as missing. */
export const adjustDeadline = call({
  method: 'PUT',
  path: 'hw/update/ending_time/:id/:seconds?',
  title: '调整截止时间',
  needs: 'dispatch',
  params: {
    seconds: v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number))), undefined),
  },
  /** 1: the sender accepts a deadline in the past. */
  body: v.object({ confirm_past: SearchFlag }),
  answer: v.null(),
  message: '调整成功',
});

export const startHomeworkGrading = call({
  method: 'POST',
  path: 'hw/review/id',
  title: '开始批改',
  reads: true,
  needs: 'correct',
  body: v.object({ hw_id: SearchId, class_id: SearchId, uid: SearchId }),
  answer: v.object({ report_id: v.nullable(v.number()) }),
});
