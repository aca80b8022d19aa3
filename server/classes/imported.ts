/** Classes that take courses as an import has them, many at a time, by the rules of `administered-changes.ts`. */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { among, amongTexts, given } from '#server/platform/db/given.ts';
import { changedFields, recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { locked } from '#server/platform/db/search.ts';
import { dayOf } from '#server/school/calendar.ts';
import {
  type Fields,
  heldTo,
  type ImportContext,
  type ImportedKind,
  importerSchools,
  type Judged,
  noted,
  type OpenKind,
  orErrors,
  viewerOf,
} from '#server/school/imported.ts';
import { CompleteClass } from './administered.contract.ts';
import { lastSecond } from './administered-record.ts';
import {
  circleHidden,
  classTypes,
  classWritingMessages,
  importedClassMessages,
  isRunning,
  removalFault,
  tracesSentence,
} from './rules.ts';
import { recordsOf, tracesOf } from './traces.ts';
import { administeredClasses } from './visible.ts';

const record = 'class';
const numbers = (records: readonly string[]) => records.map(Number);

/** Until when it runs by what is written of it; without a day, for ever. */
const validTime = (fields: Fields, timezone: string): number =>
  fields.valid_type === 2 ? lastSecond(String(fields.valid_day), timezone) : 0;

export const importedClasses = (timezone: string, now: number): ImportedKind => ({
  needs: 'teaching',
  refers: { school_id: 'school', grade_id: 'grade', classify_id: 'category' },
  scalars: ['name', 'valid_type', 'valid_day', 'is_circle_hidden'],
  ignored: ['large_class_name', 'term_ids'],
  defaults: {
    name: '',
    school_id: 0,
    grade_id: 0,
    classify_id: 0,
    large_class_id: 0,
    valid_type: 1,
    valid_day: '',
    is_circle_hidden: 0,
  },
  fixed: { school_id: importedClassMessages.school },
  stateFields: ['valid_type', 'valid_day'],
  labelOf: ({ name }) => String(name ?? ''),
  naturalKey: ({ name, school_id }) => `${school_id} ${name}`,
  facts: (fields, isGone) => ({
    name: fields.name ?? '',
    school_id: fields.school_id ?? 0,
    is_running:
      !isGone && isRunning({ valid_type: Number(fields.valid_type), valid_time: validTime(fields, timezone) }, now)
        ? 1
        : 0,
  }),
  leaves: true,
  open,
});

async function open(context: ImportContext): Promise<OpenKind> {
  const { db, now, timezone, importer, foreseen } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const [grades, classifies] = await Promise.all([
    db.selectFrom('grade').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('classify').select('id').where('put_away_at', 'is', null).execute(),
  ]);
  const offered = {
    grade: new Set(grades.map(({ id }) => id)),
    category: new Set(classifies.map(({ id }) => id)),
  };
  const isOffered = (kind: keyof typeof offered, id: number) =>
    foreseen(kind, String(id)) !== undefined || offered[kind].has(id);
  const note = (action: string, changes: Parameters<typeof recordHistoryOfMany>[1]['changes']) =>
    recordHistoryOfMany(db, { ...noted(context), record, action, changes });
  const classes = () =>
    administeredClasses(db, viewer)
      .select(['class.id', 'class.name', 'class.school_id', 'class.grade_id', 'class.classify_id'])
      .select(['class.large_class_id', 'class.valid_type', 'class.valid_time', 'class.group_hidden'])
      .where('class.class_type', '=', classTypes.stateSchool);
  const validity = (rows: readonly { id: number; valid_type: number; valid_time: number }[]) =>
    db
      .updateTable('class')
      .from(given(db, { id: 'integer', valid_type: 'integer', valid_time: 'integer' }, rows))
      .set((eb) => ({ valid_type: eb.ref('given.valid_type'), valid_time: eb.ref('given.valid_time') }))
      .whereRef('class.id', '=', 'given.id')
      .execute();
  const validityOf = (ids: readonly number[]) =>
    db.selectFrom('class').select(['id', 'valid_type', 'valid_time']).where('id', 'in', among(db, ids)).execute();

  return {
    async stored(records) {
      const rows = await locked(db)(classes().where('class.id', 'in', among(db, numbers(records))), [
        'class',
      ]).execute();
      return new Map(
        rows.map((row) => [String(row.id), { fields: fieldsOf(row, timezone), isGone: !isRunning(row, now) }]),
      );
    },
    async meant(wanted) {
      const rows = await classes()
        .where(
          'class.name',
          'in',
          amongTexts(
            db,
            wanted.map(({ name }) => String(name ?? '')),
          ),
        )
        .orderBy('class.id')
        .execute();
      return wanted.map(({ name, school_id }) => {
        const same = rows.filter((row) => row.name === name && row.school_id === school_id && isRunning(row, now));
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async judge(wanted) {
      return wanted.map(({ fields: written, before }): Judged => {
        const { school_id, ...rest } = written;
        const { output, errors: wrong } = heldTo(CompleteClass, nothingLeftOut(rest));
        const errors: FieldErrors = { ...wrong };
        if (!schools.isKnown(school_id) || (before === undefined && !schools.isOpen(school_id)))
          errors.school_id = [classWritingMessages.noSchool];
        if (!output) return { errors };
        const isNew = (field: 'grade_id' | 'classify_id') => output[field] !== 0 && output[field] !== before?.[field];
        if (isNew('grade_id') && !isOffered('grade', output.grade_id)) errors.grade_id = [classWritingMessages.grade];
        if (isNew('classify_id') && !isOffered('category', output.classify_id))
          errors.classify_id = [classWritingMessages.classify];
        return orErrors({ ...output, school_id: school_id ?? 0 }, errors);
      });
    },
    newRecords: async (fields) => (await unusedIds(db, { table: 'class', record, count: fields.length })).map(String),
    async add(made) {
      const rows = made.map(({ record: id, fields }) => ({
        ...columnsOf(fields),
        id: Number(id),
        school_id: Number(fields.school_id),
        valid_type: Number(fields.valid_type),
        valid_time: validTime(fields, timezone),
        created_at: now,
      }));
      const types = {
        id: 'integer',
        school_id: 'integer',
        ...columnTypes,
        valid_type: 'integer',
        valid_time: 'integer',
        created_at: 'integer',
      } as const;
      await db
        .insertInto('class')
        .columns([
          'id',
          'school_id',
          'name',
          'grade_id',
          'classify_id',
          'group_hidden',
          'valid_type',
          'valid_time',
          'created_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom(given(db, types, rows))
            .select(['id', 'school_id', 'name', 'grade_id', 'classify_id'])
            .select((one) => one.ref('given.group_hidden').$castTo<1 | 2>().as('group_hidden'))
            .select(['valid_type', 'valid_time', 'created_at']),
        )
        .execute();
      await note(
        'add',
        made.map(({ record: id, fields }) => ({
          recordId: Number(id),
          before: null,
          after: { class_type: classTypes.stateSchool, ...fields },
        })),
      );
      return new Map();
    },
    async change(changed) {
      await db
        .updateTable('class')
        .from(
          given(
            db,
            { id: 'integer', ...columnTypes },
            changed.map(({ record: id, after }) => ({ ...columnsOf(after), id: Number(id) })),
          ),
        )
        .set((eb) => ({
          name: eb.ref('given.name'),
          grade_id: eb.ref('given.grade_id'),
          classify_id: eb.ref('given.classify_id'),
          group_hidden: eb.ref('given.group_hidden').$castTo<1 | 2>(),
        }))
        .whereRef('class.id', '=', 'given.id')
        .execute();
      // A class that was ended at a moment keeps it unless its last day is another.
      const moved = changed.filter(
        ({ before, after }) => before.valid_type !== after.valid_type || before.valid_day !== after.valid_day,
      );
      if (moved.length > 0) {
        const rows = moved.map(({ record: id, after }) => ({
          id: Number(id),
          valid_type: Number(after.valid_type),
          valid_time: validTime(after, timezone),
        }));
        await validity(rows);
      }
      await note(
        'edit',
        changed.map(({ record: id, before, after }) => {
          const change = changedFields(before, after);
          return { recordId: Number(id), before: change.before, after: change.after };
        }),
      );
    },
    async end(ended) {
      const before = await validityOf(numbers(ended.map(({ record: id }) => id)));
      await validity(before.map(({ id }) => ({ id, valid_type: 2, valid_time: now })));
      await note(
        'end',
        before.map(({ id, valid_type, valid_time }) => ({
          recordId: id,
          before: { valid_type, valid_time },
          after: { valid_type: 2, valid_time: now },
        })),
      );
      return new Map(before.map((row) => [String(row.id), row]));
    },
    async comeBack(returning) {
      const before = await validityOf(numbers(returning.map(({ record: id }) => id)));
      await validity(before.map(({ id }) => ({ id, valid_type: 1, valid_time: 0 })));
      await note(
        'reopen',
        before.map(({ id, valid_type, valid_time }) => ({
          recordId: id,
          before: { valid_type, valid_time },
          after: { valid_type: 1, valid_time: 0 },
        })),
      );
      return new Map(before.map((row) => [String(row.id), row]));
    },
    async effects(ended) {
      const said = new Map<string, string>();
      for (const { record: id } of ended) {
        const traces = tracesSentence(await tracesOf(db, { classId: Number(id), now }));
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
      await db
        .deleteFrom('class')
        .where('id', 'in', among(db, numbers(gone.map(({ record: id }) => id))))
        .execute();
      await note(
        'remove',
        gone.map(({ record: id, fields }) => ({ recordId: Number(id), before: fields, after: null })),
      );
      return kept;
    },
    unend: (ended) => restoreValidity(ended, 'reopen'),
    unreturn: (returned) => restoreValidity(returned, 'end'),
  };

  async function restoreValidity(all: readonly { trace: unknown }[], action: string): Promise<void> {
    const before = all.map(({ trace }) => trace as { id: number; valid_type: number; valid_time: number });
    const now = new Map((await validityOf(before.map(({ id }) => id))).map(({ id, ...row }) => [id, row]));
    await validity(before);
    await note(
      action,
      before.map(({ id, ...row }) => ({ recordId: id, before: now.get(id) ?? null, after: row })),
    );
  }
}

const columnTypes = { name: 'text', grade_id: 'integer', classify_id: 'integer', group_hidden: 'integer' } as const;

const columnsOf = (fields: Fields) => ({
  name: String(fields.name),
  grade_id: Number(fields.grade_id) || null,
  classify_id: Number(fields.classify_id) || null,
  group_hidden: fields.is_circle_hidden === 1 ? circleHidden : 1,
});

function fieldsOf(
  row: {
    name: string;
    school_id: number;
    grade_id: number | null;
    classify_id: number | null;
    large_class_id: number | null;
    valid_type: number;
    valid_time: number;
    group_hidden: number;
  },
  timezone: string,
): Fields {
  return {
    name: row.name,
    school_id: row.school_id,
    grade_id: row.grade_id ?? 0,
    classify_id: row.classify_id ?? 0,
    large_class_id: row.large_class_id ?? 0,
    valid_type: row.valid_type === 2 ? 2 : 1,
    valid_day: row.valid_type === 2 ? dayOf(row.valid_time, timezone) : '',
    is_circle_hidden: row.group_hidden === circleHidden ? 1 : 0,
  };
}

/** What is taken away is none of it. */
const nothingLeftOut = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Which of these classes are there, with their names, of whatever type. */
export const namedClasses = (db: Database, viewer: { id: number; everySchool: boolean }, ids: readonly number[]) =>
  administeredClasses(db, viewer).select(['class.id', 'class.name']).where('class.id', 'in', among(db, ids)).execute();
