/** Administrators' calls for large classes (大班): classes that share a picture of the timetable. */

import * as v from 'valibot';
import { IdAndName, page, paging, required, SearchId, SearchText, TypedText } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { acknowledgement, CompleteClassDetails } from './admin.contract.ts';
import { classWritingMessages } from './rules.ts';

const needs = 'teaching';

export const LargeClassFilter = v.object({ name: SearchText, school_id: SearchId, ...paging() });
export type LargeClassFilter = v.InferOutput<typeof LargeClassFilter>;

export const LargeClassRow = v.object({
  id: v.number(),
  name: v.string(),
  school_id: v.number(),
  school_name: v.string(),
  classes: v.array(IdAndName),
  seen: v.string(),
});
export type LargeClassRow = v.InferOutput<typeof LargeClassRow>;

export const listAllLargeClasses = adminCall({
  method: 'GET',
  path: 'large-classes',
  title: '大班',
  needs,
  query: LargeClassFilter,
  answer: page(LargeClassRow),
});

export const showLargeClass = adminCall({
  method: 'GET',
  path: 'large-classes/:id',
  title: '大班资料',
  needs,
  answer: LargeClassRow,
});

export const NewLargeClass = v.object({ name: TypedText, school_id: SearchId });

export const CompleteLargeClass = v.object({
  name: CompleteClassDetails.entries.name,
  school_id: required(classWritingMessages.noSchool),
});

export const addLargeClass = adminCall({
  method: 'POST',
  path: 'large-classes',
  title: '添加大班',
  needs,
  body: NewLargeClass,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const EditedLargeClass = v.object({ name: TypedText, ...acknowledgement });
export type EditedLargeClass = v.InferOutput<typeof EditedLargeClass>;

export const editLargeClass = adminCall({
  method: 'PUT',
  path: 'large-classes/:id',
  title: '修改大班',
  needs,
  body: EditedLargeClass,
  answer: v.null(),
  message: '保存成功',
});
