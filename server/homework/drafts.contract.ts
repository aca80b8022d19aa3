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
 * Saves the publish form. The server does not interpret `form`. All drafts with one `key` are states of one
 * publication.
 */
export const savePublishForm = call({
  method: 'POST',
  path: 'hw/draft',
  title: '暂存布置作业表单',
  needs: 'dispatch',
  body: v.object({
    form: v.pipe(v.string(), withoutControls),
    key: v.optional(draftKey, () => crypto.randomUUID()),
    name: v.optional(v.pipe(TypedText, v.transform(shortName)), ''),
    /** 0: no course chosen. */
    course_basis_id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxId)), 0),
    question_count: v.optional(Count, 0),
    /** 1: no field is filled in. The draft is not listed, and not stored unless its key has an earlier draft. */
    is_empty: v.optional(FlagNumber, 0),
    /** Address of the form, to continue it. */
    address: v.optional(v.pipe(v.string(), withoutControls, v.maxLength(1000)), ''),
    /** 1: overwrites the key's earlier draft with `in_place`; 0: adds one. */
    in_place: v.optional(FlagNumber, 0),
  }),
  bodyLimit: publishBodyLimit,
  /** Null if an empty form was not stored. */
  answer: v.object({ id: v.nullable(v.number()) }),
});

export const showPublishForm = call({
  method: 'GET',
  path: 'hw/draft/:id',
  title: '暂存的布置作业表单',
  needs: 'dispatch',
  answer: v.object({ id: v.number(), form: v.string() }),
});

export const deletePublishForm = call({
  method: 'POST',
  path: 'hw/draft/drop',
  title: '删除布置作业草稿',
  needs: 'dispatch',
  body: v.object({ key: draftKey }),
  answer: v.null(),
  message: '草稿已删除',
});
