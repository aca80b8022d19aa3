/** Group classes and one-to-one as an import has them, many at a time, by the rules of `administered.ts`. */
import { deleteClasses, insertClasses, updateClasses, updateValidity } from '#server/classes/many.ts';
import {
  classTypes,
  classWritingMessages,
  disabledStaffFault,
  importedClassMessages,
  isRunning,
  missingLecturer,
  removalFault,
  tracesSentence,
} from '#server/classes/rules.ts';
import { recordsOf, tracesOf } from '#server/classes/traces.ts';
import { administeredClasses } from '#server/classes/visible.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { among, amongTexts, given } from '#server/platform/db/given.ts';
import { recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import {
  additionsNoted,
  editsNoted,
  type Fields,
  type FieldValue,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  importerStaff,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  removalsNoted,
  viewerOf,
} from '#server/school/imported.ts';
import { CompleteLessonClass } from './administered.contract.ts';
import { lessonClassTypes, teamMessages } from './rules.ts';

const record = 'class';
const numbers = (records: readonly { record: string }[]) => records.map((one) => Number(one.record));

export const importedGroupClasses = (timezone: string): ImportedKind => ({
  needs: 'teaching',
  refers: {
    school_id: 'school',
    grade_id: 'grade',
    classify_id: 'category',
    lecturer_id: 'staff',
    subject_id: 'subject',
    room_id: 'room',
  },
  scalars: ['name', 'class_type', 'teaching_mode', 'sign_type', 'schedule', 'remarks', 'start_day'],
  defaults: {
    name: '',
    class_type: null,
    school_id: 0,
    grade_id: 0,
    classify_id: 0,
    lecturer_id: 0,
    subject_id: 0,
    room_id: 0,
    teaching_mode: 1,
    sign_type: 1,
    schedule: '',
    remarks: '',
    start_day: '',
  },
  fixed: { school_id: importedClassMessages.school, class_type: importedClassMessages.type },
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name, school_id }) => `${school_id} ${name}`,
  facts: ({ name, school_id, class_type }, isGone) => ({
    name: name ?? '',
    school_id: school_id ?? 0,
    class_type: class_type ?? classTypes.group,
    is_running: isGone ? 0 : 1,
  }),
  leaves: true,
  open: (context) => open(context, timezone),
});

interface StoredTeam {
  id: number;
  ended_at: number | null;
  valid_type: number;
  valid_time: number;
}

