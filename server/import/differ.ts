/**
 * Compares the rows of an upload with stored records, kind by kind, in the order of the source's ids. Writes nothing. A
 * check stores the results. Applying compares again in its own transaction, and writes the rows whose result is still
 * the same.
 */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { openSchoolsOf } from '#server/school/admin-schools.ts';
import {
  type Fields,
  type ImportActor,
  type ImportContext,
  type Importer,
  type ImporterSession,
  type StoredRecord,
  viewerOf,
  type WantedRecord,
} from '#server/school/importer.ts';
import type { ImporterByKind } from './kinds.ts';
import { diffLeavingRows } from './leaving-rows.ts';
import { erasedSourceIds } from './privacy.ts';
import { References } from './references.ts';
import { isUnchanged, planRow, type RowDiff } from './row-plan.ts';
import { importMessages } from './rules.ts';
import { isReference, type RecordKind, recordKinds } from './source-record.ts';
import {
  absentRows,
  duplicateIds,
  type ExternalRecord,
  externalsOf,
  rowsPerBatch,
  type StagedRow,
  stagedRows,
} from './staged-rows.ts';

/** Maximum characters of a row's label. */
const labelLength = 200;

export interface DiffInput {
  db: Database;
  importer: ImportActor;
  now: number;
  timezone: string;
  owners: ImporterByKind;
  upload: {
    id: number;
    source_id: number;
    mode: 'bulk' | 'delta';
    kinds: readonly RecordKind[];
    choices: UploadChoices;
    /** Form data of an import that the product itself generated; '' for uploads. */
    plan: string;
  };
}

/** Choices for the whole upload. `match`: whether probable matches are the same record. */
export interface UploadChoices {
  match?: 'same' | 'new';
  /** Fields in which the source wins a conflict: `kind.field`, or `*` for all. */
  take?: string[];
}

export class Differ {
  private readonly input: DiffInput;
  private readonly ahead = new Map<string, Map<string, Fields>>();
  private readonly opened = new Map<RecordKind, Promise<ImporterSession>>();
  /** Records by kind: those that the upload names, and those that it ends. */
  private readonly present = new Map<RecordKind, Set<string>>();
  private readonly ending = new Map<RecordKind, Set<string>>();
  private readonly references: References;
  private onlySchool: Promise<number | undefined> | undefined;
  /** Natural keys of rows without an id, by kind. */
  private readonly naturals = new Map<RecordKind, Set<string>>();

  constructor(input: DiffInput) {
    this.input = input;
    this.references = new References(input);
  }

  private get context(): ImportContext {
    const { db, importer, now, timezone } = this.input;
    return {
      db,
      importer,
      now,
      timezone,
      foreseen: (kind, record) => this.ahead.get(kind)?.get(record),
      planned: (kind) => this.ahead.get(kind) ?? [],
      isEnding: (kind, record) => this.ending.get(kind as RecordKind)?.has(record) ?? false,
    };
  }

  ownerOf(kind: RecordKind): Importer {
    return this.input.owners.get(kind) as Importer;
  }

  /** A year rollover needs only the permission `teaching`, although it changes memberships. */
  private isPermitted({ needs }: Importer): boolean {
    const { importer, upload } = this.input;
    return importer.permissions.includes(upload.plan === '' ? needs : 'teaching');
  }

  opening(kind: RecordKind): Promise<ImporterSession> {
    return getOrAdd(this.opened, kind, () => this.ownerOf(kind).open(this.context));
  }

  /** Compares the rows of the upload in batches. Before the next batch, the caller sets the record ids of new rows. */
  async *named(): AsyncGenerator<{ kind: RecordKind; rows: RowDiff[] }> {
    for (const kind of this.kindsInOrder()) {
      const twice = await duplicateIds(this.input, kind);
      const isWithin = Object.values(this.ownerOf(kind).refers).flat().includes(kind);
      for await (const staged of isWithin ? this.inWaves(kind) : stagedRows(this.input, kind, 'active')) {
        const rows = await this.diffNamed(kind, staged, twice);
        yield { kind, rows };
        for (const row of rows) this.remember(kind, row);
      }
    }
  }

  /**
   * Orders the rows of a kind that refers to itself, such as parent and child course: a row comes after the one it
   * refers to.
   */
  private async *inWaves(kind: RecordKind): AsyncGenerator<StagedRow[]> {
    let rest: StagedRow[] = [];
    for await (const rows of stagedRows(this.input, kind, 'active')) rest.push(...rows);
    while (rest.length > 0) {
      const waiting = new Set(rest.map(({ source_id }) => source_id));
      const waits = ({ fields, source_id }: StagedRow) =>
        Object.values(fields).some(
          (value) =>
            isReference(value) && value.kind === kind && value.sourceId !== source_id && waiting.has(value.sourceId),
        );
      const ready = rest.filter((row) => !waits(row));
      // Rows that refer to each other in a circle come last, all together.
      const wave = ready.length > 0 ? ready : rest;
      for (let from = 0; from < wave.length; from += rowsPerBatch) yield wave.slice(from, from + rowsPerBatch);
      const done = new Set(wave);
      rest = rest.filter((row) => !done.has(row));
    }
  }

