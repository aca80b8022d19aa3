/** Imports lessons by the rules of `planning.ts` and `replanning.ts`. A lesson missing from the source is cancelled. */

import { classRows } from '#server/classes/admin-list.ts';
import { classTypes, missingCourse, missingLecturer } from '#server/classes/rules.ts';
import { adminClasses } from '#server/classes/visible.ts';
import { assignableLecturers } from '#server/courses/lecturer-references.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { deleteRows, insertRows, updateRows } from '#server/platform/db/rows.ts';
import { schoolsOf } from '#server/school/admin-schools.ts';
import { momentOf } from '#server/school/calendar.ts';
import {
  deletionChanges,
  distinctIds,
  type Fields,
  fieldsOrErrors,
  groupRows,
  historyOf,
  historyOfEdits,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsOf,
  newIds,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { CompleteLesson } from './lessons.contract.ts';
import { adminLessons, editableFields } from './lessons-list.ts';
import { expectedStudents } from './roster.ts';
import {
  importCancelReason,
  importedLessonMessages,
  lessonMessages,
  lessonsGoneSentence,
  planFault,
  replanFault,
} from './rules.ts';
import { usedLessonFaults } from './used-lessons.ts';

const record = 'class_session';

export const importedLessons: Importer = {
  needs: 'teaching',
  refers: {
    class_id: 'group_class',
    course_id: 'course',
    period_id: 'period',
    lecturer_id: 'staff',
    room_id: 'room',
  },
  scalars: ['chapter_title', 'teaching_mode', 'day', 'start', 'end'],
  defaults: {
    class_id: 0,
    course_id: 0,
    period_id: 0,
    chapter_title: '',
    lecturer_id: 0,
    room_id: 0,
    teaching_mode: 1,
    day: '',
    start: '',
    end: '',
  },
  labelled: ['class_id', 'day', 'start'],
  fixed: { class_id: importedLessonMessages.class },
  naturalKey: ({ class_id, day, start }) => (day === '' || start === '' ? '' : `${class_id} ${day} ${start}`),
  leaves: true,
  open,
};

/** Trace that undo needs: how the lesson was cancelled before the change. */
interface Cancellation {
  cancelled_at: number | null;
  cancel_reason: string;
}

async function open(context: ImportContext): Promise<ImporterSession> {
  const { db, now, timezone, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const note = historyOf(context, record);
  const lessons = () =>
    adminLessons(db, viewer).select([
      'class_session.id',
      'class_session.class_id',
      'class.name as class_name',
      'class_session.course_id',
      'class_session.period_id',
      'class_session.chapter_title',
      'class_session.lecturer_id',
      'class_session.room_id',
      'class_session.teaching_mode',
      'class_session.start_time',
      'class_session.end_time',
      'class_session.cancelled_at',
      'class_session.cancel_reason',
    ]);
  const lessonsWithIds = (ids: readonly number[]) => lessons().where('class_session.id', 'in', inIds(db, ids));
  const fieldsOf = (row: Awaited<ReturnType<ReturnType<typeof lessons>['execute']>>[number]): Fields => ({
    class_id: row.class_id,
    ...editableFields(row, timezone),
  });

  /** Loads the records that lessons refer to: classes with school and courses, periods, lecturers, rooms. */
  async function choices(wanted: readonly { fields: Fields }[]) {
    const of = (field: string) => distinctIds(wanted, field);
    const classIds = of('class_id');
    const [classes, taken, courses, periods, isLecturer, rooms] = await Promise.all([
      classRows(
        adminClasses(db, viewer)
          .where('class.id', 'in', inIds(db, classIds))
          .where('class.class_type', 'in', [classTypes.group, classTypes.oneToOne]),
        now,
      ).execute(),
      db
        .selectFrom('class_course')
        .select(['class_id', 'course_id'])
        .where('class_id', 'in', inIds(db, classIds))
        .execute(),
      db
        .selectFrom('course')
        .select('course.id')
        .where('course.school_id', 'in', schoolsOf(db, viewer))
        .where('course.id', 'in', inIds(db, of('course_id')))
        .execute(),
      db
        .selectFrom('period')
        .select(['id', 'course_id'])
        .where('id', 'in', inIds(db, of('period_id')))
        .execute(),
      assignableLecturers(context, of('lecturer_id')),
      db
        .selectFrom('room')
        .select(['id', 'school_id'])
        .where('put_away_at', 'is', null)
        .where('id', 'in', inIds(db, of('room_id')))
        .execute(),
    ]);
    const known = {
      classes: new Map(classes.map((row) => [row.id, row])),
      taken: new Set(taken.map(({ class_id, course_id }) => `${class_id}:${course_id}`)),
      courses: new Set(courses.map(({ id }) => id)),
      periods: new Map(periods.map(({ id, course_id }) => [id, course_id])),
      rooms: new Map(rooms.map(({ id, school_id }) => [id, school_id])),
    };
    return {
      classFault(id: number, isNew: boolean): string | undefined {
        const theClass = known.classes.get(id);
        const ahead = foreseen('group_class', String(id));
        if (!theClass && !ahead) return lessonMessages.noClass;
        const isEnded = ahead && 'is_running' in ahead ? ahead.is_running !== 1 : theClass?.state === 'ended';
        return isNew ? planFault({ state: isEnded ? 'ended' : '' }) : undefined;
      },
      courseFault(classId: number, id: number): string | undefined {
        if (!known.courses.has(id) && !foreseen('course', String(id))) return missingCourse;
        const pair = `${classId}:${id}`;
        return known.taken.has(pair) || foreseen('class_course', pair) ? undefined : lessonMessages.noCourse;
      },
      periodFault: (id: number, courseId: number): string | undefined =>
        (foreseen('period', String(id))?.course_id ?? known.periods.get(id)) === courseId
          ? undefined
          : lessonMessages.period,
      lecturerFault: (id: number): string | undefined => (isLecturer(id) ? undefined : missingLecturer),
      roomFault(id: number, classId: number): string | undefined {
        if (foreseen('room', String(id))) return undefined;
        const theClass = known.classes.get(classId);
        const school = known.rooms.get(id);
        return school !== undefined && (!theClass || theClass.school_id === school) ? undefined : lessonMessages.room;
      },
    };
  }

  return {
    async stored(records) {
      const rows = await forUpdate(db)(lessonsWithIds(records.map(Number)), ['class_session']).execute();
      return new Map(rows.map((row) => [String(row.id), { fields: fieldsOf(row), isGone: row.cancelled_at !== null }]));
    },
    async findMatch(wanted) {
      const classIds = wanted.map(({ class_id }) => Number(class_id)).filter((id) => id > 0);
      const rows = await lessons()
        .where('class_session.class_id', 'in', inIds(db, [...new Set(classIds)]))
        .where('class_session.cancelled_at', 'is', null)
        .execute();
      const at = groupRows(
        rows.map((row) => ({ id: row.id, fields: fieldsOf(row) })),
        ({ fields }) => keyOf(fields),
      );
      return wanted.map((fields) => {
        const [one, ...others] = at.get(keyOf(fields)) ?? [];
        return one && others.length === 0 ? { record: String(one.id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      const may = await choices(wanted);
      const begun = new Map(
        (await lessonsWithIds(wanted.map(({ record: id }) => Number(id ?? 0))).execute()).map((row) => [
          String(row.id),
          row,
        ]),
      );
      return wanted.map(({ fields: written, before, record: known }): RecordDiff => {
        const { output, errors: wrong } = validateImported(CompleteLesson, written);
        if (!output) return { errors: wrong };
        const class_id = Number(written.class_id);
        const errors: FieldErrors = {};
        const isNew = (field: keyof typeof output) => output[field] !== before?.[field];
        const fault = (field: string, message: string | undefined) => {
          if (message !== undefined) errors[field] = [message];
        };
        const row = known === undefined ? undefined : begun.get(known);
        // A past lesson cannot be changed. A cancelled lesson can, because the import restores it.
        fault('day', row && row.cancelled_at === null ? replanFault(row, now) : undefined);
        fault('class_id', may.classFault(class_id, before === undefined));
        if (isNew('course_id')) fault('course_id', may.courseFault(class_id, output.course_id));
        if (output.period_id !== 0 && (isNew('period_id') || isNew('course_id')))
          fault('period_id', may.periodFault(output.period_id, output.course_id));
        if (isNew('lecturer_id')) fault('lecturer_id', may.lecturerFault(output.lecturer_id));
        if (output.room_id !== 0 && isNew('room_id')) fault('room_id', may.roomFault(output.room_id, class_id));
        return fieldsOrErrors({ class_id, ...output }, errors);
      });
    },
    newRecords: (fields) => newIds(db, record, fields),
    async add(made) {
      const rows = made.map(({ record: id, fields }) => ({
        ...columnsOf(fields, timezone),
        id: Number(id),
        class_id: Number(fields.class_id),
        created_at: now,
      }));
      await insertRows(
        db,
        'class_session',
        { ...columnTypes, ...timeTypes, class_id: 'integer', created_at: 'integer' },
        rows,
      );
      await note('add', rows, ({ id, created_at: _, ...after }) => ({ recordId: id, before: null, after }));
      return new Map();
    },
    async change(changed) {
      const rows = changed.map(({ record: id, after }) => ({ ...columnsOf(after, timezone), id: Number(id) }));
      await updateRows(db, 'class_session', columnTypes, rows);
      // Writes times only where day, start or end changed, so that other lessons keep their exact seconds.
      const moved = changed.filter(({ before, after }) =>
        (['day', 'start', 'end'] as const).some((field) => before[field] !== after[field]),
      );
      await updateRows(
        db,
        'class_session',
        { id: 'integer', ...timeTypes },
        moved.map(({ record: id, after }) => ({ id: Number(id), ...timesOf(after, timezone) })),
      );
      await note('edit', historyOfEdits(changed));
    },
    async end(ended) {
      const before = await lessonsWithIds(idsOf(ended)).execute();
      await keep(
        before.map(({ id }) => ({ id, cancelled_at: now, cancel_reason: importCancelReason })),
        'cancel',
      );
      return tracesOf(before);
    },
    async restore(returning) {
      const before = await lessonsWithIds(idsOf(returning)).execute();
      await keep(
        before.map(({ id }) => ({ id, cancelled_at: null, cancel_reason: '' })),
        'restore',
      );
      return tracesOf(before);
    },
    async findEnded(records) {
      const rows = await lessonsWithIds(records.map(Number)).where('class_session.start_time', '<=', now).execute();
      return new Set(rows.map(({ id }) => String(id)));
    },
    async labels(records) {
      const rows = await lessonsWithIds(records.map(Number)).execute();
      return new Map(
        rows.map((row) => {
          const { day, start } = editableFields(row, timezone);
          return [String(row.id), `${row.class_name} ${day} ${start}`];
        }),
      );
    },
    async consequences(ended) {
      const students = await expectedOf(db, idsOf(ended));
      const rows = await lessonsWithIds(idsOf(ended)).execute();
      return [...groupRows(rows, ({ class_id }) => class_id).values()].map((its) =>
        lessonsGoneSentence({
          name: its[0]?.class_name ?? '',
          lessons: its.length,
          students: Math.max(0, ...its.map(({ id }) => students.get(id) ?? 0)),
        }),
      );
    },
    async effects(ended) {
      const students = await expectedOf(db, idsOf(ended));
      return new Map([...students].map(([id, count]) => [String(id), `${count}名学员`]));
    },
    async remove(made) {
      const faults = await usedLessonFaults(db, idsOf(made));
      const gone = made.filter(({ record: id }) => !faults.has(id));
      await deleteRows(
        db,
        'class_session',
        { id: 'integer' },
        idsOf(gone).map((id) => ({ id })),
      );
      await note('delete', deletionChanges(gone));
      return faults;
    },
    undoEnd: (ended) => restoreKept(ended, 'restore'),
    undoRestore: (returned) => restoreKept(returned, 'cancel'),
  };

  async function restoreKept(all: readonly { record: string; trace: unknown }[], action: string): Promise<void> {
    await keep(
      all.map(({ record: id, trace }) => ({ ...(trace as Cancellation), id: Number(id) })),
      action,
    );
  }

  async function keep(rows: readonly (Cancellation & { id: number })[], action: string): Promise<void> {
    const before = new Map((await lessonsWithIds(rows.map(({ id }) => id)).execute()).map((row) => [row.id, row]));
    await updateRows(db, 'class_session', { id: 'integer', cancelled_at: 'integer', cancel_reason: 'text' }, rows);
    await note(action, rows, ({ id, cancelled_at, cancel_reason }) => ({
      recordId: id,
      before: { cancelled_at: before.get(id)?.cancelled_at ?? null },
      after: { cancelled_at, ...(cancel_reason !== '' && { cancel_reason }) },
    }));
  }
}

const keyOf = ({ class_id, day, start }: Fields): string => `${class_id} ${day} ${start}`;

const tracesOf = (rows: readonly (Cancellation & { id: number })[]) =>
  new Map(
    rows.map(({ id, cancelled_at, cancel_reason }): [string, Cancellation] => [
      String(id),
      { cancelled_at, cancel_reason },
    ]),
  );

const columnTypes = {
  id: 'integer',
  course_id: 'integer',
  period_id: 'integer',
  lecturer_id: 'integer',
  room_id: 'integer',
  teaching_mode: 'integer',
  chapter_title: 'text',
} as const;
const timeTypes = { start_time: 'integer', end_time: 'integer' } as const;

const timesOf = ({ day, start, end }: Fields, timezone: string) => ({
  start_time: momentOf(String(day), String(start), timezone),
  end_time: momentOf(String(day), String(end), timezone),
});

const columnsOf = (fields: Fields, timezone: string) => ({
  course_id: Number(fields.course_id),
  period_id: Number(fields.period_id) || null,
  lecturer_id: Number(fields.lecturer_id),
  room_id: Number(fields.room_id) || null,
  teaching_mode: Number(fields.teaching_mode),
  chapter_title: String(fields.chapter_title),
  ...timesOf(fields, timezone),
});

/** Returns the number of expected students by lesson. Lessons without students are left out. */
async function expectedOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await expectedStudents(db)
    .select((eb) => ['class_session.id as session', eb.fn.count<number>('student.id').distinct().as('students')])
    .where('class_session.id', 'in', inIds(db, ids))
    .groupBy('class_session.id')
    .execute();
  return new Map(rows.map(({ session, students }) => [session, Number(students)]));
}
