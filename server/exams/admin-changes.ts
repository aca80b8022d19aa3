/** Changes that administrators make to a whole exam, each recorded in the history. */

import { type Edit, editConflict, mergeEdit } from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal, refuseField, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy, recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import type { Exam } from '#server/schema/database.ts';
import { openSchoolsOf, schoolsOf } from '#server/school/admin-schools.ts';
import { dayOf, timeOf } from '#server/school/calendar.ts';
import { nextChangedAt } from '#server/school/change-feed.ts';
import type { RuleContext } from '#server/school/context.ts';
import { CompleteExam, type EditedExam, type NewExam } from './admin.contract.ts';
import { editedFields, reportsOfExam, schoolsOfExam } from './admin-record.ts';
import { countDroppedTakers, giveToClasses, reachedStudents, resolveAudience } from './exam-classes.ts';
import { emitExamPublished } from './learner-events.ts';
import {
  classesSentence,
  composingMessages,
  droppedTakersFault,
  examPoints,
  missingExam,
  otherSchoolsFault,
  passScoreFault,
  publishedFieldMessage,
  removeExamFault,
} from './rules.ts';
import { adminExams } from './visible.ts';

export type RequestContext = RuleContext<'actor' | 'now'>;
export type SettingsContext = RuleContext<'actor' | 'now' | 'settings'>;

interface HeldExam {
  exam: Exam;
  schools: { id: number; name: string }[];
  /** Classes that the exam is given to; empty if it is given to whole schools. */
  classes: { id: number }[];
  /** Schools of a published exam that the administrator does not manage. */
  beyond: string[];
}

