/** Changes that administrators make to a whole exam, each recorded in the history. */

import { type Edit, editConflict, mergeEdit, requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import {
  forbidden,
  invalid,
  isRefusal,
  missing,
  type Refusal,
  refuseField,
  refuseFor,
} from '#server/platform/calls/outcome.ts';
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
import { countReach, countTakingExam, editedFields, reportsOfExam, schoolsOfExam } from './admin-record.ts';
import { countDroppedTakers, giveToClasses, reachedStudents, resolveAudience } from './exam-classes.ts';
import { emitExamPublished } from './learner-events.ts';
import { examSections } from './questions.ts';
import {
  classesSentence,
  closeFault,
  closingSentence,
  composingMessages,
  droppedTakersFault,
  examPoints,
  extendFault,
  missingExam,
  otherSchoolsFault,
  paperFaults,
  passScoreFault,
  publishedFault,
  publishedFieldFault,
  publishFaultSentence,
  reachSentence,
  removeExamFault,
  withdrawFault,
} from './rules.ts';
import { administeredExams } from './visible.ts';

type RequestContext = RuleContext<'actor' | 'now'>;
type SettingsContext = RuleContext<'actor' | 'now' | 'settings'>;

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
    administeredExams(db, actor).selectAll('exam').where('exam.id', '=', id),
  ).executeTakeFirst();
  if (!exam) return missing(missingExam);
  return { exam, ...(await schoolsOfExam(db, actor, id)) };
}

/**
 * Locks an exam that the administrator may change as a whole. 404: not visible. 403: it is published in a school that
 * the administrator does not manage.
 */
async function lockedOwnExam(context: Pick<RequestContext, 'db' | 'actor'>, id: number): Promise<HeldExam | Refusal> {
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
    (conflicts.length > 0 ? await conflictOf(context, exam, both) : undefined);
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
  for (const field of fixed) if (changed.includes(field)) errors[field] = [publishedFieldFault(fieldNames[field])];
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

async function conflictOf(
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

/**
 * Publishes a draft. 404: not visible. 409: published already, or the effect was not acknowledged. 422: every fault of
 * the paper.
 */
export async function publishDraft(context: RequestContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedExam(context, id);
  if (isRefusal(held)) return held;
  const { exam, beyond } = held;
  const published = refuseFor('conflict', publishedFault(exam));
  if (published) return published;
  const faults = paperFaults({ ...exam, sections: await examSections(db, id), beyond }, now);
  if (faults.length > 0) return invalid({ paper: faults }, publishFaultSentence(faults));
  const unsaid = requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (unsaid) return unsaid;
  await db
    .updateTable('exam')
    .set({ status: 1, published_at: now, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await emitExamPublished(db, exam, reachedStudents(db, held), now);
  await recordExamHistory(context, id, 'publish', { before: { status: 2 }, after: { status: 1, reach: acknowledged } });
  return null;
}

/**
 * Moves the end of an exam to a later time. 404: not visible. 403: published in a school of others. 409: no end, edited
 * meanwhile, or the effect was not acknowledged. 422: not later than the present end.
 */
export async function extendExamEnd(
  context: SettingsContext,
  id: number,
  { end_at, seen, acknowledged }: { end_at?: number | null | undefined; seen: string; acknowledged: string },
): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const refusal =
    refuseFor('conflict', extendFault(exam)) ?? refuseField('end_at', end_at ? undefined : composingMessages.extension);
  if (refusal) return refusal;
  const before = editedFields(exam, held);
  const { conflicts, both } = mergeEdit(seen, before, { ...before, end_at: end_at ?? null });
  if (conflicts.includes('end_at')) return conflictOf(context, exam, both);
  const later = Number(end_at);
  const wrong =
    refuseField('end_at', later <= Number(exam.end_at) ? composingMessages.notLater : undefined) ??
    refuseField('end_at', later <= now ? composingMessages.past : undefined) ??
    requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (wrong) return wrong;
  await db
    .updateTable('exam')
    .set({ end_at: later, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'extend', {
    before: { end_at: exam.end_at },
    after: { end_at: later, reach: acknowledged },
  });
  return null;
}

/**
 * Ends a running exam now. 404: not visible. 403: published in a school of others. 409: not running, or the effect was
 * not acknowledged.
 */
export async function endExamNow(context: RequestContext, id: number, acknowledged: string): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const closing = { ...(await countReach(db, held)), reports: await reportsOfExam(db, id) };
  const refusal =
    refuseFor('conflict', closeFault(exam, now)) ?? requireConfirmation(closingSentence(closing), acknowledged);
  if (refusal) return refusal;
  await db
    .updateTable('exam')
    .set({ end_at: now, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'close', {
    before: { end_at: exam.end_at },
    after: { end_at: now, reach: acknowledged },
  });
  return null;
}

/**
 * Takes a published exam back to a draft. 404: not visible. 403: another administrator's exam. 409: not published,
 * somebody is taking it or has submitted, or the effect was not acknowledged.
 */
export async function withdrawToDraft(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const held = await lockedOwnExam(context, id);
  if (isRefusal(held)) return held;
  const { exam } = held;
  const is_own = exam.creator_id === actor.id;
  const [taking, reports] = [await countTakingExam(db, id), await reportsOfExam(db, id)];
  const fault = withdrawFault({ status: exam.status, is_own, taking, reports });
  if (fault !== undefined && exam.status === 1 && !is_own) return forbidden(fault);
  const refusal =
    refuseFor('conflict', fault) ?? requireConfirmation(reachSentence(await countReach(db, held)), acknowledged);
  if (refusal) return refusal;
  await db
    .updateTable('exam')
    .set({ status: 2, published_at: null, changed_at: nextChangedAt(now) })
    .where('id', '=', id)
    .execute();
  await recordExamHistory(context, id, 'withdraw', {
    before: { status: 1 },
    after: { status: 2, reach: acknowledged },
  });
  return null;
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
