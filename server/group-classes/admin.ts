import { choiceErrors, readClassStaff, storeClass, storeNewClass } from '#server/classes/admin-changes.ts';
import { classRows, hasState, toClassFields } from '#server/classes/admin-list.ts';
import { lockedClass } from '#server/classes/admin-record.ts';
import { chosenStaff } from '#server/classes/class-staff.ts';
import { classTypes, missingClass, tracesSentence } from '#server/classes/rules.ts';
import { usageOf } from '#server/classes/usage.ts';
import { administeredClasses } from '#server/classes/visible.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import {
  editConflict,
  mergeEdit,
  requireConfirmation,
  versionTokenOf,
} from '#server/platform/calls/optimistic-edit.ts';
import { invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { FieldErrors, Page } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, lastChangedBy } from '#server/platform/db/history.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { pageByName } from '#server/platform/db/page-by-name.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import type { RuleContext } from '#server/school/context.ts';
import { lessonClassesTaughtBy, staffOnDuty } from '#server/school/reach.ts';
import {
  CompleteLessonClass,
  type LessonClassFilter,
  type LessonClassRecord,
  type LessonClassRow,
  type NewLessonClass,
  ValidNewLessonClass,
  type WrittenLessonClass,
} from './admin.contract.ts';
import { endTeamFault, reopenTeamFault, teamMessages } from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now' | 'settings'>;

const lessonClasses = (db: Database, actor: Pick<Actor, 'id' | 'everySchool'>) =>
  administeredClasses(db, actor).where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne]);

/** Newest first. */
export async function lessonClassPage(
  { db, actor, now }: RuleContext<'actor' | 'now'>,
  filter: LessonClassFilter,
): Promise<Page<LessonClassRow>> {
  let matching = lessonClasses(db, actor);
  const { class_type, school_id, lecturer_id, subject_id, state } = filter;
  if (class_type !== undefined) matching = matching.where('class.class_type', '=', class_type);
  if (school_id !== undefined) matching = matching.where('class.school_id', '=', school_id);
  if (lecturer_id !== undefined)
    matching = matching.where('class.id', 'in', lessonClassesTaughtBy(db, { id: lecturer_id }));
  if (subject_id !== undefined) {
    matching = matching.where('class.id', 'in', (eb) =>
      eb.selectFrom('team_class').select('team_class.class_id').where('team_class.subject_id', '=', subject_id),
    );
  }
  if (state !== undefined) matching = matching.where((eb) => hasState(eb, state, now));
  const inOrder = (found: typeof matching) => selected(found, now).orderBy('class.id', 'desc');
  const { list, ...range } =
    filter.name === undefined
      ? await pageOf(matching, filter, inOrder(matching))
      : await pageByName(
          matching,
          { name: 'class.name', pinyin: 'class.pinyin' },
          filter.name,
          filter,
          (found) => inOrder(found as typeof matching).select('class.pinyin'),
          ({ name }) => name,
        );
  return { list: await rowsOf(db, list), ...range };
}

const selected = (classes: ReturnType<typeof lessonClasses>, now: number) =>
  classRows(classes, now)
    .leftJoin('team_class', 'team_class.class_id', 'class.id')
    .leftJoin('staff', 'staff.id', 'team_class.lecturer_id')
    .leftJoin('subject', 'subject.id', 'team_class.subject_id')
    .leftJoin('room', 'room.id', 'team_class.room_id')
    .select([
      'team_class.lecturer_id',
      'staff.real_name as lecturer_name',
      'team_class.subject_id',
      'subject.name as subject_name',
      'team_class.room_id',
      'room.name as room_name',
      'team_class.teaching_mode',
      'team_class.sign_type',
      'team_class.schedule',
      'team_class.remarks',
      'team_class.start_time',
      'team_class.ended_at',
    ])
    .select((eb) => {
      const lessons = eb
        .selectFrom('class_session')
        .select((count) => count.fn.countAll<number>().as('lessons'))
        .whereRef('class_session.class_id', '=', 'class.id')
        .where('class_session.cancelled_at', 'is', null);
      return [
        lessons.where('class_session.end_time', '<=', now).as('lessons_held'),
        lessons.where('class_session.start_time', '>', now).as('lessons_left'),
        eb
          .selectFrom('class_student')
          .select((count) => count.fn.countAll<number>().as('students'))
          .whereRef('class_student.class_id', '=', 'class.id')
          .where('class_student.left_at', 'is', null)
          .as('students_count'),
        eb
          .selectFrom('class_course')
          .select((count) => count.fn.countAll<number>().as('courses'))
          .whereRef('class_course.class_id', '=', 'class.id')
          .as('courses_count'),
      ];
    });

