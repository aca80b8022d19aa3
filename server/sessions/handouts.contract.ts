import * as v from 'valibot';
import {
  IdAndName,
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

/** Filters of the handout list. `name` matches files, lecturers and classes; `start` and `end` are days of lessons. */
export const HandoutFilter = v.object({
  /** State of the handouts; by default those that wait for a decision. */
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
  /** Id of the lesson. */
  id: v.number(),
  school_name: v.string(),
  class_name: v.string(),
  course_title: v.string(),
  lecturer: v.string(),
  start_time: Seconds,
  file_name: v.string(),
  status: v.picklist([1, 3, 4]),
  file_remark: v.string(),
  uploaded_by: v.string(),
  uploaded_at: Seconds,
  /**
   * Name of the decider, and time of the decision. Empty and null while the handout is pending, or if it is unknown.
   */
  decided_by: v.string(),
  decided_at: v.nullable(Seconds),
  /** Version of the file. It is sent back with a decision; if the file was replaced meanwhile, the decision is 409. */
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

/** Lists the schools of the administrator. */
export const handoutSchools = adminCall({
  method: 'GET',
  path: 'handouts/schools',
  title: '讲义所属的学校',
  needs: 'teaching',
  answer: v.array(IdAndName),
});

/**
 * Answers the file of a handout; supports range requests. `:id` is the id of the lesson. `download=1`: as an
 * attachment.
 */
export const readHandout = adminCall({
  method: 'GET',
  path: 'handouts/:id/file',
  title: '讲义文件',
  needs: 'teaching',
  query: v.object({ download: SearchFlag }),
  file: true,
  answer: v.null(),
});

/**
 * Decides on several handouts, all or none. `status`: 1 approved, 4 rejected with `reason`. `seen`: the versions of the
 * files, in the order of `ids`.
 */
export const decideHandouts = adminCall({
  method: 'POST',
  path: 'handouts/decide',
  title: '审核讲义',
  needs: 'teaching',
  body: v.object({ ids: SearchIds, status: searchOneOf([1, 4]), reason: TypedText, seen: TypedText }),
  answer: v.object({ at: Seconds, count: v.number() }),
  message: '审核成功',
});

/** A decision that can still be undone (ten minutes). */
export const Undoable = v.object({
  /** Time of the decision. It also identifies the decision when it is undone. */
  at: Seconds,
  status: v.picklist([1, 4]),
  count: v.number(),
  /** Name of one of the files. */
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

/** Undoes the decision made at the time `:at`. */
export const undoHandouts = adminCall({
  method: 'POST',
  path: 'handouts/undo/:at',
  title: '撤销讲义审核',
  needs: 'teaching',
  answer: v.null(),
  message: '已撤销，讲义重新等待审核',
});
