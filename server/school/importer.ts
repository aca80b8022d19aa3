/**
 * What an import is told of a kind of record by the subject that owns it: how what is stored is read, how what is wanted
 * is judged, and how it is made, changed, ended and taken back, always many at a time. The rules, their sentences and the
 * rows of history are those of the administrators' calls.
 */
import type * as v from 'valibot';
import type { Permission } from '#server/platform/auth/rules.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { validateComplete } from '#server/platform/calls/validation.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { changedFields, recordHistoryOfMany, unusedIds } from '#server/platform/db/history.ts';
import { inIds } from '#server/platform/db/json-rows.ts';
import type { Table } from '#server/platform/db/rows.ts';
import { openSchoolsOf, schoolsOf } from './admin-schools.ts';

/** Who imports; at the command line nobody is signed in (`id` null), and may all. */
export interface ImportActor {
  id: number | null;
  everySchool: boolean;
  permissions: readonly Permission[];
}

export type FieldValue = string | number | null;
/** By the names of the administrators' call. What is another record is its id; one still to be made has one below 0. */
export type Fields = Readonly<Record<string, FieldValue>>;

export interface ImportContext {
  db: Database;
  importer: ImportActor;
  /** Unix seconds. */
  now: number;
  timezone: string;
  /**
   * What the same import makes of a record before what refers to it is judged; undefined: it stays as it is stored. One
   * that lies between two records is named by its natural key.
   */
  foreseen(kind: string, record: string): Fields | undefined;
  /** Whether the same import ends it. */
  isEnding(kind: string, record: string): boolean;
}

/** Whose schools are asked for. */
export const viewerOf = ({ id, everySchool }: ImportActor) => ({ id: id ?? 0, everySchool });

/** Who changed it, as the history notes it. */
export const recordImport = ({ importer, now }: Pick<ImportContext, 'importer' | 'now'>) => ({
  actor: importer.id === null ? null : { id: importer.id },
  now,
});

type Noted = Parameters<typeof recordHistoryOfMany>[1]['changes'];

/** Leaves the rows of history of records of one sort. `changeOf`: what is said of each, where that is not said yet. */
export const historyOf =
  (context: Pick<ImportContext, 'db' | 'importer' | 'now'>, record: string) =>
  <Row>(
    action: string,
    rows: readonly Row[],
    changeOf: (row: Row) => Noted[number] = (row) => row as Noted[number],
  ): Promise<void> =>
    recordHistoryOfMany(context.db, { ...recordImport(context), record, action, changes: rows.map(changeOf) });

/** What the history says of records that an import made, changed or took away. `said`: fields as it has them. */
export const additionsNoted = (made: readonly MadeRecord[], said: Said = asIs): Noted =>
  made.map(({ record, fields }) => ({ recordId: Number(record), before: null, after: said(fields) }));
export const editsNoted = (changed: readonly ChangedRecord[], said: Said = asIs): Noted =>
  changed.map(({ record, ...change }) => {
    const { before, after } = changedFields(said(change.before), said(change.after));
    return { recordId: Number(record), before, after };
  });
/** With all fields, also those that stay. */
export const wholeEditsNoted = (changed: readonly ChangedRecord[], said: Said = asIs): Noted =>
  changed.map(({ record, before, after }) => ({
    recordId: Number(record),
    before: said(before),
    after: said(after),
  }));
export const removalsNoted = (gone: readonly MadeRecord[], said: Said = asIs): Noted =>
  gone.map(({ record, fields }) => ({ recordId: Number(record), before: said(fields), after: null }));

type Said = (fields: Fields) => object;
const asIs: Said = (fields) => fields;

/** Ids for as many new rows of a table. */
export const newIds = async (
  db: Database,
  table: Table,
  { length: count }: readonly unknown[],
  record: string = table,
): Promise<string[]> => (await unusedIds(db, { table, record, count })).map(String);

/** Of records that are rows: their ids. */
export const idsOf = (records: readonly { record: string }[]): number[] => records.map(({ record }) => Number(record));

/** What these refer to by a field. */
export const referredIds = (records: readonly { fields: Fields }[], field: string): number[] => [
  ...new Set(records.map(({ fields }) => Number(fields[field]))),
];

/** What is said of each record, without those of which nothing is. */
export async function messagesPerRecord(
  records: readonly { record: string }[],
  say: (id: number) => Promise<string | undefined>,
): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  for (const { record } of records) {
    const sentence = await say(Number(record));
    if (sentence) said.set(record, sentence);
  }
  return said;
}

export interface StoredRecord {
  fields: Fields;
  /** Disabled, ended, put away or left, as the kind has it. */
  isGone: boolean;
  /** It ended by itself, on the day that was known of it. */
  isGoneAsSaid?: boolean;
}

export interface WantedRecord {
  /** Of a stored one: its id, or two joined by a colon where it lies between two records. */
  record: string | undefined;
  /** Whole: what the source does not say is as it is stored, or as a new one has it. */
  fields: Fields;
  before: Fields | undefined;
}

/** As it will be kept, or what is wrong with it. */
export type RecordDiff = { fields: Fields } | { errors: FieldErrors };

export interface MadeRecord {
  record: string;
  fields: Fields;
}

export interface ChangedRecord {
  record: string;
  before: Fields;
  after: Fields;
}

/** By record, in JSON, what is needed to take back what was done to it; those for which there is nothing are left out. */
export type Traces = Map<string, unknown>;

