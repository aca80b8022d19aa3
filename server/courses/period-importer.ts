/** Imports periods, by the rules of `period-changes.ts`. Sources name chapters by their titles. */

import type { Selectable } from 'kysely';
import { missingCourse } from '#server/classes/rules.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { deleteRows, insertRows, updateRows } from '#server/platform/db/rows.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import {
  distinctIds,
  type Fields,
  fieldsOrErrors,
  groupRows,
  historyOf,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsOf,
  newIds,
  type RecordDiff,
  validateImported,
  viewerOf,
} from '#server/school/importer.ts';
import { CompleteChapter } from './chapters.contract.ts';
import { type ChapterTrace, importedChapters } from './imported-chapters.ts';
import { assignableLecturers } from './lecturer-references.ts';
import { studentsOf } from './list.ts';
import { newJoinCode } from './period-rows.ts';
import { CompletePeriod } from './periods.contract.ts';
import { minutesOf, periodRecordsOf } from './periods.ts';
import {
  courseKindOf,
  courseKinds,
  courseMessages,
  deletePeriodFault,
  effectSentence,
  importedPeriodMessages,
  removedPeriodsSentence,
} from './rules.ts';
import { adminCourses, adminPeriods } from './visible.ts';

const record = 'period';

export const importedPeriods: Importer = {
  needs: 'teaching',
  refers: { course_id: 'course', lecturer_id: 'staff' },
  scalars: ['title', 'chapter_title', 'periods_type', 'start_play', 'minutes', 'advance_time'],
  defaults: {
    course_id: 0,
    title: '',
    chapter_title: '',
    periods_type: 0, // Default until the type of the period's course is known.
    lecturer_id: null,
    start_play: 0,
    minutes: 0,
    advance_time: 0,
  },
  fixed: { course_id: importedPeriodMessages.course },
  labelled: ['course_id', 'title'],
  naturalKey: ({ course_id, title }) => (title === '' ? '' : `${course_id} ${title}`),
  facts: ({ title, course_id }) => ({ title: title ?? '', course_id: course_id ?? 0 }),
  leaves: true,
  open,
};

/** All stored columns, so that undo restores the row exactly. */
const columnTypes = {
  id: 'integer',
  course_id: 'integer',
  chapter_id: 'integer',
  title: 'text',
  periods_type: 'integer',
  lecturer_id: 'integer',
  start_play: 'integer',
  total_time: 'integer',
  sort: 'integer',
  advance_time: 'integer',
  student_code: 'text',
  allow_enter: 'integer',
  is_playback: 'integer',
  periods_extend: 'integer',
} as const;
const columnNames = Object.keys(columnTypes) as (keyof typeof columnTypes)[];

type PeriodColumns = Pick<Selectable<Tables['period']>, keyof typeof columnTypes>;

