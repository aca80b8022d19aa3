/** The handouts of lessons as the administration looks at them, and what it decides. */
import * as v from 'valibot';
import {
  Named,
  page,
  paging,
  SearchDay,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';

export const handoutStates = ['waiting', 'approved', 'rejected', 'all'] as const;

/** `name` is looked for in the names of files, lecturers and classes; days are of the lessons. */
export const HandoutFilter = v.object({
  /** Those that wait, where it is left out. */
  state: searchWord(handoutStates),
  name: SearchText,
  school_id: SearchId,
  start: SearchDay,
  end: SearchDay,
  ids: SearchIds,
  ...paging(),
});
export type HandoutFilter = v.InferOutput<typeof HandoutFilter>;

export const HandoutRow = v.object({
  /** The lesson's. */
  id: v.number(),
  school_name: v.string(),
  class_name: v.string(),
  course_title: v.string(),
  lecturer: v.string(),
  start_time: Seconds,
  file_name: v.string(),
  status: v.picklist([1, 3, 4]),
  /** Why it was rejected. */
  file_remark: v.string(),
  uploaded_by: v.string(),
  uploaded_at: Seconds,
  /** Empty and null where it waits, or nobody knows. */
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
  /** Sent back with a decision: a file that was replaced meanwhile is told. */
  seen: v.string(),
});
export type HandoutRow = v.InferOutput<typeof HandoutRow>;

export const listHandouts = adminCall({
  method: 'GET',
  path: 'handouts',
  title: '讲义审核',
  needs: 'teaching',
  query: HandoutFilter,
  answer: page(HandoutRow),
});

/** The schools that the administrator looks after. */
export const handoutSchools = adminCall({
  method: 'GET',
  path: 'handouts/schools',
  title: '讲义所属的学校',
  needs: 'teaching',
  answer: v.array(Named),
});

/** The bytes, by range. `id` is the lesson's. `download=1` to save instead of show. */
export const readHandout = adminCall({
  method: 'GET',
  path: 'handouts/:id/file',
  title: '讲义文件',
  needs: 'teaching',
  query: v.object({ download: SearchFlag }),
  file: true,
  answer: v.null(),
});

/** All of them or none. `status`: 1 approved, 4 rejected, for a `reason`. `seen`: that of the rows, one after another. */
export const decideHandouts = adminCall({
  method: 'POST',
  path: 'handouts/decide',
  title: '审核讲义',
  needs: 'teaching',
  body: v.object({ ids: SearchIds, status: searchOneOf([1, 4]), reason: TypedText, seen: TypedText }),
  answer: v.object({ at: Seconds, count: v.number() }),
  message: '审核成功',
});

/** A decision of the last ten minutes that can be taken back. */
export const Undoable = v.object({
  /** When, which also names it. */
  at: Seconds,
  status: v.picklist([1, 4]),
  count: v.number(),
  /** Of one of the files. */
  name: v.string(),
  until: Seconds,
});
export type Undoable = v.InferOutput<typeof Undoable>;

export const undoableHandouts = adminCall({
  method: 'GET',
  path: 'handouts/undoable',
  title: '可撤销的讲义审核',
  needs: 'teaching',
  answer: v.array(Undoable),
});

/** `at`: when it was decided. */
export const undoHandouts = adminCall({
  method: 'POST',
  path: 'handouts/undo/:at',
  title: '撤销讲义审核',
  needs: 'teaching',
  answer: v.null(),
  message: '已撤销，讲义重新等待审核',
});