type Stored = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

async function rowsOf(db: Database, rows: readonly Stored[]): Promise<LessonClassRow[]> {
  const ids = rows.map(({ id }) => id);
  const assistants = await staffOnDuty(db, 'assistant', ids).execute();
  return rows.map((row) => {
    const { large_class_name: _, ...theClass } = toClassFields(row);
    return {
      ...theClass,
      assistants: assistants.filter(({ class_id }) => class_id === row.id).map(({ real_name }) => real_name),
      students_count: row.students_count ?? 0,
      courses_count: row.courses_count ?? 0,
      lecturer_id: row.lecturer_id ?? 0,
      lecturer_name: row.lecturer_name ?? '',
      subject_id: row.subject_id ?? 0,
      subject_name: row.subject_name ?? '',
      room_id: row.room_id ?? 0,
      room_name: row.room_name ?? '',
      teaching_mode: row.teaching_mode ?? 1,
      sign_type: row.sign_type ?? 1,
      schedule: row.schedule ?? '',
      remarks: row.remarks ?? '',
      // Classes without a `team_class` row began at their creation.
      start_time: row.start_time ?? row.created_at,
      ended_at: row.ended_at,
      lessons_held: row.lessons_held ?? 0,
      lessons_left: row.lessons_left ?? 0,
    };
  });
}

/** 404: no such class. */
export async function lessonClassRecord(
  { db, actor, now, settings }: RequestContext,
  id: number,
): Promise<LessonClassRecord | Refusal> {
  const row = await selected(lessonClasses(db, actor).where('class.id', '=', id), now).executeTakeFirst();
  const [theClass] = row ? await rowsOf(db, [row]) : [];
  if (!row || !theClass) return missing(missingClass);
  const fields = editedFields({ ...theClass, grade_id: row.grade_id, classify_id: row.classify_id }, settings.timezone);
  return {
    ...theClass,
    grade_id: fields.grade_id,
    classify_id: fields.classify_id,
    start_day: fields.start_day,
    end_effect: endEffect(await usageOf(db, { classId: id, now })) ?? '',
    seen: versionTokenOf(fields),
  };
}

/** Future lessons are not cancelled automatically. */
const endEffect = (traces: Parameters<typeof tracesSentence>[0]): string | undefined => {
  const effect = tracesSentence({ ...traces, periods: 0 });
  return effect && traces.lessons > 0 ? `${effect}不会自动取消` : effect;
};

type Edited = LessonClassRow & { grade_id: number | null; classify_id: number | null };

const editedFields = (theClass: Edited, timezone: string) => ({
  name: theClass.name,
  grade_id: theClass.grade_id ?? 0,
  classify_id: theClass.classify_id ?? 0,
  lecturer_id: theClass.lecturer_id,
  subject_id: theClass.subject_id,
  room_id: theClass.room_id,
  teaching_mode: theClass.teaching_mode,
  sign_type: theClass.sign_type,
  schedule: theClass.schedule,
  remarks: theClass.remarks,
  start_day: dayOf(theClass.start_time, timezone),
});
type EditedFields = ReturnType<typeof editedFields>;

/** 422: errors by field. 404: a person or course outside the actor's schools. */
export async function addLessonClassOf(
  context: RequestContext,
  written: NewLessonClass,
): Promise<{ id: number } | Refusal> {
  const { db, actor } = context;
  const { output, errors } = validateComplete(ValidNewLessonClass, written);
  if (!output) return invalid(errors);
  const crew = await readClassStaff({ db, actor }, written);
  if (isRefusal(crew)) return crew;
  const { class_type, school_id, head_ids: _, assistant_ids: __, course_ids: ___, ...fields } = output;
  const refusal = await fieldRefusal(context, fields, school_id);
  if (refusal) return refusal;
  const added = await storeNewClass(context, { class_type, fields, crew, said: fields });
  await db
    .insertInto('team_class')
    .values({ ...teamColumns(fields, context.settings.timezone), class_id: added.id, ended_at: null })
    .execute();
  return added;
}

