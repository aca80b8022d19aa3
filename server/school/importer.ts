/**
 * Interface between the import and the subjects: how records of a kind are read, compared, added, changed, ended and
 * undone, always many at once. Rules, messages and history rows are the same as in administrators' calls.
 */
import type * as v from 'valibot';
import type { Permission } from '#server/platform/auth/rules.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, newRecordIds, recordHistoryOfMany } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import type { Table } from '#server/platform/db/rows.ts';
import { openSchoolsOf, schoolsOf } from './admin-schools.ts';

/** The user who imports. On the command line `id` is null, and all permissions are given. */
export interface ImportActor {
  id: number | null;
  everySchool: boolean;
  permissions: readonly Permission[];
}

export type FieldValue = string | number | null;
/**
 * Fields with the names of the administrators' call. References are ids; a negative id is the row number of a record
 * that the same import creates.
 */
export type Fields = Readonly<Record<string, FieldValue>>;

export interface ImportContext {
  db: Database;
  importer: ImportActor;
  /** Unix seconds. */
  now: number;
  timezone: string;
  /**
   * Returns the planned fields of a record in the same import; available before records that refer to it are compared.
   * Undefined if the record stays as stored. A membership is named by its natural key.
   */
  foreseen(kind: string, record: string): Fields | undefined;
  /** Returns the planned fields of all new and changed records of a kind, by record. */
  planned(kind: string): Iterable<readonly [record: string, fields: Fields]>;
  /** True if the same import ends the record. */
  isEnding(kind: string, record: string): boolean;
}

/** The importing user in the form that queries of visible schools take. */
export const viewerOf = ({ id, everySchool }: ImportActor) => ({ id: id ?? 0, everySchool });

/** Author and time for history rows. */
export const recordImport = ({ importer, now }: Pick<ImportContext, 'importer' | 'now'>) => ({
  actor: importer.id === null ? null : { id: importer.id },
  now,
});

type HistoryChanges = Parameters<typeof recordHistoryOfMany>[1]['changes'];

/** Returns a function that writes history rows for records of one kind. `changeOf`: builds the change of one row. */
export const historyOf =
  (context: Pick<ImportContext, 'db' | 'importer' | 'now'>, record: string) =>
  <Row>(
    action: string,
    rows: readonly Row[],
    changeOf: (row: Row) => HistoryChanges[number] = (row) => row as HistoryChanges[number],
  ): Promise<void> =>
    recordHistoryOfMany(context.db, { ...recordImport(context), record, action, changes: rows.map(changeOf) });

/** Builds history changes for added records. `format`: converts fields to the form that the history has. */
export const historyOfAdditions = (
  made: readonly AddedRecord[],
  format: FieldsFormatter = unchangedFields,
): HistoryChanges =>
  made.map(({ record, fields }) => ({ recordId: Number(record), before: null, after: format(fields) }));
export const historyOfEdits = (
  changed: readonly ChangedRecord[],
  format: FieldsFormatter = unchangedFields,
): HistoryChanges =>
  changed.map(({ record, ...change }) => {
    const { before, after } = changedFields(format(change.before), format(change.after));
    return { recordId: Number(record), before, after };
  });
/** Builds history changes that contain all fields, not only the changed ones. */
export const historyOfWholeEdits = (
  changed: readonly ChangedRecord[],
  format: FieldsFormatter = unchangedFields,
): HistoryChanges =>
  changed.map(({ record, before, after }) => ({
    recordId: Number(record),
    before: format(before),
    after: format(after),
  }));
export const deletionChanges = (
  gone: readonly AddedRecord[],
  format: FieldsFormatter = unchangedFields,
): HistoryChanges =>
  gone.map(({ record, fields }) => ({ recordId: Number(record), before: format(fields), after: null }));

type FieldsFormatter = (fields: Fields) => object;
const unchangedFields: FieldsFormatter = (fields) => fields;

/** Reserves ids for new rows of a table. */
export const newIds = async (
  db: Database,
  table: Table,
  { length: count }: readonly unknown[],
  record: string = table,
): Promise<string[]> => (await newRecordIds(db, { table, record, count })).map(String);

/** Returns the numeric ids of records that are rows of a table. */
export const idsOf = (records: readonly { record: string }[]): number[] => records.map(({ record }) => Number(record));

/** Returns the ids in a reference field, each once. */
export const distinctIds = (records: readonly { fields: Fields }[], field: string): number[] => [
  ...new Set(records.map(({ fields }) => Number(fields[field]))),
];

/** Returns a sentence for each record; the map lacks records without one. */
export async function messagesPerRecord(
  records: readonly { record: string }[],
  say: (id: number) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const format = new Map<string, string>();
  for (const { record } of records) {
    const sentence = await say(Number(record));
    if (sentence) format.set(record, sentence);
  }
  return format;
}