/** Locks an exam that the administrator sees. 404: not visible. */
export async function lockedExam(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<HeldExam | Refusal> {
  const exam = await forUpdate(db)(
    adminExams(db, actor).selectAll('exam').where('exam.id', '=', id),
  ).executeTakeFirst();
  if (!exam) return missing(missingExam);
  return { exam, ...(await schoolsOfExam(db, actor, id)) };
}

/**
 * Locks an exam that the administrator may change as a whole. 404: not visible. 403: it is published in a school that
 * the administrator does not manage.
 */
export async function lockedOwnExam(
  context: Pick<RequestContext, 'db' | 'actor'>,
  id: number,
): Promise<HeldExam | Refusal> {
  const held = await lockedExam(context, id);
  if (isRefusal(held) || held.exam.status !== 1) return held;
  return refuseFor('forbidden', otherSchoolsFault(held.beyond)) ?? held;
}

export const recordExamHistory = (
  { db, actor, now }: RequestContext,
  id: number,
  action: string,
  { before, after }: { before: unknown; after: unknown },
): Promise<void> => recordHistory(db, { actor, now, record: 'exam', recordId: id, action, before, after });

/** Creates a draft. 422: errors by field. */
export async function addDraft(context: RequestContext, written: NewExam): Promise<{ id: number } | Refusal> {
  const { db, actor, now } = context;
  const audience = await resolveAudience(context, written, { schoolIds: written.school_ids, present: [] });
  const { output: fields, errors } = validateComplete(CompleteExam, { ...written, class_ids: audience.classIds });
  if (!fields) return invalid({ ...audience.errors, ...errors });
  const refusal = await refuseUnknown(context, fields, audience.errors);
  if (refusal) return refusal;
  const { id } = await db
    .insertInto('exam')
    .values({ ...columnsOf(fields), score: 0, status: 2, creator_id: actor.id, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await shareWith(db, id, fields.school_ids);
  await giveToClasses(db, { id, changed_at: 0 }, fields.class_ids, now);
  await recordExamHistory(context, id, 'add', { before: null, after: fields });
  return { id };
}

/**
 * Edits an exam. 404: not visible. 403: published in a school of others. 422: errors by field, or a field that is fixed
 * since publication. 409: edited meanwhile.
 */
export async function editExamDetails(
  context: SettingsContext,
  id: number,
  written: EditedExam,
): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const before = editedFields(exam, held);
  const present = before.class_ids;
  const audience = await resolveAudience(context, written, { schoolIds: written.school_ids, present });
  const { output, errors } = validateComplete(CompleteExam, { ...written, class_ids: audience.classIds });
  if (!output) return invalid({ ...audience.errors, ...errors });
  const { merged, conflicts, both } = mergeEdit(written.seen, before, {
    ...output,
    school_ids: [...output.school_ids].sort((one, other) => one - other),
  });
  const change = changedFields(before, merged);
  const refusal =
    refuseFixed(change.names, exam, await reportsOfExam(db, id)) ??
    (await refuseUnknown(context, merged, audience.errors, before)) ??
    (exam.status === 1 && change.names.includes('class_ids')
      ? refuseField('class_ids', droppedTakersFault(await countDroppedTakers(db, id, changeOf(before, merged))))
      : undefined) ??
    (conflicts.length > 0 ? await examEditConflict(context, exam, both) : undefined);
  if (refusal) return refusal;
  if (change.names.length === 0) return null;
  const published = exam.status === 1 && { changed_at: nextChangedAt(now) };
  await db
    .updateTable('exam')
    .set({ ...columnsOf(merged), ...published })
    .where('id', '=', id)
    .execute();
  await shareWith(db, id, merged.school_ids);
  if (change.names.includes('class_ids')) {
    const reachedBefore = reachedStudents(db, held).select('student.id');
    if (published) {
      const classes = merged.class_ids.map((classId) => ({ id: classId }));
      const added = reachedStudents(db, { ...held, classes }).where('student.id', 'not in', reachedBefore);
      await emitExamPublished(db, { ...exam, ...columnsOf(merged) }, added, now);
    }
    await giveToClasses(db, exam, merged.class_ids, now);
  }
  await recordExamHistory(context, id, 'edit', change);
  return null;
}

const changeOf = (before: CompleteExam, after: CompleteExam) => ({ before: before.class_ids, after: after.class_ids });

const fieldNames: Record<keyof CompleteExam, string> = {
  name: '考试名称',
  introduce: '考试说明',
  category_id: '考试分类',
  pass_score: '及格分',
  limit_minutes: '考试时长',
  start_at: '开始时间',
  end_at: '结束时间',
  attempts: '答题次数',
  school_ids: '学校',
  class_ids: '班级',
};

/** Fields that cannot change after publication, because students rely on them. The end can still be extended. */
const fixed: readonly (keyof CompleteExam)[] = ['limit_minutes', 'start_at', 'end_at', 'attempts', 'school_ids'];

function refuseFixed(changed: readonly (keyof CompleteExam)[], exam: Exam, reports: number): Refusal | undefined {
  if (exam.status !== 1) return undefined;
  const errors: FieldErrors = {};
  for (const field of fixed) if (changed.includes(field)) errors[field] = [publishedFieldMessage(fieldNames[field])];
  const fault = changed.includes('pass_score') ? passScoreFault(reports) : undefined;
  if (fault) errors.pass_score = [fault];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

/**
 * 422: a school that the administrator does not manage, or an unknown category. An archived school or category is only
 * accepted if the exam has it already.
 */
async function refuseUnknown(
  { db, actor }: RequestContext,
  { school_ids, category_id }: CompleteExam,
  audienceErrors: FieldErrors,
  before?: CompleteExam,
): Promise<Refusal | undefined> {
  const errors: FieldErrors = { ...audienceErrors };
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const [seen, open] = await Promise.all([schoolsOf(db, actor).execute(), openSchoolsOf(db, actor).execute()]);
  const [known, offered] = [idsOf(seen), idsOf(open)];
  const mayHave = (id: number) => offered.has(id) || (known.has(id) && before?.school_ids.includes(id));
  if (!school_ids.every(mayHave)) errors.school_ids = [composingMessages.noSchool];
  if (category_id !== null && category_id !== before?.category_id) {
    const category = await db
      .selectFrom('exam_category')
      .select('id')
      .where('id', '=', category_id)
      .where('put_away_at', 'is', null)
      .executeTakeFirst();
    if (!category) errors.category_id = [composingMessages.category];
  }
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

/** Converts form fields to columns of the exam; schools after the first, and classes, are in tables of their own. */
function columnsOf({ limit_minutes, school_ids, class_ids, ...fields }: CompleteExam) {
  return {
    ...fields,
    limit_time: limit_minutes * 60,
    school_id: school_ids[0] as number,
    by_class: class_ids.length > 0 ? (1 as const) : (0 as const),
  };
}

async function shareWith(db: Database, examId: number, [_, ...further]: readonly number[]): Promise<void> {
  await db.deleteFrom('exam_school').where('exam_id', '=', examId).execute();
  if (further.length === 0) return;
  await db
    .insertInto('exam_school')
    .values(further.map((school_id) => ({ exam_id: examId, school_id })))
    .execute();
}

export async function examEditConflict(
  { db, settings: { timezone } }: SettingsContext,
  { id }: Exam,
  edit: Edit<CompleteExam>,
): Promise<Refusal> {
  const classIds = [0, ...edit.now.class_ids, ...edit.written.class_ids];
  const [schools, classes, categories, by] = await Promise.all([
    db.selectFrom('school').select(['id', 'org_name as name']).execute(),
    db.selectFrom('class').select(['id', 'name']).where('id', 'in', classIds).execute(),
    db.selectFrom('exam_category').select(['id', 'name']).execute(),
    lastChangedBy(db, 'exam', id, edit.conflicts),
  ]);
  const momentOf = (value: unknown) =>
    typeof value === 'number' ? `${dayOf(value, timezone)} ${timeOf(value, timezone)}` : '不限';
  const wordsOf: Partial<Record<keyof CompleteExam, (value: unknown) => string>> = {
    category_id: (value) => categories.find((one) => one.id === value)?.name ?? '无',
    pass_score: (value) => examPoints(Number(value)).toFixed(1),
    start_at: momentOf,
    end_at: momentOf,
    school_ids: (value) =>
      schools.flatMap((one) => ((value as number[]).includes(one.id) ? [one.name] : [])).join('、'),
    class_ids: (value) =>
      classesSentence(classes.filter(({ id: classId }) => (value as number[]).includes(classId))) || '全校',
  };
  return editConflict(edit, {
    by: by || '系统管理员',
    nameOf: fieldNames,
    shown: (field, value) => wordsOf[field]?.(value) ?? (String(value) || '空'),
  });
}

/** Deletes a draft. 404: not visible. 403: published in a school of others. 409: published. */
export async function removeDraft(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const refusal = refuseFor('conflict', removeExamFault(exam));
  if (refusal) return refusal;
  await db.deleteFrom('exam_question').where('exam_id', '=', id).where('parent_id', 'is not', null).execute();
  await db.deleteFrom('exam_question').where('exam_id', '=', id).execute();
  await db.deleteFrom('exam_section').where('exam_id', '=', id).execute();
  await db.deleteFrom('exam_school').where('exam_id', '=', id).execute();
  await db.deleteFrom('exam_class').where('exam_id', '=', id).execute();
  await db.deleteFrom('exam').where('id', '=', id).execute();
  await recordExamHistory(context, id, 'remove', {
    before: { ...editedFields(exam, held), ques_num: exam.ques_num },
    after: null,
  });
  return null;
}