/** 404: no such class. 422: errors by field. 409: edited meanwhile, or not acknowledged. */
export async function editLessonClassOf(
  context: RequestContext,
  id: number,
  written: WrittenLessonClass,
): Promise<null | Refusal> {
  const { db, actor, now, settings } = context;
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const { output, errors } = validateComplete(CompleteLessonClass, written);
  if (!output) return invalid(errors);
  const before = editedFields(held, settings.timezone);
  const { merged, conflicts, both } = mergeEdit(written.seen, before, output);
  const refusal = await fieldRefusal({ db, actor }, merged, held.school_id, before);
  if (refusal) return refusal;
  if (conflicts.length > 0) {
    return editConflict(both, {
      by: (await lastChangedBy(db, 'class', id, conflicts)) || '系统管理员',
      nameOf: fieldNames,
      shown: await shownFields(db),
    });
  }
  const change = changedFields(before, merged);
  if (change.names.length === 0) return null;
  const { lessons } = await usageOf(db, { classId: id, now });
  const touched = change.names.some((name) => name === 'lecturer_id' || name === 'room_id' || name === 'teaching_mode');
  const unsaid = requireConfirmation(
    touched && lessons > 0 ? `已排的${lessons}节未上的课不会随之改变，可在课次中批量调整` : undefined,
    written.acknowledged,
  );
  if (unsaid) return unsaid;
  await keepTeam(db, id, {
    fields: merged,
    startChanged: change.names.includes('start_day'),
    timezone: settings.timezone,
  });
  await storeClass(context, id, {
    columns: {
      name: merged.name,
      grade_id: merged.grade_id || null,
      classify_id: merged.classify_id || null,
    },
    change,
  });
  return null;
}

const teamColumns = (fields: EditedFields, timezone: string) => ({
  subject_id: fields.subject_id || null,
  lecturer_id: fields.lecturer_id || null,
  room_id: fields.room_id || null,
  teaching_mode: fields.teaching_mode,
  sign_type: fields.sign_type,
  schedule: fields.schedule,
  remarks: fields.remarks,
  start_time: dayStart(fields.start_day, timezone),
});

/** Inserts the `team_class` row if it is missing. */
async function keepTeam(
  db: Database,
  id: number,
  { fields, startChanged, timezone }: { fields: EditedFields; startChanged: boolean; timezone: string },
): Promise<void> {
  const { start_time, ...columns } = teamColumns(fields, timezone);
  await db
    .insertInto('team_class')
    .values({ ...columns, start_time, class_id: id, ended_at: null })
    .onConflict((known) => known.column('class_id').doUpdateSet(startChanged ? { ...columns, start_time } : columns))
    .execute();
}

/** 404: no such class. 409: already ended, or the effect was not acknowledged. */
export async function endLessonClassOf(
  context: RequestContext,
  id: number,
  acknowledged: string,
): Promise<null | Refusal> {
  const { db, now } = context;
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const refusal =
    refuseFor('conflict', endTeamFault(held)) ??
    requireConfirmation(endEffect(await usageOf(db, { classId: id, now })), acknowledged);
  if (refusal) return refusal;
  await setEnded(context, held, now);
  return null;
}

/** 404: no such class. 409: not ended. */
export async function reopenLessonClassOf(context: RequestContext, id: number): Promise<null | Refusal> {
  const held = await lockedLessonClass(context, id);
  if (isRefusal(held)) return held;
  const refusal = refuseFor('conflict', reopenTeamFault(held));
  if (refusal) return refusal;
  await setEnded(context, held, null);
  return null;
}

