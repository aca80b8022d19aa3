/** Imports group and one-to-one classes by the rules of `admin-changes.ts`. */
import { deleteClasses, insertClasses, updateClasses, updateValidity } from '#server/classes/class-rows.ts';
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
import { countRecords, usageOf } from '#server/classes/usage.ts';
import { adminClasses } from '#server/classes/visible.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { columnNames, inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';
import { dayOf, dayStart } from '#server/school/calendar.ts';
import {
  catalogueEntryCheck,
  deletionChanges,
  type Fields,
  type FieldValue,
  fieldsOrErrors,
  historyOf,
  historyOfAdditions,
  historyOfEdits,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsOf,
  importerSchools,
  importerStaff,
  messagesPerRecord,
  newIds,
  type RecordDiff,
  validateImported,
  viewerOf,
  withoutNulls,
} from '#server/school/importer.ts';
import { CompleteLessonClass } from './admin.contract.ts';
import { lessonClassTypes, teamMessages } from './rules.ts';

const record = 'class';

export const importedGroupClasses = (timezone: string): Importer => ({
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

async function open(context: ImportContext, timezone: string): Promise<ImporterSession> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const isOffered = await catalogueEntryCheck(context);
  const rooms = await db.selectFrom('room').select(['id', 'school_id']).where('put_away_at', 'is', null).execute();
  const schoolOfRoom = new Map(rooms.map(({ id, school_id }) => [id, school_id]));
  const note = historyOf(context, record);
  const teams = () =>
    adminClasses(db, viewer)
      .leftJoin('team_class', 'team_class.class_id', 'class.id')
      .select(['class.id', 'class.name', 'class.class_type', 'class.school_id', 'class.grade_id', 'class.classify_id'])
      .select(['class.valid_type', 'class.valid_time', 'class.created_at'])
      .select(['team_class.lecturer_id', 'team_class.subject_id', 'team_class.room_id', 'team_class.teaching_mode'])
      .select(['team_class.sign_type', 'team_class.schedule', 'team_class.remarks', 'team_class.start_time'])
      .select('team_class.ended_at')
      .where('class.class_type', 'in', [...lessonClassTypes]);
  const isOver = (row: Omit<StoredTeam, 'id'>) =>
    !isRunning(row, now) || (row.ended_at !== null && row.ended_at <= now);

  /** Inserts or updates the `team_class` rows. */
  const keepTeams = (rows: readonly TeamRow[]): Promise<void> =>
    insertRows(
      db,
      'team_class',
      teamColumns,
      rows.map((row) => ({ ...row, ended_at: null })),
      { known: ['class_id'], set: editedColumns },
    );
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
  const setEnded = (rows: readonly StoredTeam[]): Promise<void> =>
    updateRows(
      db,
      'team_class',
      { class_id: 'integer', ended_at: 'integer' },
      rows.map(({ id, ended_at }) => ({ class_id: id, ended_at })),
    );
  const statesOf = async (records: readonly { record: string }[]): Promise<StoredTeam[]> => {
    const rows = await teams()
      .where('class.id', 'in', inIds(db, idsOf(records)))
      .execute();
    // A class without a `team_class` row gets one first.
    const plain = rows.filter(({ start_time }) => start_time === null);
    if (plain.length > 0) await keepTeams(plain.map((row) => rowOf(row.id, fieldsOf(row, timezone))));
    return rows.map(({ id, ended_at, valid_type, valid_time }) => ({ id, ended_at, valid_type, valid_time }));
  };
  const restore = async (all: readonly { record: string; trace: unknown }[], action: string) => {
    const before = all.map(({ trace }) => trace as StoredTeam);
    const present = new Map((await statesOf(all)).map((row) => [row.id, row]));
    await setEnded(before);
    await updateValidity(db, before);
    await note(action, before, ({ id, ended_at }) => ({
      recordId: id,
      before: { ended_at: present.get(id)?.ended_at ?? null },
      after: { ended_at },
    }));
  };

  return {
    async stored(records) {
      const found = teams().where('class.id', 'in', inIds(db, records.map(Number)));
      const rows = await forUpdate(db)(found, ['class']).execute();
      return new Map(rows.map((row) => [String(row.id), { fields: fieldsOf(row, timezone), isGone: isOver(row) }]));
    },
    async findMatch(wanted) {
      const names = inTexts(
        db,
        wanted.map(({ name }) => String(name ?? '')),
      );
      const rows = await teams().where('class.name', 'in', names).orderBy('class.id').execute();
      return wanted.map(({ name, school_id }) => {
        const same = rows.filter((row) => row.name === name && row.school_id === school_id && !isOver(row));
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      const lecturerOf = await importerStaff(
        context,
        wanted.map(({ fields }) => Number(fields.lecturer_id)),
      );
      return wanted.map(({ fields: { school_id, class_type, ...rest }, before }): RecordDiff => {
        const { output, errors: wrong } = validateImported(CompleteLessonClass, withoutNulls(rest));
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
        return fieldsOrErrors({ ...output, school_id: school_id ?? 0, class_type: class_type ?? null }, errors);
      });
    },
    newRecords: (fields) => newIds(db, record, fields),
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
      await keepTeams(made.map(({ record: id, fields }) => rowOf(Number(id), fields)));
      await note('add', historyOfAdditions(made));
      return new Map();
    },
    async change(changed) {
      await updateClasses(
        db,
        changed.map(({ record: id, after }) => classColumns(Number(id), after)),
      );
      await keepTeams(changed.map(({ record: id, after }) => rowOf(Number(id), after)));
      await note('edit', historyOfEdits(changed));
    },
    async end(ended) {
      const before = await statesOf(ended);
      await setEnded(before.map((row) => ({ ...row, ended_at: now })));
      await note('end', before, ({ id, ended_at }) => ({
        recordId: id,
        before: { ended_at },
        after: { ended_at: now },
      }));
      return new Map(before.map((row) => [String(row.id), row]));
    },
    async restore(returning) {
      const before = await statesOf(returning);
      await setEnded(before.map((row) => ({ ...row, ended_at: null })));
      // The class may have ended because its validity is over; reopening removes that limit.
      const over = before.filter(({ valid_type }) => valid_type === 2);
      await updateValidity(
        db,
        over.map(({ id }) => ({ id, valid_type: 1, valid_time: 0 })),
      );
      await note('reopen', before, ({ id, ended_at }) => ({
        recordId: id,
        before: { ended_at },
        after: { ended_at: null },
      }));
      return new Map(before.map((row) => [String(row.id), row]));
    },
    effects: (ended) =>
      messagesPerRecord(ended, async (classId) =>
        tracesSentence({ ...(await usageOf(db, { classId, now })), periods: 0 }),
      ),
    async remove(made) {
      const faults = await messagesPerRecord(made, async (id) => removalFault(await countRecords(db, id)));
      const gone = made.filter(({ record: id }) => !faults.has(id));
      await deleteClasses(db, idsOf(gone));
      await note('remove', deletionChanges(gone));
      return faults;
    },
    undoEnd: (ended) => restore(ended, 'reopen'),
    undoRestore: (returned) => restore(returned, 'end'),
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
/** Columns that an import may change. */
const editedColumns = columnNames(teamColumns).filter((name) => name !== 'class_id' && name !== 'ended_at');

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
    // A class without a `team_class` row counts as begun when it was created.
    start_day: dayOf(row.start_time ?? row.created_at, timezone),
  };
}
