/**
 * Interface between the import and a subject: how records of a kind are read, judged, added, changed, ended and undone,
 * always in bulk. Rules, messages and history rows are the same as for administrators' calls.
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

/** The importing user. On the command line `id` is null, with all permissions. */
export interface ImportActor {
  id: number | null;
  everySchool: boolean;
  permissions: readonly Permission[];
}

export type FieldValue = string | number | null;
/**
 * Fields by their names in the administrators' call. References are ids; a record created by the same import has a
 * negative one.
 */
export type Fields = Readonly<Record<string, FieldValue>>;

export interface ImportContext {
  db: Database;
  importer: ImportActor;
  /** Unix seconds. */
  now: number;
  timezone: string;
  /**
   * Planned fields of a record in the same import, available before records that refer to it are judged. Undefined if
   * it stays as stored. A membership is named by its natural key.
   */
  foreseen(kind: string, record: string): Fields | undefined;
  /** True if the same import ends the record. */
  isEnding(kind: string, record: string): boolean;
}

/** The importer as a viewer, to find their schools. */
export const viewerOf = ({ id, everySchool }: ImportActor) => ({ id: id ?? 0, everySchool });

/** Actor and time for history rows. */
export const recordImport = ({ importer, now }: Pick<ImportContext, 'importer' | 'now'>) => ({
  actor: importer.id === null ? null : { id: importer.id },
  now,
});

type HistoryChanges = Parameters<typeof recordHistoryOfMany>[1]['changes'];

/** Returns a function that writes history rows for records of one kind. `changeOf` builds the change of a row. */
export const historyOf =
  (context: Pick<ImportContext, 'db' | 'importer' | 'now'>, record: string) =>
  <Row>(
    action: string,
    rows: readonly Row[],
    changeOf: (row: Row) => HistoryChanges[number] = (row) => row as HistoryChanges[number],
  ): Promise<void> =>
    recordHistoryOfMany(context.db, { ...recordImport(context), record, action, changes: rows.map(changeOf) });

/** History changes for added, edited and removed records. `note` converts fields to the form used in the history. */
export const historyOfAdditions = (made: readonly AddedRecord[], format: FieldsFormatter = asIs): HistoryChanges =>
  made.map(({ record, fields }) => ({ recordId: Number(record), before: null, after: format(fields) }));
export const historyOfEdits = (changed: readonly ChangedRecord[], format: FieldsFormatter = asIs): HistoryChanges =>
  changed.map(({ record, ...change }) => {
    const { before, after } = changedFields(format(change.before), format(change.after));
    return { recordId: Number(record), before, after };
  });
/** Contains all fields, not only changed ones. */
export const historyOfWholeEdits = (
  changed: readonly ChangedRecord[],
  format: FieldsFormatter = asIs,
): HistoryChanges =>
  changed.map(({ record, before, after }) => ({
    recordId: Number(record),
    before: format(before),
    after: format(after),
  }));
export const historyOfRemovals = (gone: readonly AddedRecord[], format: FieldsFormatter = asIs): HistoryChanges =>
  gone.map(({ record, fields }) => ({ recordId: Number(record), before: format(fields), after: null }));

type FieldsFormatter = (fields: Fields) => object;
const asIs: FieldsFormatter = (fields) => fields;

/** Reserves ids for new rows of a table. */
export const newIds = async (
  db: Database,
  table: Table,
  { length: count }: readonly unknown[],
  record: string = table,
): Promise<string[]> => (await newRecordIds(db, { table, record, count })).map(String);

/** Ids of records that are rows of a table. */
export const idsOf = (records: readonly { record: string }[]): number[] => records.map(({ record }) => Number(record));

/** Distinct ids in a reference field. */
export const distinctIds = (records: readonly { fields: Fields }[], field: string): number[] => [
  ...new Set(records.map(({ fields }) => Number(fields[field]))),
];

/** Sentences by record; omits records without one. */
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
  /** Disabled, ended, archived or left, depending on the kind. */
  isGone: boolean;
  /** It ended on its own, on a day that was set in advance. */
  isGoneAsSaid?: boolean;
}

export interface WantedRecord {
  /** Id of a stored record; for a membership two ids joined by a colon. */
  record: string | undefined;
  /** Complete fields: values missing in the source come from the stored record, or from the defaults. */
  fields: Fields;
  before: Fields | undefined;
}

/** Fields as they will be stored, or errors. */
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

/** Undo data by record, as JSON; records that need none are missing. */
export type Traces = Map<string, unknown>;

