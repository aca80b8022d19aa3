/** Imports state-school classes, by the rules of `admin-changes.ts`. */
import * as v from 'valibot';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { newRecordIds } from '#server/platform/db/history.ts';
import { inIds, inTexts } from '#server/platform/db/json-rows.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { insertRows, updateRows } from '#server/platform/db/rows.ts';
import { dayOf } from '#server/school/calendar.ts';
import {
  type AddedRecord,
  catalogueEntryCheck,
  deletionChanges,
  type Fields,
  type FieldValue,
  fieldsOrErrors,
  groupValues,
  historyOf,
  historyOfAdditions,
  historyOfEdits,
  type ImportContext,
  type Importer,
  type ImporterSession,
  idsFromText,
  idsOf,
  idsToText,
  importerSchools,
  messagesPerRecord,
  newIds,
  type RecordDiff,
  type Traces,
  validateImported,
  viewerOf,
  withoutNulls,
} from '#server/school/importer.ts';
import { CompleteClass, CompleteClassDetails } from './admin.contract.ts';
import { lastSecondOf } from './admin-record.ts';
import { deleteClasses, insertClasses, updateClasses, updateValidity, validityOf } from './class-rows.ts';
import {
  classTypes,
  classWritingMessages,
  hiddenCircleFlag,
  importedClassMessages,
  isRunning,
  removalFault,
  tracesSentence,
} from './rules.ts';
import { countRecords, usageOf } from './usage.ts';
import { adminClasses } from './visible.ts';

const record = 'class';

/** Returns the end of validity in unix seconds; 0 for a long-term class. */
const validTime = (fields: Fields, timezone: string): number =>
  fields.valid_type === 2 ? lastSecondOf(String(fields.valid_day), timezone) : 0;

export const importedClasses = (timezone: string, now: number): Importer => ({
  needs: 'teaching',
  refers: { school_id: 'school', grade_id: 'grade', classify_id: 'category' },
  refersToMany: { term_ids: 'term' },
  scalars: ['name', 'large_class_name', 'valid_type', 'valid_day', 'is_circle_hidden'],
  defaults: {
    name: '',
    school_id: 0,
    grade_id: 0,
    classify_id: 0,
    large_class_name: '',
    term_ids: '',
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
    grade_id: fields.grade_id ?? 0,
    is_running:
      !isGone && isRunning({ valid_type: Number(fields.valid_type), valid_time: validTime(fields, timezone) }, now)
        ? 1
        : 0,
  }),
  leaves: true,
  open,
});