  /** Compares the leaving records in batches. A record that refers to another leaves before it. */
  async *leaving(): AsyncGenerator<{ kind: RecordKind; rows: RowDiff[] }> {
    for (const kind of this.kindsInOrder().toReversed()) {
      for await (const staged of stagedRows(this.input, kind, 'gone')) yield await this.ended(kind, staged);
      if (!this.input.upload.kinds.includes(kind)) continue;
      if (this.input.upload.mode !== 'bulk' || !this.ownerOf(kind).leaves) continue;
      const isNamed = (sourceId: string) => this.naturals.get(kind)?.has(sourceId) ?? false;
      for await (const absent of absentRows(this.input, kind, isNamed)) yield await this.ended(kind, absent);
    }
  }

  private async ended(kind: RecordKind, staged: readonly StagedRow[]): Promise<{ kind: RecordKind; rows: RowDiff[] }> {
    const owner = this.ownerOf(kind);
    const rows = await diffLeavingRows(this.input, kind, staged, {
      owner,
      open: await this.opening(kind),
      named: this.present.get(kind),
      isPermitted: this.isPermitted(owner),
    });
    const own = getOrAdd(this.ending, kind, () => new Set());
    for (const { act, record } of rows) if (act === 'end') own.add(record);
    return { kind, rows };
  }

  /** Lets later rows refer to this one: by its record id, or by its negative row number as long as it has none. */
  private remember(kind: RecordKind, row: RowDiff): void {
    const { sourceId, verdict, label, reasons } = row;
    const present = getOrAdd(this.present, kind, () => new Set());
    if (row.record !== '') present.add(row.record);
    if (row.row.source_id === '') return;
    if (verdict === 'refused') {
      const fault = importMessages.refusedReference(kind, label || sourceId || reasons[0]?.message || '');
      this.references.set(kind, sourceId, { fault });
    } else if (verdict === 'match') {
      this.references.set(kind, sourceId, { fault: importMessages.undecidedReference(kind, label) });
    } else this.references.set(kind, sourceId, { record: row.record || `-${row.row.id}`, label });
  }

  /**
   * Makes the planned state of a record visible to the checks of later rows. Call it once the record's id is known,
   * before rows that refer to it.
   */
  foresee(kind: RecordKind, row: RowDiff): void {
    const owner = this.ownerOf(kind);
    if (!owner.facts || row.act === 'none') return;
    const own = getOrAdd(this.ahead, kind, () => new Map<string, Fields>());
    const isGone = row.act === 'change' && (row.stored?.isGone ?? false);
    const key = owner.isMembership ? owner.naturalKey(row.fields) : row.record || `-${row.row.id}`;
    own.set(key, owner.facts(row.fields, isGone));
    const parent = row.fields.parent_id;
    // If a course gets a child course, classes can no longer take it.
    if (kind === 'course' && typeof parent === 'number') {
      const above = own.get(String(parent));
      own.set(String(parent), { title: '', is_away: 0, ...above, is_parent: 1 });
    }
  }

  private kindsInOrder(): RecordKind[] {
    return recordKinds.filter((kind) => this.input.owners.has(kind));
  }

  // ---- named rows ---------------------------------------------------------------------------------

