import * as v from 'valibot';
import { leftReasonLimit, memberMessages, memberStatuses } from '#server/classes/rules.ts';
import {
  FlagNumber,
  IdAndName,
  OneLine,
  page,
  paging,
  SearchFlag,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  TypedDays,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { isDay } from '#server/platform/calls/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';

/** `name` matches names, pinyin, student numbers and mobile numbers. */
export const MemberFilter = v.object({
  name: SearchText,
  status: searchOneOf(memberStatuses),
  // 50 rows, so that most classes fit on one page.
  ...paging(50),
});
export type MemberFilter = v.InferOutput<typeof MemberFilter>;

/**
 * A student's membership in a class. `id`: of the membership. `left_at`: null while present. `leaving_at`: planned last
 * day, if known.
 */
export const MemberRow = v.object({
  id: v.number(),
  student_id: v.number(),
  nickname: v.string(),
  number: v.string(),
  mobile: v.string(),
  school_name: v.string(),
  is_disabled: FlagNumber,
  joined_at: Seconds,
  left_at: v.nullable(Seconds),
  left_reason: v.string(),
  leaving_at: v.nullable(Seconds),
});
export type MemberRow = v.InferOutput<typeof MemberRow>;

export const listMembers = adminCall({
  method: 'GET',
  path: 'classes/:id/members',
  title: '班级成员',
  needs: 'people',
  query: MemberFilter,
  answer: page(MemberRow),
});

/** Header of the member list: the class and its counts. */
export const Membership = v.object({
  id: v.number(),
  name: v.string(),
  school_name: v.string(),
  class_type: v.number(),
  is_running: FlagNumber,
  /** `present`: number of current members. `left`: of former ones. */
  present: v.number(),
  left: v.number(),
  /** Number of the class's homework whose deadline is in the future. */
  open_homework: v.number(),
});
export type Membership = v.InferOutput<typeof Membership>;

export const showMembership = adminCall({
  method: 'GET',
  path: 'classes/:id/membership',
  title: '班级人数',
  needs: 'people',
  answer: Membership,
});

/** `effect`: what others will notice, to be sent back as `acknowledged`; '' if nothing. */
const Foreseen = { students: v.array(IdAndName), effect: v.string() };

const chosen = v.object({ ids: SearchIds });

/** Previews adding these students to a class. Students who are members already are left out. */
export const showJoiningPreview = adminCall({
  method: 'GET',
  path: 'classes/:id/members/joining',
  title: '加入班级的影响',
  needs: 'people',
  query: chosen,
  /** `open_reports`: number of ungraded reports that would move here from the students' other classes. */
  answer: v.object({ ...Foreseen, open_homework: v.number(), open_reports: v.number() }),
});

export const showLeavingPreview = adminCall({
  method: 'GET',
  path: 'classes/:id/members/leaving',
  title: '离开班级的影响',
  needs: 'people',
  query: chosen,
  answer: v.object(Foreseen),
});

export const WrittenJoining = v.object({
  ids: SearchIds,
  day: TypedDays,
  with_homework: SearchFlag,
  acknowledged: TypedText,
});
export type WrittenJoining = v.InferOutput<typeof WrittenJoining>;

/** A day; '' means now. */
const writtenDay = v.pipe(
  OneLine,
  v.check((day) => day === '' || isDay(day), memberMessages.noSuchDay),
  v.transform((day) => day || undefined),
);

export const CompleteJoining = v.object({
  ids: v.array(v.number()),
  /** First day in the class. */
  day: writtenDay,
  with_homework: SearchFlag,
});

/**
 * Adds students to a class. Former members come back, current ones stay as they are. `with_homework` 1: they get the
 * class's homework that is still due, and their ungraded reports move here from other classes with the same homework.
 * `homework`: number of homework given to somebody. `brought`: number of moved reports.
 */
export const addMembers = adminCall({
  method: 'POST',
  path: 'classes/:id/members',
  title: '学员加入班级',
  needs: 'people',
  body: WrittenJoining,
  answer: v.object({
    joined: v.number(),
    returned: v.number(),
    already: v.number(),
    homework: v.number(),
    brought: v.number(),
  }),
  message: '添加成功',
});

export const WrittenLeaving = v.object({ ids: SearchIds, day: TypedDays, reason: TypedText, acknowledged: TypedText });
export type WrittenLeaving = v.InferOutput<typeof WrittenLeaving>;

export const CompleteLeaving = v.object({
  ids: v.array(v.number()),
  /** Last day in the class. */
  day: writtenDay,
  reason: v.pipe(
    OneLine,
    v.check((reason) => lengthOf(reason) <= leftReasonLimit, memberMessages.reasonLength),
  ),
});

export const endMemberships = adminCall({
  method: 'POST',
  path: 'classes/:id/members/leave',
  title: '学员离开班级',
  needs: 'people',
  body: WrittenLeaving,
  answer: v.object({ left: v.number() }),
  message: '已离开班级',
});