/** What a kind is while one import is checked or applied. Facts that many rows ask for are looked up once. */
export interface ImporterSession {
  /** Those that the importer looks after. In an application they are held until it ends. */
  stored(records: readonly string[]): Promise<Map<string, StoredRecord>>;
  /** Which stored record is meant by one that the source has not named before; `isSure` where none else can be. */
  findMatch(wanted: readonly Fields[]): Promise<({ record: string; isSure: boolean } | undefined)[]>;
  diff(wanted: readonly WantedRecord[]): Promise<RecordDiff[]>;
  /** Sentences about others with the same name or mobile number. */
  similar?(wanted: readonly WantedRecord[]): Promise<(string | undefined)[]>;
  /** Ids for new ones. Of a kind between two records they are what these are. */
  newRecords(fields: readonly Fields[]): Promise<string[]>;
  add(made: readonly MadeRecord[]): Promise<Traces>;
  change(changed: readonly ChangedRecord[]): Promise<void>;
  /** After a change, what it makes beside the records; that is handed to `removeSideEffects` once the change was taken back. */
  sideEffects?(changed: readonly ChangedRecord[]): Promise<Traces>;
  end(ended: readonly MadeRecord[]): Promise<Traces>;
  restore(returning: readonly MadeRecord[]): Promise<Traces>;
  /** What these are called, of a kind between two records. */
  labels?(records: readonly string[]): Promise<Map<string, string>>;
  /** What others will notice when all of these end, in sentences. */
  consequences?(ended: readonly MadeRecord[]): Promise<string[]>;
  /** What others will notice when each of these ends; those of which nobody notices anything are left out. */
  effects(ended: readonly MadeRecord[]): Promise<Map<string, string>>;
  /** Of what a source no longer names, what is over: it stays as it was. */
  over?(records: readonly string[]): Promise<ReadonlySet<string>>;
  /** Why some of these cannot end. */
  endFaults?(ended: readonly MadeRecord[]): Promise<Map<string, string>>;
  /** Takes back what was made. Answers why one has to stay; those that went are left out. */
  remove(made: readonly (MadeRecord & { trace: unknown })[]): Promise<Map<string, string>>;
  /** After a change was taken back: what it made beside the record, and nobody uses, goes. */
  removeSideEffects?(changed: readonly { record: string; trace: unknown }[]): Promise<void>;
  /** Takes back an end, or a return. */
  unend(ended: readonly (MadeRecord & { trace: unknown })[]): Promise<void>;
  unreturn(returned: readonly (MadeRecord & { trace: unknown })[]): Promise<void>;
}

export interface Importer {
  /** What whoever imports it must be permitted. */
  needs: Permission;
  /** Others use it too: a person confirms a match by name before it changes the record. */
  isShared?: true;
  /** Which ids of other kinds its fields hold; of several kinds where one table holds them. */
  refers: Readonly<Record<string, string | readonly string[]>>;
  /** Which lists of them: they are kept in order, joined by commas. */
  refersToMany?: Readonly<Record<string, string>>;
  /** What else it has. */
  scalars: readonly string[];
  /** What is read of a source and not kept. */
  ignored?: readonly string[];
  /** Fields of the other that count when it is made, and never again. */
  atFirst?: readonly string[];
  /** What a source says of an end: it is handed to `end` with the record. */
  atEnd?: readonly string[];
  /** What a source has said until it says it no longer, in an upload that names all there is; and as what it is then. */
  untilUnsaid?: Fields;
  /** What a new one has where the source says nothing. */
  defaults: Fields;
  /** What a new one gets by itself where the source says nothing: nobody has touched it then. */
  givenByItself?: readonly string[];
  /** What cannot be changed once it is made, and says so. */
  fixed?: Readonly<Record<string, string>>;
  /** Whether it lies between two records, which its natural key names. */
  isBetween?: true;
  /** What it is called: these of its fields, other records by their names. */
  labelled?: readonly string[];
  /** What it is called; one between two records is called after these. */
  labelOf?(fields: Fields): string;
  /** By what it is found again where the source has no ids; '' where that is not enough. */
  naturalKey(fields: Fields): string;
  /** Facts by which others are judged that refer to it; of those that are new or change alone. */
  facts?(fields: Fields, isGone: boolean): Fields;
  /** Fields that say themselves whether it has ended: where the source gives them, nothing else does. */
  stateFields?: readonly string[];
  /** Whether a bulk upload that no longer names it ends it. */
  leaves: boolean;
  open(context: ImportContext): Promise<ImporterSession>;
}

/** What is wrong with the fields by their schema, or what it makes of them. */
export function lockedUntilApplied<Output>(
  schema: v.GenericSchema<unknown, Output>,
  written: Readonly<Record<string, unknown>>,
): { output: Output; errors?: undefined } | { output?: undefined; errors: FieldErrors } {
  const { output, errors } = validateComplete(schema, written);
  return output === undefined ? { errors } : { output };
}

export const orErrors = (fields: Fields, errors: FieldErrors): RecordDiff =>
  Object.keys(errors).length > 0 ? { errors } : { fields };

/** The schools that the importer looks after; `isOpen` of those that something new may be of. */
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

/** Whether a grade, category or subject can be chosen: it is in use, or the same import makes it. */
export async function offeredEntries({
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

/** Those of the staff whom the importer looks after, or the same import makes; undefined for others. */
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

/** What is taken away is none of it. */
export const nothingLeftOut = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** A list of ids, as a field holds it. */
export const listedIds = (ids: readonly number[]): string => ids.toSorted((one, other) => one - other).join(',');
export const idsListed = (value: FieldValue | undefined): number[] =>
  String(value ?? '') === '' ? [] : String(value).split(',').map(Number);

/** What lies between records is named by their ids. */
export const joinedIds = (...ids: (FieldValue | undefined)[]): string => ids.join(':');

/** The two ends of what lies between two records. */
export function endsOf(record: string): [one: number, other: number] {
  const [one, other] = record.split(':');
  return [Number(one), Number(other)];
}

export { grouped, groupedValues } from '#server/platform/db/grouping.ts';
