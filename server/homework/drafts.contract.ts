/** Drafts of the publish form. */

import * as v from 'valibot';
import { FlagNumber, maxCount, maxId, TypedText, withoutControls } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { publishBodyLimit } from './publication.contract.ts';

/** Cuts a name to the length that lists show. */
const shortName = (name: string) => [...name].slice(0, 100).join('');

const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxCount));

const draftKey = v.pipe(v.string(), withoutControls, v.nonEmpty(), v.maxLength(100));

/**
 * Saves the publish form as a draft. The server does not interpret `form`. All drafts with one `key` are states of the
 * same publication.
 */
export const savePublishDraft = call({
  method: 'POST',
  path: 'hw/draft',
  title: '保存布置作业草稿',
  needs: 'dispatch',
  body: v.object({
    form: v.pipe(v.string(), withoutControls),
    key: v.optional(draftKey, () => crypto.randomUUID()),
    name: v.optional(v.pipe(TypedText, v.transform(shortName)), ''),
    /** Id of the course; 0 if none is chosen yet. */
    course_basis_id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxId)), 0),
    question_count: v.optional(Count, 0),
    /** 1: no field is filled in. An empty draft is not listed. It is stored only if its key has an earlier draft. */
    is_empty: v.optional(FlagNumber, 0),
    /** Address of the form, to go on with the draft. */
    address: v.optional(v.pipe(v.string(), withoutControls, v.maxLength(1000)), ''),
    /** 1: overwrites the earlier draft of this key that has `in_place` too. 0: adds a draft. */
    in_place: v.optional(FlagNumber, 0),
  }),
  bodyLimit: publishBodyLimit,
  /** Id of the draft; null if an empty form was not stored. */
  answer: v.object({ id: v.nullable(v.number()) }),
});

export const showPublishDraft = call({
  method: 'GET',
  path: 'hw/draft/:id',
  title: '布置作业草稿',
  needs: 'dispatch',
  answer: v.object({ id: v.number(), form: v.string() }),
});

export const deletePublishDraft = call({
  method: 'POST',
  path: 'hw/draft/drop',
  title: '删除布置作业草稿',
  needs: 'dispatch',
  body: v.object({ key: draftKey }),
  answer: v.null(),
  message: '草稿已删除',
});