  private async diffNamed(
    kind: RecordKind,
    staged: readonly StagedRow[],
    twice: ReadonlyMap<string, readonly string[]>,
  ): Promise<RowDiff[]> {
    const owner = this.ownerOf(kind);
    const open = await this.opening(kind);
    await this.references.lookUp(kind, owner, staged);
    const rows = staged.map((row) => {
      const { fields, errors, near } = this.references.resolve(owner, row, this.matchOf(row));
      const key = row.source_id || naturalKey(owner, fields);
      const places = row.source_id === '' ? undefined : twice.get(row.source_id);
      if (places) errors.source_id = [importMessages.twice(places)];
      else if (key === '') errors.source_id = [importMessages.noKey];
      if (row.source_id === '' && key !== '') {
        const own = getOrAdd(this.naturals, kind, () => new Set());
        if (own.has(key)) errors.source_id = [importMessages.taken];
        own.add(key);
      }
      if (!this.isPermitted(owner)) errors.source_id = [importMessages.needs];
      return { row, named: fields, sourceId: key, errors, near };
    });
    const sound = rows.filter(({ errors }) => Object.keys(errors).length === 0);
    const soundIds = sound.map(({ sourceId }) => sourceId);
    const externals = await externalsOf(this.input, kind, soundIds);
    const stored = await open.stored([...new Set([...externals.values()].map(({ record }) => record))]);
    if (kind === 'student') {
      const unknown = sound.flatMap(({ sourceId }) => (externals.has(sourceId) ? [] : [sourceId]));
      const erased = await erasedSourceIds(this.input.db, this.input.upload.source_id, unknown);
      for (const { sourceId, errors } of sound) if (erased.has(sourceId)) errors.source_id = [importMessages.erased];
    }
    const strangers = sound.filter(({ sourceId }) => !externals.has(sourceId));
    const defaults = await this.defaultsOf(owner);
    const unknown = strangers.map(({ named }) => ({ ...defaults, ...named }));
    const meant = unknown.length === 0 ? [] : await open.findMatch(unknown);
    const proposals = new Map(strangers.map(({ row }, at) => [row.id, meant[at]]));
    const proposed = meant.flatMap((one) => (one ? [one.record] : []));
    for (const [record, one] of await open.stored([...new Set(proposed)])) stored.set(record, one);

    const plans = rows.map((one) => {
      const external = externals.get(one.sourceId);
      const proposal = proposals.get(one.row.id);
      const choice = this.matchOf(one.row);
      const meantRecord = proposal && stored.get(proposal.record);
      const changesShared =
        owner.isShared === true && meantRecord !== undefined && !isUnchanged(meantRecord.fields, one.named);
      const isSure = proposal?.isSure === true && !changesShared;
      const isMeant = proposal !== undefined && (isSure || choice === 'same');
      const isOpen = proposal !== undefined && !isSure && choice === undefined;
      const record = external?.record ?? (isMeant ? proposal.record : undefined);
      const there = record === undefined ? undefined : stored.get(record);
      return {
        ...one,
        named: { ...this.unsaid(owner, { external, there }), ...one.named },
        external,
        there,
        isOpen,
        proposal,
        record: there ? record : undefined,
        lost: record !== undefined && !there,
      };
    });
    // A record that the source knows but the user does not see belongs to another school; if the user sees all schools,
    // it was deleted.
    for (const plan of plans)
      if (plan.lost && !this.input.importer.everySchool) plan.errors.source_id = [importMessages.notYours];
    const taken = new Set<string>();
    for (const { record, errors } of plans) {
      if (record === undefined) continue;
      if (taken.has(record)) errors.source_id = [importMessages.taken];
      taken.add(record);
    }
    // Rows with an undecided match are validated once it is decided.
    const checked = plans.filter(
      ({ errors, isOpen, named, there }) =>
        // Unchanged rows need no validation.
        !isOpen && Object.keys(errors).length === 0 && !(there && isUnchanged(there.fields, named)),
    );
    const wanted = checked.map(({ named, there, record }): WantedRecord => {
      const fields = { ...defaults, ...there?.fields, ...named };
      return { record, fields, before: there?.fields };
    });
    const answers = await open.diff(wanted);
    const answerOf = new Map(checked.map(({ row }, at) => [row.id, answers[at]]));
    const alike = (await open.similar?.(wanted)) ?? [];
    const similarOf = new Map(checked.map(({ row }, at) => [row.id, alike[at] ?? '']));
    const uploadTake = this.input.upload.choices.take ?? [];
    return plans.map((plan): RowDiff => {
      const answer = answerOf.get(plan.row.id);
      const wrong: FieldErrors = { ...plan.errors, ...(answer && 'errors' in answer ? answer.errors : {}) };
      const fields =
        answer && 'fields' in answer ? answer.fields : { ...defaults, ...plan.there?.fields, ...plan.named };
      for (const [field, message] of Object.entries(owner.fixed ?? {}))
        if (plan.there && field in plan.named && plan.there.fields[field] !== fields[field]) wrong[field] = [message];
      const label = this.references.labelOf(owner, plan.row, fields).slice(0, labelLength);
      const diff = planRow(kind, owner, { ...plan, label, wish: fields, wrong }, uploadTake);
      const isTaken = diff.verdict === 'new' || diff.verdict === 'changed';
      return isTaken && diff.effect === '' ? { ...diff, effect: similarOf.get(plan.row.id) ?? '' } : diff;
    });
  }

  /** The row's own choice, or else the choice for the whole upload. */
  private readonly matchOf = ({ choice }: StagedRow) => choice.match ?? this.input.upload.choices.match;

  /**
   * Resets fields that the source named before and no longer names. Also used for a record that ended as planned and
   * returns.
   */
  private unsaid(
    owner: Importer,
    { external, there }: { external: ExternalRecord | undefined; there: StoredRecord | undefined },
  ): Fields {
    if (this.input.upload.mode !== 'bulk' && there?.isGoneAsPlanned !== true) return {};
    return Object.fromEntries(
      Object.entries(owner.resetWhenOmitted ?? {}).filter(
        ([name, value]) => (external?.fields[name] ?? value) !== value,
      ),
    );
  }

  /** Default values of a kind. A record without a school gets the user's school if there is only one. */
  private async defaultsOf(owner: Importer): Promise<Fields> {
    if (owner.refers.school_id !== 'school') return owner.defaults;
    const { db, importer } = this.input;
    this.onlySchool ??= (async () => {
      const [one, ...others] = await openSchoolsOf(db, viewerOf(importer)).limit(2).execute();
      return others.length === 0 ? one?.id : undefined;
    })();
    const school = await this.onlySchool;
    return school === undefined ? owner.defaults : { ...owner.defaults, school_id: school };
  }
}

/** Key of a row without a source id, unique within the upload. `~` keeps it distinct from real ids. */
const naturalKey = (owner: Importer, fields: Fields): string => {
  const key = owner.naturalKey({ ...owner.defaults, ...fields });
  return key === '' ? '' : `~${key}`;
};