async function open(context: ImportContext): Promise<ImporterSession> {
  const { db, now, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const note = historyOf(context, record);
  const chapters = importedChapters(context);
  /** Traces of created chapters that `sideEffects` has not collected yet. */
  const created = new Map<string, ChapterTrace>();
  const periods = () =>
    adminPeriods(db, viewer)
      .leftJoin('course_chapter', 'course_chapter.id', 'period.chapter_id')
      .select(['period.id', 'period.course_id', 'period.title', 'course_chapter.title as chapter_title'])
      .select(['period.periods_type', 'period.lecturer_id', 'period.start_play', 'period.total_time'])
      .select('period.advance_time');

  async function courseFacts(ids: readonly number[]) {
    const rows = await adminCourses(db, viewer)
      .select(['course.id', 'course.course_type'])
      .where('course.id', 'in', inIds(db, ids))
      .execute();
    const known = new Map(rows.map(({ id, course_type }) => [id, course_type]));
    return (id: number): number | undefined => {
      const ahead = foreseen('course', String(id));
      return ahead && 'course_type' in ahead ? Number(ahead.course_type) : known.get(id);
    };
  }

  return {
    async stored(records) {
      const found = periods().where('period.id', 'in', inIds(db, records.map(Number)));
      const rows = await forUpdate(db)(found, ['period']).execute();
      return new Map(rows.map((row) => [String(row.id), { fields: fieldsOf(row), isGone: false }]));
    },
    async findMatch(wanted) {
      const courseIds = wanted.map(({ course_id }) => Number(course_id)).filter((id) => id > 0);
      const rows = await periods()
        .where('period.course_id', 'in', inIds(db, [...new Set(courseIds)]))
        .execute();
      const named = groupRows(rows, ({ course_id, title }) => `${course_id} ${title}`);
      return wanted.map(({ course_id, title }) => {
        const [one, ...others] = named.get(`${course_id} ${title}`) ?? [];
        return one && others.length === 0 ? { record: String(one.id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      const of = (field: string) => distinctIds(wanted, field);
      const typeOf = await courseFacts(of('course_id'));
      const isLecturer = await assignableLecturers(context, of('lecturer_id'));
      return wanted.map(({ fields: written, before }): RecordDiff => {
        const courseType = typeOf(Number(written.course_id));
        const periods_type = Number(written.periods_type) || courseKindOf(courseType ?? 0);
        // Old periods have no length, which new ones need; an unchanged length is accepted.
        const isAsLong = before !== undefined && written.minutes === before.minutes;
        const { output, errors: wrong } = validateImported(CompletePeriod, {
          ...written,
          periods_type,
          chapter_id: null,
          ...(isAsLong && { minutes: 60 }),
        });
        const chapter = written.chapter_title
          ? validateImported(CompleteChapter, { title: written.chapter_title })
          : undefined;
        const errors: FieldErrors = { ...wrong };
        if (chapter?.errors) errors.chapter_title = chapter.errors.title ?? [];
        if (courseType === undefined) errors.course_id = [missingCourse];
        if (!output) return { errors };
        const { lecturer_id } = output;
        if (lecturer_id !== null && lecturer_id !== before?.lecturer_id && !isLecturer(lecturer_id))
          errors.lecturer_id = [courseMessages.noLecturer];
        const isKind = courseKinds.some((kind) => kind === periods_type);
        if (!isKind && periods_type !== before?.periods_type) errors.periods_type = [courseMessages.noPeriodType];
        const { title, start_play, minutes, advance_time } = output;
        const fields = {
          course_id: Number(written.course_id),
          title,
          chapter_title: chapter?.output?.title ?? '',
          periods_type,
          lecturer_id,
          start_play,
          minutes: isAsLong ? Number(before.minutes) : minutes,
          advance_time,
        };
        return fieldsOrErrors(fields, errors);
      });
    },
    newRecords: (fields) => newIds(db, record, fields),
    async add(added) {
      const courseIds = distinctIds(added, 'course_id');
      const { idOf, traces } = await chapters.findOrCreate(added);
      const places = new Map(
        (
          await db
            .selectFrom('period')
            .select((eb) => ['course_id', eb.fn.max<number>('sort').as('last')])
            .where('course_id', 'in', inIds(db, courseIds))
            .groupBy('course_id')
            .execute()
        ).map(({ course_id, last }) => [course_id, Number(last)]),
      );
      // Within each course the new periods are appended in order of time.
      const inOrder = added.toSorted((one, other) => Number(one.fields.start_play) - Number(other.fields.start_play));
      const rows = inOrder.map(({ record: id, fields }): PeriodColumns => {
        const course_id = Number(fields.course_id);
        const sort = (places.get(course_id) ?? 0) + 1;
        places.set(course_id, sort);
        return {
          ...columnsOf(fields),
          id: Number(id),
          course_id,
          chapter_id: idOf(fields),
          sort,
          student_code: newJoinCode({ periods_type: Number(fields.periods_type) }),
          allow_enter: 0,
          is_playback: 0,
          periods_extend: 0,
        };
      });
      await insert(rows);
      return traces;
    },
    async change(changed) {
      const rows = await rowsOf(db, idsOf(changed));
      const { idOf, traces } = await chapters.findOrCreate(
        changed.map(({ record: id, after }) => ({ record: id, fields: after })),
      );
      const next = changed.flatMap(({ record: id, before, after }): PeriodColumns[] => {
        const row = rows.get(Number(id));
        if (!row) return [];
        const columns = columnsOf(after);
        return [
          {
            ...row,
            ...columns,
            // The stored values are more precise than the imported ones, so an unchanged field keeps its stored value.
            periods_type: before.periods_type === after.periods_type ? row.periods_type : columns.periods_type,
            total_time: before.minutes === after.minutes ? row.total_time : columns.total_time,
            chapter_id: before.chapter_title === after.chapter_title ? row.chapter_id : idOf(after),
            student_code: row.student_code || newJoinCode(columns),
          },
        ];
      });
      await updateRows(db, 'period', columnTypes, next);
      await note('edit', next, (row) => {
        const { before, after } = changedFields(historyFields(rows.get(row.id) ?? row), historyFields(row));
        return { recordId: row.id, before, after };
      });
      for (const [id, trace] of traces) created.set(id, trace);
    },
    async sideEffects() {
      const all = new Map(created);
      created.clear();
      return all;
    },
    removeSideEffects: (changed) => chapters.removeEmpty(changed.map(({ trace }) => trace)),
    async end(ended) {
      const rows = await rowsOf(db, idsOf(ended));
      await erase(rows);
      return new Map([...rows].map(([id, row]) => [String(id), row]));
    },
    // Periods are deleted, not archived, so restoring does nothing: a returning period is created again.
    restore: async () => new Map(),
    async findEnded(records) {
      const rows = await periods()
        .where('period.id', 'in', inIds(db, records.map(Number)))
        .where('period.start_play', '<=', now)
        .execute();
      return new Set(rows.map(({ id }) => String(id)));
    },
    async labels(records) {
      const rows = await periods()
        .select('course.title as course')
        .where('period.id', 'in', inIds(db, records.map(Number)))
        .execute();
      return new Map(rows.map(({ id, course, title }) => [String(id), `${course} ${title}`]));
    },
    async consequences(ended) {
      const students = await studentsOf(db, distinctIds(ended, 'course_id'));
      const byCourse = groupRows(ended, ({ fields }) => Number(fields.course_id));
      const courses = await db
        .selectFrom('course')
        .select(['id', 'title'])
        .where('id', 'in', inIds(db, [...byCourse.keys()]))
        .orderBy('id')
        .execute();
      return courses.map(({ id, title }) =>
        removedPeriodsSentence({ title, periods: byCourse.get(id)?.length ?? 0, students: students.get(id) ?? 0 }),
      );
    },
    async effects(ended) {
      const students = await studentsOf(db, distinctIds(ended, 'course_id'));
      return new Map(
        ended.flatMap(({ record: id, fields }): [string, string][] => {
          const effect = effectSentence({ students: students.get(Number(fields.course_id)) ?? 0 });
          return effect ? [[id, effect]] : [];
        }),
      );
    },
    endFaults: (ended) => usedPeriods(db, idsOf(ended)),
    async remove(added) {
      const faults = await usedPeriods(db, idsOf(added));
      const gone = added.filter(({ record: id }) => !faults.has(id));
      await erase(await rowsOf(db, idsOf(gone)));
      await chapters.removeEmpty(gone.map(({ trace }) => trace));
      return faults;
    },
    undoEnd: (ended) => insert(ended.flatMap(({ trace }) => (trace ? [trace as PeriodColumns] : []))),
    undoRestore: async () => undefined,
  };

  async function insert(rows: readonly PeriodColumns[]): Promise<void> {
    await insertRows(db, 'period', columnTypes, rows);
    await note('add', rows, (row) => ({ recordId: row.id, before: null, after: historyFields(row) }));
  }

  async function erase(rows: ReadonlyMap<number, PeriodColumns>): Promise<void> {
    await deleteRows(db, 'period', { id: 'integer' }, [...rows.values()]);
    await note('delete', [...rows], ([id, row]) => ({ recordId: id, before: historyFields(row), after: null }));
  }
}

const columnsOf = (fields: Fields) => ({
  title: String(fields.title),
  periods_type: Number(fields.periods_type),
  lecturer_id: Number(fields.lecturer_id) || null,
  start_play: Number(fields.start_play),
  total_time: Number(fields.minutes) * 60,
  advance_time: Number(fields.advance_time),
});

const fieldsOf = (row: {
  course_id: number;
  title: string;
  chapter_title: string | null;
  periods_type: number;
  lecturer_id: number | null;
  start_play: number;
  total_time: number;
  advance_time: number;
}): Fields => ({
  course_id: row.course_id,
  title: row.title,
  chapter_title: row.chapter_title ?? '',
  periods_type: courseKindOf(row.periods_type),
  lecturer_id: row.lecturer_id,
  start_play: row.start_play,
  minutes: minutesOf(row),
  advance_time: row.advance_time,
});

const historyFields = ({ id: _, total_time, sort: __, student_code: ___, ...row }: PeriodColumns) => ({
  ...row,
  minutes: minutesOf({ total_time }),
});

async function rowsOf(db: Database, ids: readonly number[]): Promise<Map<number, PeriodColumns>> {
  const rows = await db.selectFrom('period').select(columnNames).where('id', 'in', inIds(db, ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the periods that have records, with the message that says which. */
async function usedPeriods(db: Database, ids: readonly number[]): Promise<Map<string, string>> {
  const idList = inIds(db, ids);
  const found = await Promise.all([
    db.selectFrom('attendance').select('period_id').distinct().where('period_id', 'in', idList).execute(),
    db.selectFrom('study_record').select('period_id').distinct().where('period_id', 'in', idList).execute(),
    db.selectFrom('roll_call').select('period_id').distinct().where('period_id', 'in', idList).execute(),
    db.selectFrom('homework').select('period_id').distinct().where('period_id', 'in', idList).execute(),
    db.selectFrom('class_session').select('period_id').distinct().where('period_id', 'in', idList).execute(),
  ]);
  const used = new Set(found.flat().flatMap(({ period_id }) => period_id ?? []));
  const faults = new Map<string, string>();
  for (const id of used) {
    const fault = deletePeriodFault(await periodRecordsOf(db, id));
    if (fault) faults.set(String(id), fault);
  }
  return faults;
}
