/** Circles that people join, as administrators manage them. Circles of classes come with their class. */
import * as v from 'valibot';
import {
  FlagNumber,
  OneLine,
  page,
  paging,
  required,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
  searchWord,
  TypedText,
} from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { circleIntroductionLimit, circleMessages, circleNameLimit } from './rules.ts';

export const circleStates = ['shown', 'away'] as const;

export const CircleFilter = v.object({
  name: SearchText,
  school_id: SearchId,
  state: searchWord(circleStates),
  ...paging(),
});
export type CircleFilter = v.InferOutput<typeof CircleFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  introduction: v.string(),
  school_id: v.number(),
  school_name: v.string(),
  members: v.number(),
  posts: v.number(),
  is_put_away: FlagNumber,
  created_at: Seconds,
};

export const CircleRow = v.object(shared);
export type CircleRow = v.InferOutput<typeof CircleRow>;

/**
 * `loss`: sentence about what members lose if the circle is archived; '' if nothing. `classes`: classes of the circle's
 * school whose members can be added.
 */
export const CircleRecord = v.object({
  ...shared,
  loss: v.string(),
  classes: v.array(v.object({ id: v.number(), name: v.string(), people: v.number() })),
  seen: v.string(),
});
export type CircleRecord = v.InferOutput<typeof CircleRecord>;

export const listCircles = adminCall({
  method: 'GET',
  path: 'circles',
  title: '圈子列表',
  needs: 'teaching',
  query: CircleFilter,
  answer: page(CircleRow),
});

export const showCircle = adminCall({
  method: 'GET',
  path: 'circles/:id',
  title: '圈子详情',
  needs: 'teaching',
  answer: CircleRecord,
});

const written = { name: TypedText, introduction: TypedText };
export const EditedCircle = v.object({ ...written, seen: TypedText });
export type EditedCircle = v.InferOutput<typeof EditedCircle>;

export const NewCircle = v.object({ ...written, school_id: SearchId });
export type NewCircle = v.InferOutput<typeof NewCircle>;

const completed = {
  name: v.pipe(
    OneLine,
    v.nonEmpty(circleMessages.noName),
    v.check((name) => lengthOf(name) <= circleNameLimit, circleMessages.nameLength),
  ),
  introduction: v.pipe(
    v.string(),
    v.trim(),
    v.check((text) => lengthOf(text) <= circleIntroductionLimit, circleMessages.introductionLength),
  ),
};
export const CompleteCircle = v.object(completed);
export const CompleteNewCircle = v.object({ ...completed, school_id: required(circleMessages.noSchool) });

export const addCircle = adminCall({
  method: 'POST',
  path: 'circles',
  title: '添加圈子',
  needs: 'teaching',
  body: NewCircle,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editCircle = adminCall({
  method: 'PUT',
  path: 'circles/:id',
  title: '修改圈子',
  needs: 'teaching',
  body: EditedCircle,
  answer: v.null(),
  message: '保存成功',
});

/** Archives a circle: hidden with its posts until it is restored. `acknowledged` repeats the circle's `loss`. */
export const archiveCircle = adminCall({
  method: 'POST',
  path: 'circles/:id/put-away',
  title: '停用圈子',
  needs: 'teaching',
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '已停用',
});

export const restoreCircle = adminCall({
  method: 'POST',
  path: 'circles/:id/restore',
  title: '恢复圈子',
  needs: 'teaching',
  answer: v.null(),
  message: '已恢复',
});

/** `user_type`: 1 student, 2 lecturer, 3 teaching assistant. */
const memberTypes = [1, 2, 3] as const;

export const CircleMemberFilter = v.object({ name: SearchText, user_type: searchOneOf(memberTypes), ...paging(50) });
export type CircleMemberFilter = v.InferOutput<typeof CircleMemberFilter>;

/** `person_id`: id of the student or staff member, by `user_type`. */
export const CircleMember = v.object({
  user_type: v.picklist(memberTypes),
  person_id: v.number(),
  name: v.string(),
  mobile: v.string(),
  joined_at: Seconds,
});
export type CircleMember = v.InferOutput<typeof CircleMember>;

export const listCircleMembers = adminCall({
  method: 'GET',
  path: 'circles/:id/members',
  title: '圈子成员',
  needs: 'teaching',
  query: CircleMemberFilter,
  answer: page(CircleMember),
});

const Added = v.object({ added: v.number(), known: v.number() });

/** Adds the class's current students and staff. People who join the class later are not added. */
export const addCircleClass = adminCall({
  method: 'POST',
  path: 'circles/:id/members/class',
  title: '将整个班级加入圈子',
  needs: 'teaching',
  body: v.object({ class_id: SearchId }),
  answer: Added,
});

/** `lines`: one person of the circle's school per line, by name, mobile number or user name. Adds all or none. */
export const addCirclePeople = adminCall({
  method: 'POST',
  path: 'circles/:id/members',
  title: '将人员加入圈子',
  description: '每行一位本校的学员、讲师或助教，写姓名、手机号或用户名。',
  needs: 'teaching',
  body: v.object({ lines: TypedText }),
  answer: Added,
});

export const removeCircleMembers = adminCall({
  method: 'POST',
  path: 'circles/:id/members/remove',
  title: '将成员移出圈子',
  needs: 'teaching',
  body: v.object({ student_ids: SearchIds, staff_ids: SearchIds }),
  answer: v.object({ count: v.number() }),
  message: '已移出',
});
