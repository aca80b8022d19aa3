/** A grader's pinned comments, each on a shortcut key. */
import * as v from 'valibot';
import { withoutControls } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { type CommentKey, commentFault, commentKeys, gradingMessages } from './rules.ts';

/** Pinned comments by key; '' if a key has none. */
export const PinnedComments = v.object(fieldByKey(v.string()));
export type PinnedComments = v.InferOutput<typeof PinnedComments>;

/** Line breaks become spaces, because the shortcut inserts the comment as one line. */
const PinnedComment = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s+/g, ' ').trim()),
    withoutControls,
    v.check((text) => commentFault(text) === undefined, gradingMessages.commentLength),
  ),
  '',
);

function fieldByKey<Field>(field: Field): Record<CommentKey, Field> {
  return Object.fromEntries(commentKeys.map((key) => [key, field])) as Record<CommentKey, Field>;
}

export const listPinned = call({
  method: 'GET',
  path: 'hw/review/pinned',
  title: '常用评语',
  needs: 'correct',
  answer: PinnedComments,
});

/** Replaces all pinned comments. 422: two keys have the same comment. */
export const savePinned = call({
  method: 'PUT',
  path: 'hw/review/pinned',
  title: '修改常用评语',
  needs: 'correct',
  body: v.object(fieldByKey(PinnedComment)),
  answer: v.null(),
  message: '保存成功',
});
