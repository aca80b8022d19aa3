/** The comments that a grader keeps at hand, each at a key of its own. */
import * as v from 'valibot';
import { withoutControls } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { type CommentKey, commentFault, commentKeys, correctionMessages } from './rules.ts';

/** By key; blank where nothing is pinned. */
export const PinnedComments = v.object(byKey(v.string()));
export type PinnedComments = v.InferOutput<typeof PinnedComments>;

/** In one line: a comment takes up a line of what is written. */
const PinnedComment = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/\s+/g, ' ').trim()),
    withoutControls,
    v.check((text) => commentFault(text) === undefined, correctionMessages.commentLength),
  ),
  '',
);

function byKey<Field>(field: Field): Record<CommentKey, Field> {
  return Object.fromEntries(commentKeys.map((key) => [key, field])) as Record<CommentKey, Field>;
}

export const listPinned = call({
  method: 'GET',
  path: 'hw/review/pinned',
  title: '常用评语',
  needs: 'correct',
  answer: PinnedComments,
});

/** All of them at once; the same comment stands at one key only. */
export const savePinned = call({
  method: 'PUT',
  path: 'hw/review/pinned',
  title: '修改常用评语',
  needs: 'correct',
  body: v.object(byKey(PinnedComment)),
  answer: v.null(),
  message: '保存成功',
});