async function open(context: ImportContext): Promise<ImporterSession> {
  const { db, now, timezone, importer } = context;
  const viewer = viewerOf(importer);
  const schools = await importerSchools(context);
  const isOffered = await catalogueEntryCheck(context);
  const note = historyOf(context, record);
  const noteLarge = historyOf(context, 'large_class');
  const classes = () =>
    adminClasses(db, viewer)
      .select(['class.id', 'class.name', 'class.school_id', 'class.grade_id', 'class.classify_id'])
      .leftJoin('large_class', 'large_class.id', 'class.large_class_id')
      .select(['large_class.name as large_class_name', 'class.valid_type', 'class.valid_time', 'class.group_hidden'])
      .where('class.class_type', '=', classTypes.stateSchool);
  /**
   * Finds large classes by name and creates missing ones. The traces record which row created which large class, for
   * undo.
   */
  async function largeClassesOf(wanted: readonly AddedRecord[]) {
    const named = wanted.filter(({ fields }) => text(fields.large_class_name) !== '');
    const keyOf = ({ school_id, large_class_name }: Fields) => `${school_id} ${text(large_class_name)}`;
    const ids = new Map<string, number>();
    const traces: Traces = new Map();
    if (named.length > 0) {
      const names = inTexts(db, [...new Set(named.map(({ fields }) => text(fields.large_class_name)))]);
      const stored = await db
        .selectFrom('large_class')
        .select(['id', 'name', 'school_id'])
        .where('name', 'in', names)
        .orderBy('id', 'desc')
        .execute();
      for (const { id, name, school_id } of stored) ids.set(`${school_id} ${name}`, id);
    }
    for (const { record: id, fields } of named) {
      if (ids.has(keyOf(fields))) continue;
      const values = { name: text(fields.large_class_name), school_id: Number(fields.school_id) };
      const [unused] = await newRecordIds(db, { table: 'large_class', record: 'large_class', count: 1 });
      const made = await db
        .insertInto('large_class')
        .values({ id: unused, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
      ids.set(keyOf(fields), made.id);
      traces.set(id, { large: made.id });
      await noteLarge('add', [{ recordId: made.id, before: null, after: values }]);
    }
    return { large: (fields: Fields): number | null => ids.get(keyOf(fields)) ?? null, traces };
  }

  /** Undo: deletes the large classes that the import created, unless other classes have joined them. */
  async function forgetLarge(traces: readonly unknown[]): Promise<void> {
    const ids = traces.flatMap((trace) => (trace as { large?: number } | null)?.large ?? []);
    if (ids.length === 0) return;
    const gone = await db
      .deleteFrom('large_class')
      .where('id', 'in', inIds(db, ids))
      .where('id', 'not in', (eb) =>
        eb.selectFrom('class').select('large_class_id').where('large_class_id', 'is not', null),
      )
      .returning(['id', 'name', 'school_id'])
      .execute();
    await noteLarge('remove', gone, ({ id, ...before }) => ({ recordId: id, before, after: null }));
  }

  async function keepTerms(rows: readonly AddedRecord[]): Promise<void> {
    const pairs = rows.flatMap(({ record: id, fields }) =>
      idsFromText(fields.term_ids).map((term_id) => ({ class_id: Number(id), term_id })),
    );
    await db
      .deleteFrom('class_term')
      .where('class_id', 'in', inIds(db, idsOf(rows)))
      .execute();
    await insertRows(db, 'class_term', { class_id: 'integer', term_id: 'integer' }, pairs);
  }

  async function termsOf(ids: readonly number[]): Promise<Map<number, number[]>> {
    const rows = await db.selectFrom('class_term').selectAll().where('class_id', 'in', inIds(db, ids)).execute();
    return groupValues(
      rows,
      ({ class_id }) => class_id,
      ({ term_id }) => term_id,
    );
  }

  return {
    async stored(records) {
      const found = classes().where('class.id', 'in', inIds(db, records.map(Number)));
      const rows = await forUpdate(db)(found, ['class']).execute();
      const terms = await termsOf(rows.map(({ id }) => id));
      return new Map(
        rows.map((row) => [
          String(row.id),
          { fields: fieldsOf(row, terms.get(row.id) ?? [], timezone), isGone: !isRunning(row, now) },
        ]),
      );
    },
    async findMatch(wanted) {
      const names = wanted.map(({ name }) => text(name));
      const rows = await classes().where('class.name', 'in', inTexts(db, names)).orderBy('class.id').execute();
      return wanted.map(({ name, school_id }) => {
        const same = rows.filter((row) => row.name === name && row.school_id === school_id && isRunning(row, now));
        return same.length === 1 && same[0] ? { record: String(same[0].id), isSure: false } : undefined;
      });
    },
    async diff(wanted) {
      return wanted.map(({ fields: written, before }): RecordDiff => {
        const { school_id, large_class_name, term_ids, ...rest } = written;
        const large = validateImported(LargeClassName, { name: text(large_class_name) });
        const { output, errors: wrong } = validateImported(CompleteClass, withoutNulls(rest));
        const errors: FieldErrors = { ...wrong };
        if (!schools.isKnown(school_id) || (before === undefined && !schools.isOpen(school_id)))
          errors.school_id = [classWritingMessages.noSchool];
        if (large.errors) errors.large_class_name = large.errors.name ?? [];
        if (!output || !large.output) return { errors };
        const isNew = (field: 'grade_id' | 'classify_id') => output[field] !== 0 && output[field] !== before?.[field];
        if (isNew('grade_id') && !isOffered('grade', output.grade_id)) errors.grade_id = [classWritingMessages.grade];
        if (isNew('classify_id') && !isOffered('category', output.classify_id))
          errors.classify_id = [classWritingMessages.classify];
        const { large_class_id: _, ...faults } = output;
        const more = { school_id: school_id ?? 0, large_class_name: large.output.name, term_ids: text(term_ids) };
        return fieldsOrErrors({ ...faults, ...more }, errors);
      });
    },
    newRecords: (fields) => newIds(db, record, fields),
    async add(made) {
      const { large, traces } = await largeClassesOf(made);
      const rows = made.map(({ record: id, fields }) => ({
        ...columnsOf(id, fields),
        class_type: classTypes.stateSchool,
        large_class_id: large(fields),
        school_id: Number(fields.school_id),
        ...validityIn(fields),
        created_at: now,
      }));
      await insertClasses(db, rows);
      await keepTerms(made);
      await note(
        'add',
        historyOfAdditions(made, (fields) => ({ class_type: classTypes.stateSchool, ...historyFields(fields) })),
      );
      return traces;
    },
    async change(changed) {
      const rows = changed.map(({ record: id, after }) => columnsOf(id, after));
      await updateClasses(db, rows);
      await updateRows(db, 'class', { id: 'integer', group_hidden: 'integer' }, rows);
      await keepTerms(
        changed
          .filter(({ before, after }) => before.term_ids !== after.term_ids)
          .map(({ record: id, after }) => ({ record: id, fields: after })),
      );
      // An ended class keeps the exact second of its end unless the imported last day differs.
      const moved = changed.filter(
        ({ before, after }) => before.valid_type !== after.valid_type || before.valid_day !== after.valid_day,
      );
      await updateValidity(
        db,
        moved.map(({ record: id, after }) => ({ id: Number(id), ...validityIn(after) })),
      );
      await note('edit', historyOfEdits(changed, historyFields));
    },
    async sideEffects(changed) {
      const grown = changed
        .filter(({ before, after }) => before.large_class_name !== after.large_class_name)
        .map(({ record: id, after }) => ({ record: id, fields: after }));
      const { large, traces } = await largeClassesOf(grown);
      await updateRows(
        db,
        'class',
        { id: 'integer', large_class_id: 'integer' },
        grown.map(({ record: id, fields }) => ({ id: Number(id), large_class_id: large(fields) })),
      );
      return traces;
    },
    end: (ended) => setValidity('end', idsOf(ended), { valid_type: 2, valid_time: now }),
    restore: (returning) => setValidity('reopen', idsOf(returning), { valid_type: 1, valid_time: 0 }),
    effects: (ended) =>
      messagesPerRecord(ended, async (classId) => tracesSentence(await usageOf(db, { classId, now }))),
    async remove(made) {
      const faults = await messagesPerRecord(made, async (id) => removalFault(await countRecords(db, id)));
      const gone = made.filter(({ record: id }) => !faults.has(id));
      await deleteClasses(db, idsOf(gone));
      await forgetLarge(gone.map(({ trace }) => trace));
      await note('remove', deletionChanges(gone, historyFields));
      return faults;
    },
    removeSideEffects: (changed) => forgetLarge(changed.map(({ trace }) => trace)),
    undoEnd: (ended) => restoreValidity('reopen', ended),
    undoRestore: (returned) => restoreValidity('end', returned),
  };

  function validityIn(fields: Fields): Validity {
    return { valid_type: Number(fields.valid_type), valid_time: validTime(fields, timezone) };
  }

  /** Sets the validity of classes; returns the previous one of each, for undo. */
  async function setValidity(action: string, ids: readonly number[], validity: Validity): Promise<Traces> {
    const before = await validityOf(db, ids);
    await keepValidity(
      action,
      before.map(({ id }) => ({ id, ...validity })),
    );
    return new Map(before.map((row) => [String(row.id), row]));
  }

  async function restoreValidity(action: string, all: readonly { trace: unknown }[]): Promise<void> {
    await keepValidity(
      action,
      all.map(({ trace }) => trace as Validity & { id: number }),
    );
  }

  async function keepValidity(action: string, rows: readonly (Validity & { id: number })[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const before = new Map((await validityOf(db, ids)).map(({ id, ...row }) => [id, row]));
    await updateValidity(db, rows);
    await note(action, rows, ({ id, ...after }) => ({ recordId: id, before: before.get(id) ?? null, after }));
  }
}

interface Validity {
  valid_type: number;
  valid_time: number;
}

const text = (value: FieldValue | undefined): string => String(value ?? '');

/** Fields in the form of a history row, which has terms as a list. */
const historyFields = ({ term_ids, ...fields }: Fields) => ({
  ...fields,
  ...(text(term_ids) !== '' && { term_ids: idsFromText(term_ids) }),
});

/** '' for no large class, or a valid name. */
const LargeClassName = v.object({ name: v.union([v.literal(''), CompleteClassDetails.entries.name]) });

const columnsOf = (id: string, fields: Fields) => ({
  id: Number(id),
  name: String(fields.name),
  grade_id: Number(fields.grade_id) || null,
  classify_id: Number(fields.classify_id) || null,
  group_hidden: fields.is_circle_hidden === 1 ? hiddenCircleFlag : 1,
});

function fieldsOf(
  row: {
    name: string;
    school_id: number;
    grade_id: number | null;
    classify_id: number | null;
    large_class_name: string | null;
    valid_type: number;
    valid_time: number;
    group_hidden: number;
  },
  terms: readonly number[],
  timezone: string,
): Fields {
  return {
    name: row.name,
    school_id: row.school_id,
    grade_id: row.grade_id ?? 0,
    classify_id: row.classify_id ?? 0,
    large_class_name: row.large_class_name ?? '',
    term_ids: idsToText(terms),
    valid_type: row.valid_type === 2 ? 2 : 1,
    valid_day: row.valid_type === 2 ? dayOf(row.valid_time, timezone) : '',
    is_circle_hidden: row.group_hidden === hiddenCircleFlag ? 1 : 0,
  };
}

/** Returns the given classes that exist in the viewer's schools, of any type, with names. */
export const namedClasses = (db: Database, viewer: { id: number; everySchool: boolean }, ids: readonly number[]) =>
  adminClasses(db, viewer).select(['class.id', 'class.name']).where('class.id', 'in', inIds(db, ids)).execute();