export interface StoredRecord {
  fields: Fields;
  /** True if the record is disabled, ended, archived or left, depending on its kind. */
  isGone: boolean;
  /** True if the record ended by itself, on a day that was planned in advance. */
  isGoneAsPlanned?: boolean;
}

export interface WantedRecord {
  /** Id of the stored record; undefined for a new one. For a membership: two ids joined by a colon. */
  record: string | undefined;
  /** All fields: values that the source leaves out come from the stored record, or from the defaults. */
  fields: Fields;
  before: Fields | undefined;
}

/** The fields as they will be stored, or errors by field. */
export type RecordDiff = { fields: Fields } | { errors: FieldErrors };

export interface AddedRecord {
  record: string;
  fields: Fields;
}

export interface ChangedRecord {
  record: string;
  before: Fields;
  after: Fields;
}

/** Undo data of each record, as JSON; the map lacks records without such data. */
export type Traces = Map<string, unknown>;

/** One kind of record during one check or application of an import. It may cache facts that many rows need. */
export interface ImporterSession {
  /** Reads stored records that the user manages; locks them while the import is applied. */
  stored(records: readonly string[]): Promise<Map<string, StoredRecord>>;
  /** Matches rows without a known id to stored records. `isSure`: the match is unique. */
  findMatch(wanted: readonly Fields[]): Promise<({ record: string; isSure: boolean } | undefined)[]>;
  diff(wanted: readonly WantedRecord[]): Promise<RecordDiff[]>;
  /** Returns warnings about other records with the same name or mobile number. */
  similar?(wanted: readonly WantedRecord[]): Promise<(string | undefined)[]>;
  /** Reserves ids for new records. The id of a membership is made of its two ids. */
  newRecords(fields: readonly Fields[]): Promise<string[]>;
  add(made: readonly AddedRecord[]): Promise<Traces>;
  change(changed: readonly ChangedRecord[]): Promise<void>;
  /**
   * Returns undo data for rows that changes created in other tables; passed to `removeSideEffects` when the changes are
   * undone.
   */
  sideEffects?(changed: readonly ChangedRecord[]): Promise<Traces>;
  end(ended: readonly AddedRecord[]): Promise<Traces>;
  restore(returning: readonly AddedRecord[]): Promise<Traces>;
  /** Returns labels of memberships. */
  labels?(records: readonly string[]): Promise<Map<string, string>>;
  /** Returns sentences about the effects on other people if all of these records end. */
  consequences?(ended: readonly AddedRecord[]): Promise<string[]>;
  /** Returns a sentence about the effects of each record's end on other people; the map lacks records without effect. */
  effects(ended: readonly AddedRecord[]): Promise<Map<string, string>>;
  /** Returns the omitted records that have ended already; they are not ended again. */
  findEnded?(records: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns why some of these records cannot end. */
  endFaults?(ended: readonly AddedRecord[]): Promise<Map<string, string>>;
  /** Returns why the changes of some records cannot be undone. */
  changeFaults?(records: readonly string[]): Promise<Map<string, string>>;
  /** Undoes additions; returns why some records must stay. */
  remove(made: readonly (AddedRecord & { trace: unknown })[]): Promise<Map<string, string>>;
  /** Removes rows that an undone change had created in other tables, if nobody uses them. */
  removeSideEffects?(changed: readonly { record: string; trace: unknown }[]): Promise<void>;
  /** Undoes an end by the import: the records become active again. */
  undoEnd(ended: readonly (AddedRecord & { trace: unknown })[]): Promise<void>;
  /** Undoes a restoration by the import: the records end again. */
  undoRestore(returned: readonly (AddedRecord & { trace: unknown })[]): Promise<void>;
}

export interface Importer {
  /** Permission that the user needs to import this kind. */
  needs: Permission;
  /**
   * True for kinds that several schools use: a match by name must be confirmed by a person before the record is
   * changed.
   */
  isShared?: true;
  /** Reference fields, each with the kind it refers to, or several kinds if one table holds them. */
  refers: Readonly<Record<string, string | readonly string[]>>;
  /** Fields with lists of references, stored as ordered ids separated by commas. */
  refersToMany?: Readonly<Record<string, string>>;
  /** All other fields. */
  scalars: readonly string[];
  /** Fields that a source may contain but that are not stored. */
  ignored?: readonly string[];
  /** Reference fields that are only used when the record is created. */
  atFirst?: readonly string[];
  /** Fields that `end` gets together with the record. */
  atEnd?: readonly string[];
  /** Values to which a bulk upload resets fields that the source no longer contains. */
  resetWhenOmitted?: Fields;
  /** Values for fields of a new record that the source leaves out. */
  defaults: Fields;
  /** Fields that a new record gets automatically; they do not count as changed by a person. */
  automaticFields?: readonly string[];
  /** Fields that cannot change after creation, with the message that says so. */
  fixed?: Readonly<Record<string, string>>;
  /** True for a membership, that is, a record that links two others and is named by its natural key. */
  isMembership?: true;
  /** Fields that make up the record's label; a reference is shown by its own label. */
  labelled?: readonly string[];
  /** Returns the label of a record. Memberships are labelled by their two records. */
  labelOf?(fields: Fields): string;
  /** Returns the key by which a record is found again if the source has no ids; '' if fields for it are missing. */
  naturalKey(fields: Fields): string;
  /**
   * Returns facts that the comparison of records referring to this one needs; only called for new and changed records.
   */
  facts?(fields: Fields, isGone: boolean): Fields;
  /** Fields that say whether the record has ended. If the source contains them, they alone decide. */
  stateFields?: readonly string[];
  /** True if a bulk upload ends the records that it does not contain. */
  leaves: boolean;
  open(context: ImportContext): Promise<ImporterSession>;
}

/** Validates fields by their schema; returns the output, or errors. */
export function validateImported<Output>(
  schema: v.GenericSchema<unknown, Output>,
  written: Readonly<Record<string, unknown>>,
): { output: Output; errors?: undefined } | { output?: undefined; errors: FieldErrors } {
  const { output, errors } = validateComplete(schema, written);
  return output === undefined ? { errors } : { output };
}

export const fieldsOrErrors = (fields: Fields, errors: FieldErrors): RecordDiff =>
  Object.keys(errors).length > 0 ? { errors } : { fields };

/** Returns the schools of the user. `isOpen(id)`: true if new records may belong to that school. */
export async function importerSchools({
  db,
  importer,
  foreseen,
}: Pick<ImportContext, 'db' | 'importer' | 'foreseen'>): Promise<{
  isKnown(id: FieldValue | undefined): boolean;
  isOpen(id: FieldValue | undefined): boolean;
}> {
  const viewer = viewerOf(importer);
  const [all, open] = await Promise.all([schoolsOf(db, viewer).execute(), openSchoolsOf(db, viewer).execute()]);
  const known = new Set(all.map(({ id }) => id));
  const opened = new Set(open.map(({ id }) => id));
  const isNew = (id: FieldValue | undefined) => foreseen('school', String(id)) !== undefined;
  return {
    isKnown: (id) => isNew(id) || known.has(Number(id)),
    isOpen: (id) => isNew(id) || opened.has(Number(id)),
  };
}

/**
 * Returns a function that says whether a catalogue entry may be chosen: it is not archived, or the same import creates
 * it.
 */
export async function catalogueEntryCheck({
  db,
  foreseen,
}: Pick<ImportContext, 'db' | 'foreseen'>): Promise<(kind: 'grade' | 'category' | 'subject', id: number) => boolean> {
  const [grades, categories, subjects] = await Promise.all([
    db.selectFrom('grade').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('classify').select('id').where('put_away_at', 'is', null).execute(),
    db.selectFrom('subject').select('id').where('put_away_at', 'is', null).execute(),
  ]);
  const ids = (rows: readonly { id: number }[]) => new Set(rows.map(({ id }) => id));
  const offered = { grade: ids(grades), category: ids(categories), subject: ids(subjects) };
  return (kind, id) => foreseen(kind, String(id)) !== undefined || offered[kind].has(id);
}

/** Returns staff whom the user manages or whom the same import creates; undefined for others. */
export async function importerStaff(
  { db, importer, foreseen }: Pick<ImportContext, 'db' | 'importer' | 'foreseen'>,
  ids: readonly number[],
): Promise<(id: number) => { real_name: string; identity: string; disabled_at: number | null } | undefined> {
  const rows = await db
    .selectFrom('staff')
    .select(['staff.id', 'staff.real_name', 'staff.identity', 'staff.disabled_at'])
    .where('staff.id', 'in', inIds(db, ids))
    .where('staff.school_id', 'in', schoolsOf(db, viewerOf(importer)))
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  return (id) => {
    const ahead = foreseen('staff', String(id));
    if (!ahead) return known.get(id);
    const disabled_at = ahead.is_disabled === 1 ? 1 : null;
    return { real_name: String(ahead.real_name), identity: String(ahead.identity), disabled_at };
  };
}

/** Leaves out fields that are null. */
export const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Joins ids to the text of a list field. */
export const idsToText = (ids: readonly number[]): string => ids.toSorted((one, other) => one - other).join(',');
export const idsFromText = (value: FieldValue | undefined): number[] =>
  String(value ?? '') === '' ? [] : String(value).split(',').map(Number);

/** Builds the id of a membership from the ids of its two records. */
export const membershipId = (...ids: (FieldValue | undefined)[]): string => ids.join(':');

/** Splits the id of a membership. */
export function membershipEnds(record: string): [one: number, other: number] {
  const [one, other] = record.split(':');
  return [Number(one), Number(other)];
}

export { groupRows, groupValues } from '#server/platform/db/grouping.ts';