/** A kind of record during one check or run of an import. May cache facts that many rows need. */
export interface ImporterSession {
  /** Reads stored records that the importer administers. Locks them when the import is applied. */
  stored(records: readonly string[]): Promise<Map<string, StoredRecord>>;
  /** Matches rows without a known id to stored records; `isSure` if no other record can be meant. */
  findMatch(wanted: readonly Fields[]): Promise<({ record: string; isSure: boolean } | undefined)[]>;
  diff(wanted: readonly WantedRecord[]): Promise<RecordDiff[]>;
  /** Warnings about other records with the same name or mobile number. */
  similar?(wanted: readonly WantedRecord[]): Promise<(string | undefined)[]>;
  /** Reserves ids for new records; for a membership they are built from the two ids. */
  newRecords(fields: readonly Fields[]): Promise<string[]>;
  add(made: readonly AddedRecord[]): Promise<Traces>;
  change(changed: readonly ChangedRecord[]): Promise<void>;
  /** After a change, what it makes beside the records; that is handed to `removeSideEffects` once the change was taken back. */
  sideEffects?(changed: readonly ChangedRecord[]): Promise<Traces>;
  end(ended: readonly AddedRecord[]): Promise<Traces>;
  restore(returning: readonly AddedRecord[]): Promise<Traces>;
  /** Labels of memberships. */
  labels?(records: readonly string[]): Promise<Map<string, string>>;
  /** Sentences about effects on others if all of these end. */
  consequences?(ended: readonly AddedRecord[]): Promise<string[]>;
  /** Sentences about effects on others by record that ends; records without effects are missing. */
  effects(ended: readonly AddedRecord[]): Promise<Map<string, string>>;
  /** Returns the records missing in the source that are over anyway; they stay unchanged. */
  over?(records: readonly string[]): Promise<ReadonlySet<string>>;
  /** Reasons why some of these cannot end. */
  endFaults?(ended: readonly AddedRecord[]): Promise<Map<string, string>>;
  /** Undoes additions. Returns reasons for those that must stay. */
  remove(made: readonly (AddedRecord & { trace: unknown })[]): Promise<Map<string, string>>;
  /** Removes unused additional data of an undone change. */
  removeSideEffects?(changed: readonly { record: string; trace: unknown }[]): Promise<void>;
  /** Undo an end, or a return. */
  unend(ended: readonly (AddedRecord & { trace: unknown })[]): Promise<void>;
  unreturn(returned: readonly (AddedRecord & { trace: unknown })[]): Promise<void>;
}

export interface Importer {
  /** Permission to import this kind. */
  needs: Permission;
  /** Used by several schools: a person must confirm a match by name before the record is changed. */
  isShared?: true;
  /** Reference fields and the kinds of their records; several kinds if one table holds them. */
  refers: Readonly<Record<string, string | readonly string[]>>;
  /** Fields with lists of references, stored as ordered, comma-separated ids. */
  refersToMany?: Readonly<Record<string, string>>;
  /** Other fields. */
  scalars: readonly string[];
  /** Fields read from the source but not stored. */
  ignored?: readonly string[];
  /** Reference fields used only when the record is created. */
  atFirst?: readonly string[];
  /** Fields passed to `end` with the record. */
  atEnd?: readonly string[];
  /** Fields that a bulk upload resets to these values once it no longer contains them. */
  untilUnsaid?: Fields;
  /** Values of a new record that the source leaves out. */
  defaults: Fields;
  /** Fields that a new record gets automatically; they do not count as edits by a person. */
  givenByItself?: readonly string[];
  /** Fields that cannot change after creation, with the message. */
  fixed?: Readonly<Record<string, string>>;
  /** True for a membership: a record between two others, named by its natural key. */
  isBetween?: true;
  /** Fields that form its label; references are shown by their labels. */
  labelled?: readonly string[];
  /** Label of a record; memberships are labelled by their two records. */
  labelOf?(fields: Fields): string;
  /** Key to find a record again if the source has no ids; '' if it has not enough fields. */
  naturalKey(fields: Fields): string;
  /** Facts for judging records that refer to this one; only of new and changed records. */
  facts?(fields: Fields, isGone: boolean): Fields;
  /** Fields that say whether the record has ended. If the source contains them, nothing else decides it. */
  stateFields?: readonly string[];
  /** True if a bulk upload ends records that it no longer contains. */
  leaves: boolean;
  open(context: ImportContext): Promise<ImporterSession>;
}

/** Validates fields by their schema; returns errors or the output. */
export function validateImported<Output>(
  schema: v.GenericSchema<unknown, Output>,
  written: Readonly<Record<string, unknown>>,
): { output: Output; errors?: undefined } | { output?: undefined; errors: FieldErrors } {
  const { output, errors } = validateComplete(schema, written);
  return output === undefined ? { errors } : { output };
}

export const fieldsOrErrors = (fields: Fields, errors: FieldErrors): RecordDiff =>
  Object.keys(errors).length > 0 ? { errors } : { fields };

/** Schools of the importer; `isOpen` if new records may belong to it. */
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

/** Returns a check whether a catalogue entry may be chosen: it is not archived, or the same import creates it. */
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

/** Staff that the importer administers or the same import creates; undefined for others. */
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

/** Drops fields that are null. */
export const withoutNulls = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** Ids as the text of a list field. */
export const idsToText = (ids: readonly number[]): string => ids.toSorted((one, other) => one - other).join(',');
export const idsFromText = (value: FieldValue | undefined): number[] =>
  String(value ?? '') === '' ? [] : String(value).split(',').map(Number);

/** Id of a membership: the ids of its two records. */
export const membershipId = (...ids: (FieldValue | undefined)[]): string => ids.join(':');

/** Splits the id of a membership. */
export function membershipEnds(record: string): [one: number, other: number] {
  const [one, other] = record.split(':');
  return [Number(one), Number(other)];
}

export { groupRows, groupValues } from '#server/platform/db/grouping.ts';
