/** Administrators' calls for the tree of knowledge points. */
import * as v from 'valibot';
import { OneLine, page, paging, SearchFlag, SearchId, SearchText, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { pointMessages, pointNameLimit } from './points.rules.ts';

/**
 * `open`: point whose children are shown, together with the children of its ancestors. `whole`: the whole tree is
 * shown. `name`: searches the whole tree.
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
  /** Names of the point's ancestors; empty for a top point. */
  path: v.array(v.string()),
  /** Subject of the point's top point; null and '' if it has none. */
  subject_id: v.nullable(v.number()),
  subject_name: v.string(),
  children: v.number(),
  questions: v.number(),
};

/** `is_open` 1: the point's children follow in the list. */
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

/** `subject_id` only counts for top points; other points have the subject of their top point. */
export const NewPoint = v.object({ name: TypedText, parent_id: SearchId, subject_id: SearchId });
export type NewPoint = v.InferOutput<typeof NewPoint>;

export const EditedPoint = v.object({ name: TypedText, subject_id: SearchId, seen: TypedText });
export type EditedPoint = v.InferOutput<typeof EditedPoint>;

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
 * One point per line. A line is a child of the nearest line above it that is indented less. Points that exist already
 * are skipped.
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
  body: EditedPoint,
  answer: v.null(),
  message: '保存成功',
});

/**
 * Moves a point below another one; without `parent_id`, to the top. `from_id`: its parent when the form was opened; 0
 * for the top.
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

/** Swaps a point with its previous or next sibling. */
export const orderPoint = adminCall({
  method: 'POST',
  path: 'points/:id/order',
  title: '调整知识点的顺序',
  needs: 'teaching',
  body: v.object({ direction: v.picklist(['up', 'down']) }),
  answer: v.null(),
  message: '顺序已调整',
});

/** Deletes a point; only possible while it has no questions and no children. */
export const deletePoint = adminCall({
  method: 'DELETE',
  path: 'points/:id',
  title: '删除知识点',
  needs: 'teaching',
  answer: v.null(),
  message: '删除成功',
});

/**
 * Merges a point into another one, which gets its questions and children, and deletes it. `acknowledged`: the effect,
 * if any.
 */
export const mergePoint = adminCall({
  method: 'POST',
  path: 'points/:id/merge',
  title: '合并知识点',
  needs: 'teaching',
  body: v.object({ into_id: SearchId, acknowledged: TypedText }),
  answer: v.null(),
  message: '合并成功',
});
