/** Calls of administrators to manage their schools. */

import * as v from 'valibot';
import { FlagNumber, OneLine, page, paging, SearchText, searchWord, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { adminCall } from '#server/school/call.ts';
import { schoolMessages, schoolNameLimit } from './rules.ts';

export const schoolStates = ['offered', 'away'] as const;

export const SchoolFilter = v.object({ name: SearchText, state: searchWord(schoolStates), ...paging() });
export type SchoolFilter = v.InferOutput<typeof SchoolFilter>;

const shared = {
  id: v.number(),
  name: v.string(),
  is_put_away: FlagNumber,
  staff: v.number(),
  students: v.number(),
  classes: v.number(),
  courses: v.number(),
};

export const SchoolRow = v.object(shared);
export type SchoolRow = v.InferOutput<typeof SchoolRow>;

/**
 * A school for its form. `records`: the school's records in words; '' if there are none, so that the school can be
 * deleted. `seen`: version to send back.
 */
export const SchoolRecord = v.object({ ...shared, records: v.string(), seen: v.string() });
export type SchoolRecord = v.InferOutput<typeof SchoolRecord>;

export const listSchoolRecords = adminCall({
  method: 'GET',
  path: 'schools',
  title: '学校列表',
  needs: 'settings',
  query: SchoolFilter,
  answer: page(SchoolRow),
});

export const showSchoolRecord = adminCall({
  method: 'GET',
  path: 'schools/:id',
  title: '学校详情',
  needs: 'settings',
  answer: SchoolRecord,
});

export const NewSchool = v.object({ name: TypedText });
export type NewSchool = v.InferOutput<typeof NewSchool>;

export const EditedSchool = v.object({ name: TypedText, seen: TypedText });
export type EditedSchool = v.InferOutput<typeof EditedSchool>;

export const CompleteSchool = v.object({
  name: v.pipe(
    OneLine,
    v.nonEmpty(schoolMessages.noName),
    v.check((name) => lengthOf(name) <= schoolNameLimit, schoolMessages.nameLength),
  ),
});

export const addSchoolRecord = adminCall({
  method: 'POST',
  path: 'schools',
  title: '添加学校',
  needs: 'settings',
  body: NewSchool,
  answer: v.object({ id: v.number() }),
  message: '添加成功',
});

export const editSchoolRecord = adminCall({
  method: 'PUT',
  path: 'schools/:id',
  title: '修改学校',
  needs: 'settings',
  body: EditedSchool,
  answer: v.null(),
  message: '保存成功',
});

/**
 * Archives a school; no new records can belong to it until it is restored. `acknowledged` must repeat `records` of the
 * school, if it has any.
 */
export const archiveSchoolRecord = adminCall({
  method: 'POST',
  path: 'schools/:id/put-away',
  title: '停用学校',
  needs: 'settings',
  body: v.object({ acknowledged: TypedText }),
  answer: v.null(),
  message: '已停用',
});

export const restoreSchoolRecord = adminCall({
  method: 'POST',
  path: 'schools/:id/restore',
  title: '恢复学校',
  needs: 'settings',
  answer: v.null(),
  message: '已恢复',
});

/** Deletes a school that has no records. */
export const deleteSchoolRecord = adminCall({
  method: 'DELETE',
  path: 'schools/:id',
  title: '删除学校',
  needs: 'settings',
  answer: v.null(),
  message: '删除成功',
});
