/** The tree of knowledge points, as administrators manage it. */
import * as v from 'valibot';
import { OneLine, page, paging, SearchFlag, SearchId, SearchText, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { pointMessages, pointNameLimit } from './rules.ts';

/**
 * `open`: the point whose children are shown, with those of its ancestors. `whole`: everything. `name` searches the
 * whole tree.
 */
export const PointFilter = v.object({
  name: SearchText,
  subject_id: SearchId,
  open: SearchId,
  whole: SearchFlag,
  ...paging(200),
});
export type PointFilter = v.InferOutput<typeof PointFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  parent_id: v.nullable(v.number()),
  /** Names of its ancestors; empty for a top point. */
  path: v.array(v.string()),
  /** Subject of its top point; null and '' for none. */
  subject_id: v.nullable(v.number()),
  subject_name: v.string(),
  children: v.number(),
  questions: v.number(),
};

/** `is_open`: its children follow. */
export const PointRow = v.object({ ...shared, is_open: v.picklist([0, 1]) });
export type PointRow = v.InferOutput<typeof PointRow>;

export const PointRecord = v.object({ ...shared, seen: v.string() });
export type PointRecord = v.InferOutput<typeof PointRecord>;

export const listPoints = adminCall({
  method: 'GET',
  path: 'points',
  title: '知识点列表',
  needs: 'teaching',
  query: PointFilter,
  answer: page(PointRow),
});

export const showPoint = adminCall({
  method: 'GET',
  path: 'points/:id',
  title: '知识点详情',
  needs: 'teaching',
  answer: PointRecord,
});

/** `subject_id` applies to top points only; others have the subject of their top point. */
export const NewPoint = v.object({ name: TypedText, parent_id: SearchId, subject_id: SearchId });
export type NewPoint = v.InferOutput<typeof NewPoint>;

export const WrittenPoint = v.object({ name: TypedText, subject_id: SearchId, seen: TypedText });
export type WrittenPoint = v.InferOutput<typeof WrittenPoint>;

export const CompletePoint = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(pointMessages.noName),
    v.check((name) => lengthOf(name) <= pointNameLimit, pointMessages.nameLength),
  ),
});

export const addPoint = adminCall({
  method: 'POST',
  path: 'points',
  title: '添加知识点',
  needs: 'teaching',
  body: NewPoint,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

/**
 * One point per line; a line is a child of the nearest line above with less indentation. Existing points are skipped.
 */
export const PointLines = v.object({ lines: TypedText, parent_id: SearchId, subject_id: SearchId });
export type PointLines = v.InferOutput<typeof PointLines>;

export const addPoints = adminCall({
  method: 'POST',
  path: 'points/many',
  title: '批量添加知识点',
  description: '每行一个知识点，用空格或制表符缩进表示上下级；同一上级之下已有的不重复添加。',
  needs: 'teaching',
  body: PointLines,
  answer: v.object({ added: v.number(), known: v.number() }),
});

export const editPoint = adminCall({
  method: 'PUT',
  path: 'points/:id',
  title: '修改知识点',
  needs: 'teaching',
  body: WrittenPoint,
  answer: v.null(),
  message: '保存成功',
});

/**
 * Moves below another point, or to the top without `parent_id`. `from_id`: the parent when the form was opened, 0 for
 * the top.
 */
export const movePoint = adminCall({
  method: 'POST',
  path: 'points/:id/move',
  title: '移动知识点',
  needs: 'teaching',
  body: v.object({
    parent_id: SearchId,
    from_id: v.fallback(v.optional(v.pipe(v.number(), v.integer())), undefined),
  }),
  answer: v.null(),
  message: '移动成功',
});

/** Swaps with the previous or next sibling. */
export const orderPoint = adminCall({
  method: 'POST',
  path: 'points/:id/order',
  title: '调整知识点的顺序',
  needs: 'teaching',
  body: v.object({ direction: v.picklist(['up', 'down']) }),
  answer: v.null(),
  message: '顺序已调整',
});

/** Deletes a point without questions and children. */
export const deletePoint = adminCall({
  method: 'DELETE',
  path: 'points/:id',
  title: '删除知识点',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});

/** Moves its questions and children to another point and deletes it. `acknowledged` repeats the effect. */
export const mergePoint = adminCall({
  method: 'POST',
  path: 'points/:id/merge',
  title: '合并知识点',
  needs: 'teaching',
  body: v.object({ into_id: SearchId, acknowledged: TypedText }),
  answer: v.null(),
  message: '合并成功',
});