async function setEnded(context: RequestContext, held: Edited, ended_at: number | null): Promise<void> {
  const { db, settings } = context;
  const { start_time: _, ...columns } = teamColumns(editedFields(held, settings.timezone), settings.timezone);
  await db
    .insertInto('team_class')
    .values({ ...columns, class_id: held.id, start_time: held.start_time, ended_at })
    .onConflict((known) => known.column('class_id').doUpdateSet({ ended_at }))
    .execute();
  // Reopening also lifts an expired validity.
  const over = ended_at === null && held.valid_type === 2;
  await storeClass(context, held.id, {
    action: ended_at === null ? 'reopen' : 'end',
    columns: over ? { valid_type: 1, valid_time: 0 } : {},
    change: { before: { ended_at: held.ended_at }, after: { ended_at } },
  });
}

async function lockedLessonClass({ db, actor, now }: RequestContext, id: number): Promise<Edited | Refusal> {
  const theClass = await lockedClass({ db, actor, now }, id);
  if (isRefusal(theClass)) return theClass;
  const row = await selected(lessonClasses(db, actor).where('class.id', '=', id), now).executeTakeFirst();
  const [shown] = row ? await rowsOf(db, [row]) : [];
  if (!row || !shown) return missing(missingClass);
  return { ...shown, grade_id: row.grade_id, classify_id: row.classify_id };
}

/** Rules that need the database: chosen records must exist and be offered. */
async function fieldRefusal(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  fields: Pick<EditedFields, 'grade_id' | 'classify_id' | 'lecturer_id' | 'subject_id' | 'room_id'>,
  schoolId: number,
  before?: EditedFields,
): Promise<Refusal | undefined> {
  const { lecturer_id, subject_id, room_id } = fields;
  if (lecturer_id !== 0) {
    const chosen = await chosenStaff(
      { db, actor },
      {
        field: 'lecturer_id',
        identity: 'teacher',
        ids: [lecturer_id],
        kept: before && before.lecturer_id !== 0 ? [before.lecturer_id] : [],
      },
    );
    if (isRefusal(chosen)) return chosen;
  }
  const errors: FieldErrors = (await choiceErrors(db, fields, { schoolId, ...(before && { before }) })) ?? {};
  const subject = db.selectFrom('subject').select('id').where('id', '=', subject_id).where('put_away_at', 'is', null);
  const room = db
    .selectFrom('room')
    .select('id')
    .where('id', '=', room_id)
    .where('school_id', '=', schoolId)
    .where('put_away_at', 'is', null);
  if (subject_id !== 0 && subject_id !== before?.subject_id && !(await subject.executeTakeFirst()))
    errors.subject_id = [teamMessages.subject];
  if (room_id !== 0 && room_id !== before?.room_id && !(await room.executeTakeFirst()))
    errors.room_id = [teamMessages.room];
  return Object.keys(errors).length > 0 ? invalid(errors) : undefined;
}

const fieldNames: Record<keyof EditedFields, string> = {
  name: '名称',
  grade_id: '年级',
  classify_id: '分类',
  lecturer_id: '讲师',
  subject_id: '科目',
  room_id: '教室',
  teaching_mode: '授课方式',
  sign_type: '计费方式',
  schedule: '上课时间说明',
  remarks: '备注',
  start_day: '开课日期',
};

async function shownFields(db: Database) {
  const [grades, classifies, subjects, rooms, lecturers] = await Promise.all([
    db.selectFrom('grade').select(['id', 'name']).execute(),
    db.selectFrom('classify').select(['id', 'name']).execute(),
    db.selectFrom('subject').select(['id', 'name']).execute(),
    db.selectFrom('room').select(['id', 'name']).execute(),
    db.selectFrom('staff').select(['id', 'real_name as name']).where('identity', '=', 'teacher').execute(),
  ]);
  const named = (of: { id: number; name: string }[]) => (value: unknown) =>
    of.find(({ id }) => id === value)?.name ?? '无';
  const wordsOf: Partial<Record<string, (value: unknown) => string>> = {
    grade_id: named(grades),
    classify_id: named(classifies),
    subject_id: named(subjects),
    room_id: named(rooms),
    lecturer_id: named(lecturers),
    teaching_mode: (value) => (value === 2 ? '线下' : '直播'),
    sign_type: (value) => (value === 2 ? '按期' : '按课时'),
  };
  return (field: string, value: unknown) => wordsOf[field]?.(value) ?? String(value || '空');
}
