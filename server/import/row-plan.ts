/** Decides the outcome of one row: what happens to the record, and the texts that the user sees. */
import { hash } from 'node:crypto';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Fields, FieldValue, Importer, StoredRecord } from '#server/school/importer.ts';
import type { RowOutcome } from './rules.ts';
import type { RecordKind } from './source-record.ts';
import type { ExternalRecord, StagedRow } from './staged-rows.ts';

export type Reasons = readonly { field: string; message: string }[];
export type Conflicts = Record<string, { theirs: FieldValue; source: FieldValue }>;

/** Actions of an import on a record. */
export type RecordAction = 'add' | 'change' | 'restore' | 'end' | 'none';

export interface RowDiff {
  row: StagedRow;
  /** Id from the source, or the natural key. */
  sourceId: string;
  verdict: RowOutcome;
  /** Id of the record; '' for a new one. */
  record: string;
  label: string;
  before: Fields;
  after: Fields;
  conflicts: Conflicts;
  reasons: Reasons;
  effect: string;
  seen: string;
  act: RecordAction;
  /** True if fields of a returning record change as well. */
  changes: boolean;
  /** The complete record as it will be. */
  fields: Fields;
  stored: StoredRecord | undefined;
  external: ExternalRecord | undefined;
  /** Values of the source to remember for the next import; undefined: they stay as they are. */
  base: Fields | undefined;
}

/** A row whose record was looked up and whose fields are validated. */
interface NamedRow {
  row: StagedRow;
  sourceId: string;
  label: string;
  /** Fields that the source names. */
  named: Fields;
  external: ExternalRecord | undefined;
  /** The stored record that the row means, or probably means (`isOpen`). */
  there: StoredRecord | undefined;
  record: string | undefined;
  isOpen: boolean;
  proposal: { record: string; isSure: boolean } | undefined;
  /** Why a person must confirm a reference of the row; '' if nobody must. */
  near: string;
  /** The complete record as the source wants it, and its validation errors. */
  wish: Fields;
  wrong: FieldErrors;
}

/** Plans one row. `uploadTake`: fields in which the source wins for the whole upload. */
export function planRow(
  kind: RecordKind,
  owner: Importer,
  { row, sourceId, label, named, external, there, record, isOpen, proposal, near, wish, wrong }: NamedRow,
  uploadTake: readonly string[],
): RowDiff {
  const common = {
    row,
    sourceId,
    label,
    effect: '',
    seen: there ? versionOf(there) : '',
    stored: there,
    external,
    fields: wish,
    before: {},
    after: {},
    conflicts: {},
    reasons: [],
    changes: false,
    base: undefined,
    record: record ?? '',
  } satisfies Partial<RowDiff>;
  if (Object.keys(wrong).length > 0) {
    const reasons = Object.entries(wrong).flatMap(([field, messages]) =>
      messages.map((message) => ({ field, message })),
    );
    return { ...common, verdict: 'refused', act: 'none', reasons };
  }
  if (isOpen && proposal) return { ...common, record: proposal.record, verdict: 'match', act: 'none' };
  if (near !== '') return { ...common, record: '', effect: near, verdict: 'match', act: 'none' };
  const names = Object.keys(named).filter((name) => !owner.atFirst?.includes(name));
  const wishes = pick(wish, names);
  const take = new Set([...(row.choice.take ?? []), ...uploadTake]);
  const takes = (field: string) => take.has('*') || take.has(field) || take.has(`${kind}.${field}`);
  if (!there) {
    // A person ended or deleted the record, but the source still names it.
    if (external?.state === 'active' && !takes('state')) {
      const conflicts = { state: { theirs: 'gone', source: 'active' } };
      return { ...common, verdict: 'conflict', act: 'none', conflicts };
    }
    const verdict = external ? 'returns' : 'new';
    return { ...common, verdict, act: 'add', after: wish, base: wishes };
  }
  const differing = names.filter((name) => there.fields[name] !== wish[name]);
  const isByHand = (name: string) =>
    external !== undefined && name in external.fields && external.fields[name] !== there.fields[name];
  const kept = differing.filter((name) => isByHand(name) && !takes(name));
  const conflicts: Conflicts = Object.fromEntries(
    differing
      .filter(isByHand)
      .map((name) => [name, { theirs: there.fields[name] ?? null, source: wish[name] ?? null }]),
  );
  const changed = differing.filter((name) => !kept.includes(name));
  const saysState = (owner.stateFields ?? []).some((name) => name in named);
  const isAway = there.isGone && !saysState;
  const isAwayByHand = isAway && external?.state === 'active' && there.isGoneAsPlanned !== true;
  const comesBack = isAway && (!isAwayByHand || takes('state'));
  if (isAwayByHand) conflicts.state = { theirs: 'gone', source: 'active' };
  const isOpenConflict = kept.length > 0 || (isAwayByHand && !comesBack);
  const fields = { ...there.fields, ...pick(wish, changed) };
  const former = external?.fields ?? {};
  const base = {
    ...former,
    ...pick(
      wishes,
      names.filter((name) => !kept.includes(name)),
    ),
  };
  const saysMore = !external || !areSameFields(base, former) || (comesBack && external.state === 'gone');
  return {
    ...common,
    verdict: isOpenConflict ? 'conflict' : comesBack ? 'returns' : changed.length > 0 ? 'changed' : 'unchanged',
    act: comesBack ? 'restore' : changed.length > 0 ? 'change' : 'none',
    changes: changed.length > 0,
    before: pick(there.fields, changed),
    after: pick(wish, changed),
    conflicts,
    fields,
    base: saysMore ? base : undefined,
  };
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

export const isUnchanged = (stored: Fields, named: Fields): boolean =>
  Object.entries(named).every(([name, value]) => !(name in stored) || stored[name] === value);

const areSameFields = (one: Fields, other: Fields): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? null) === (other[name] ?? null));
};

/** Version of a stored record: a hash of its content. */
export const versionOf = (stored: StoredRecord): string =>
  hash('sha1', JSON.stringify([stored.fields, stored.isGone]), 'base64url').slice(0, 12);