async function open(context: ImportContext, timezone: string): Promise<OpenKind> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const [grades, classifies, subjects, rooms] = await Promise.all([
    db.selectFrom('grade').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('classify').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('subject').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('room').select(['id', 'school_id']).where('put_away_at', 'is', null).execute(),
  ]);
  const idsOf = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const offered = { grade: idsOf(grades), category: idsOf(classifies), subject: idsOf(subjects) };
  const isOffered = (kind: keyof typeof offered, id: number) =>
    foreseen(kind, String(id)) !== undefined || offered[kind].has(id);
  const schoolOfRoom = new Map(rooms.map(({ id, school_id }) => [id, school_id]));
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const teams = () =>
    administeredClasses(db, viewer)
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select(['class.id', 'class.name', 'class.class_type', 'class.school_id', 'class.grade_id', 'class.classify_id'])
      .select(['class.valid_type', 'class.valid_time', 'class.created_at'])
      .select(['team_class.lecturer_id', 'team_class.subject_id', 'team_class.room_id', 'team_class.teaching_mode'])
      .select(['team_class.sign_type', 'team_class.schedule', 'team_class.remarks', 'team_class.start_time'])
      .select('team_class.ended_at')
      .where('class.class_type', 'in', [...lessonClassTypes]);
  const isOver = (row: Omit<StoredTeam, 'id'>) =>
    !isRunning(row, now) || (row.ended_at !== null && row.ended_at <= now);

  /** What they have beyond a class; one of which nothing more was known has its row from now on. */
  async function keepTeams(rows: readonly (TeamRow & { ended_at: number | null })[]): Promise<void> {
    await db
      .insertInto('team_class')
      .columns(Object.keys(teamColumns) as (keyof typeof teamColumns)[])
      .expression((eb) =>
        eb
          .selectFrom(given(db, teamColumns, rows))
          .select((one) => [
            'given.class_id',
            'given.subject_id',
            'given.lecturer_id',
            'given.room_id',
            one.ref('given.teaching_mode').$castTo<1 | 2>().as('teaching_mode'),
            one.ref('given.sign_type').$castTo<1 | 2>().as('sign_type'),
            'given.schedule',
            'given.remarks',
            'given.start_time',
            'given.ended_at',
          ])
          .where((one) => one.lit(true)),
      )
      .onConflict((known) =>
        known.column('class_id').doUpdateSet((eb) => ({
          subject_id: eb.ref('excluded.subject_id'),
          lecturer_id: eb.ref('excluded.lecturer_id'),
          room_id: eb.ref('excluded.room_id'),
          teaching_mode: eb.ref('excluded.teaching_mode'),
          sign_type: eb.ref('excluded.sign_type'),
          schedule: eb.ref('excluded.schedule'),
          remarks: eb.ref('excluded.remarks'),
          start_time: eb.ref('excluded.start_time'),
        })),
      )
      .execute();
  }
  const rowOf = (id: number, fields: Fields): TeamRow => ({
    class_id: id,
    subject_id: Number(fields.subject_id) || null,
    lecturer_id: Number(fields.lecturer_id) || null,
    room_id: Number(fields.room_id) || null,
    teaching_mode: Number(fields.teaching_mode),
    sign_type: Number(fields.sign_type),
    schedule: String(fields.schedule ?? ''),
    remarks: String(fields.remarks ?? ''),
    start_time: dayStart(String(fields.start_day), timezone),
  });
  async function setEnded(rows: readonly StoredTeam[]): Promise<void> {
    const values = rows.map(({ id, ended_at }) => ({ id, ended_at }));
    await db
      .updateTable('team_class')
      .from(given(db, { id: 'integer', ended_at: 'integer' }, values))
      .set((eb) => ({ ended_at: eb.ref('given.ended_at') }))
      .whereRef('team_class.class_id', '=', 'given.id')
      .execute();
  }
  const statesOf = async (records: readonly { record: string }[]): Promise<StoredTeam[]> => {
    const rows = await teams()
      .where('class.id', 'in', among(db, numbers(records)))
      .execute();
    // Of which nothing more was known, that is known from now on.
    const plain = rows.filter(({ start_time }) => start_time === null);
    if (plain.length > 0)
      await keepTeams(plain.map((row) => ({ ...rowOf(row.id, fieldsOf(row, timezone)), ended_at: null })));
    return rows.map(({ id, ended_at, valid_type, valid_time }) => ({ id, ended_at, valid_type, valid_time }));
  };
  const restore = async (all: readonly { record: string; trace: unknown }[], action: string) => {
    const before = all.map(({ trace }) => trace as StoredTeam);
    const present = new Map((await statesOf(all)).map((row) => [row.id, row]));
    await setEnded(before);
    await updateValidity(db, before);
    await note(
      action,
      before.map(({ id, ended_at }) => ({
        recordId: id,
        before: { ended_at: present.get(id)?.ended_at ?? null },
        after: { ended_at },
      })),
    );
  };

  return {
    async stored(records) {
      const found = teams().where('class.id', 'in', among(db, records.map(Number)));
      const rows = await locked(db)(found, ['class']).execute();
      return new Map(rows.map((row) => [String(row.id), { fields: fieldsOf(row, timezone), isGone: isOver(row) }]));
    },
    async meant(wanted) {
      const names = amongTexts(
        db,
        wanted.map(({ name }) => String(name ?? '')),
      );
      const rows = await teams().where('class.name', 'in', names).orderBy('class.id').execute();
      return wanted.map(({ name, school_id }) => {
        const same = rows.filter((row) => row.name === name && row.school_id === school_id && !isOver(row));
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async judge(wanted) {
      const lecturerOf = await importerStaff(
        context,
        wanted.map(({ fields }) => Number(fields.lecturer_id)),
      );
      return wanted.map(({ fields: { school_id, class_type, ...rest }, before }): Judged => {
        const { output, errors: wrong } = heldTo(CompleteLessonClass, nothingLeftOut(rest));
        const errors: FieldErrors = { ...wrong };
        if (!schools.isKnown(school_id) || (before === undefined && !schools.isOpen(school_id)))
          errors.school_id = [classWritingMessages.noSchool];
        if (!lessonClassTypes.some((type) => type === class_type)) errors.class_type = [teamMessages.type];
        if (!output) return { errors };
        const { grade_id, classify_id, subject_id, room_id, lecturer_id } = output;
        const isNew = (field: string, id: number) => id !== 0 && id !== before?.[field];
        if (isNew('grade_id', grade_id) && !isOffered('grade', grade_id))
          errors.grade_id = [classWritingMessages.grade];
        if (isNew('classify_id', classify_id) && !isOffered('category', classify_id))
          errors.classify_id = [classWritingMessages.classify];
        if (isNew('subject_id', subject_id) && !isOffered('subject', subject_id))
          errors.subject_id = [teamMessages.subject];
        const schoolOf = foreseen('room', String(room_id))?.school_id ?? schoolOfRoom.get(room_id);
        if (isNew('room_id', room_id) && schoolOf !== school_id) errors.room_id = [teamMessages.room];
        if (isNew('lecturer_id', lecturer_id)) {
          const lecturer = lecturerOf(lecturer_id);
          const isLecturer = lecturer?.identity === 'teacher';
          const fault = isLecturer ? disabledStaffFault(lecturer) : missingLecturer;
          if (fault) errors.lecturer_id = [fault];
        }
        return orErrors({ ...output, school_id: school_id ?? 0, class_type: class_type ?? null }, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'class', record, count: fields.length })).map(String),
    async add(made) {
      await insertClasses(
        db,
        made.map(({ record: id, fields }) => ({
          ...classColumns(Number(id), fields),
          class_type: Number(fields.class_type),
          school_id: Number(fields.school_id),
          large_class_id: null,
          group_hidden: 1,
          valid_type: 1,
          valid_time: 0,
          created_at: now,
        })),
      );
      await keepTeams(made.map(({ record: id, fields }) => ({ ...rowOf(Number(id), fields), ended_at: null })));
      await note('add', additionsNoted(made));
      return new Map();
    },
    async change(changed) {
      await updateClasses(
        db,
        changed.map(({ record: id, after }) => classColumns(Number(id), after)),
      );
      await keepTeams(changed.map(({ record: id, after }) => ({ ...rowOf(Number(id), after), ended_at: null })));
      await note('edit', editsNoted(changed));
    },
    async end(ended) {
      const before = await statesOf(ended);
      await setEnded(before.map((row) => ({ ...row, ended_at: now })));
      await note(
        'end',
        before.map(({ id, ended_at }) => ({ recordId: id, before: { ended_at }, after: { ended_at: now } })),
      );
      return new Map(before.map((row) => [String(row.id), row]));
    },
    async comeBack(returning) {
      const before = await statesOf(returning);
      await setEnded(before.map((row) => ({ ...row, ended_at: null })));
      // One whose validity is over comes back with it.
      const over = before.filter(({ valid_type }) => valid_type === 2);
      await updateValidity(
        db,
        over.map(({ id }) => ({ id, valid_type: 1, valid_time: 0 })),
      );
      await note(
        'reopen',
        before.map(({ id, ended_at }) => ({ recordId: id, before: { ended_at }, after: { ended_at: null } })),
      );
      return new Map(before.map((row) => [String(row.id), row]));
    },
    async effects(ended) {
      const said = new Map<string, string>();
      for (const { record: id } of ended) {
        const traces = tracesSentence({ ...(await tracesOf(db, { classId: Number(id), now })), periods: 0 });
        if (traces) said.set(id, traces);
      }
      return said;
    },
    async remove(made) {
      const kept = new Map<string, string>();
      for (const { record: id } of made) {
        const fault = removalFault(await recordsOf(db, Number(id)));
        if (fault) kept.set(id, fault);
      }
      const gone = made.filter(({ record: id }) => !kept.has(id));
      await deleteClasses(db, numbers(gone));
      await note('remove', removalsNoted(gone));
      return kept;
    },
    unend: (ended) => restore(ended, 'reopen'),
    unreturn: (returned) => restore(returned, 'end'),
  };
}

const teamColumns = {
  class_id: 'integer',
  subject_id: 'integer',
  lecturer_id: 'integer',
  room_id: 'integer',
  teaching_mode: 'integer',
  sign_type: 'integer',
  schedule: 'text',
  remarks: 'text',
  start_time: 'integer',
  ended_at: 'integer',
} as const;

interface TeamRow {
  class_id: number;
  subject_id: number | null;
  lecturer_id: number | null;
  room_id: number | null;
  teaching_mode: number;
  sign_type: number;
  schedule: string;
  remarks: string;
  start_time: number;
}

const classColumns = (id: number, fields: Fields) => ({
  id,
  name: String(fields.name),
  grade_id: Number(fields.grade_id) || null,
  classify_id: Number(fields.classify_id) || null,
});

function fieldsOf(
  row: Partial<Record<'lecturer_id' | 'subject_id' | 'room_id' | 'start_time', number | null>> &
    Partial<Record<'schedule' | 'remarks', string | null>> & {
      name: string;
      class_type: number;
      school_id: number;
      grade_id: number | null;
      classify_id: number | null;
      teaching_mode: number | null;
      sign_type: number | null;
      created_at: number;
    },
  timezone: string,
): Record<string, FieldValue> {
  return {
    name: row.name,
    class_type: row.class_type,
    school_id: row.school_id,
    grade_id: row.grade_id ?? 0,
    classify_id: row.classify_id ?? 0,
    lecturer_id: row.lecturer_id ?? 0,
    subject_id: row.subject_id ?? 0,
    room_id: row.room_id ?? 0,
    teaching_mode: row.teaching_mode ?? 1,
    sign_type: row.sign_type ?? 1,
    schedule: row.schedule ?? '',
    remarks: row.remarks ?? '',
    // A class of which nothing more is known began when it was made.
    start_day: dayOf(row.start_time ?? row.created_at, timezone),
  };
}

/** What is taken away is none of it. */
const nothingLeftOut = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
