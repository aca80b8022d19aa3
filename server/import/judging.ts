/**
 * What each row of an upload comes to, held against what is stored: kind by kind, each in the order of its source's ids,
 * whatever the order of the rows was. It writes nothing. A check keeps what it answers; an application asks the same again
 * inside of its transaction, and does it where the answer is still that of the check.
 */
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inTexts } from '#server/platform/db/json-rows.ts';
import { openSchoolsOf } from '#server/school/administered.ts';
import {
  type Fields,
  type FieldValue,
  grouped,
  type ImportContext,
  type ImportedKind,
  type Importer,
  listedIds,
  type MadeRecord,
  type OpenKind,
  type StoredRecord,
  viewerOf,
  type WantedRecord,
} from '#server/school/imported.ts';
import { type Kind, kinds, type Reference, type Value } from './intended.ts';
import type { Owners } from './kinds.ts';
import { recordsNamed, recordsNearlyNamed } from './named.ts';
import { erasedAmong } from './personal.ts';
import { importedTextLimit, importMessages, sourceIdLimit, type Verdict } from './rules.ts';

/** Characters of a row's label. */
const labelLength = 200;

/** Rows that are judged at a time: one statement of each sort for so many. */
export const batch = 1000;

export interface Judging {
  db: Database;
  importer: Importer;
  now: number;
  timezone: string;
  owners: Owners;
  upload: {
    id: number;
    source_id: number;
    mode: 'bulk' | 'delta';
    kinds: readonly Kind[];
    choices: UploadChoices;
    /** Form of an import that the product wrote; '' of uploads. */
    plan: string;
  };
}

/** What was chosen for all rows: whether those that are probably meant are, and of which fields the source's word goes. */
export interface UploadChoices {
  match?: 'same' | 'new';
  /** `kind.field`, or `*` for all. */
  take?: string[];
}

/** The same of one row. */
export interface RowChoice {
  match?: 'same' | 'new';
  take?: string[];
}

export interface StagedRow {
  id: number;
  kind: Kind;
  source_id: string;
  state: 'active' | 'gone' | 'absent';
  file: string;
  place: number;
  fields: Record<string, Value>;
  choice: RowChoice;
  /** What a check has said of it. */
  said: { verdict: string; record: string; seen: string; after: string };
}

export interface External {
  record: string;
  state: 'active' | 'gone';
  fields: Fields;
}

export type Reasons = readonly { field: string; message: string }[];
export type Conflicts = Record<string, { theirs: FieldValue; source: FieldValue }>;

/** What is done with a record, where anything is. */
export type Act = 'add' | 'change' | 'come back' | 'end' | 'none';

export interface JudgedRow {
  row: StagedRow;
  /** The source's id, or what stands for one. */
  sourceId: string;
  verdict: Verdict;
  /** '' of a new one. */
  record: string;
  label: string;
  before: Fields;
  after: Fields;
  conflicts: Conflicts;
  reasons: Reasons;
  effect: string;
  seen: string;
  act: Act;
  /** Whether it changes as well, of one that comes back. */
  changes: boolean;
  /** Whole, as it will be. */
  fields: Fields;
  stored: StoredRecord | undefined;
  external: External | undefined;
  /** What the source is known to say afterwards; undefined: nothing else than before. */
  base: Fields | undefined;
}

/** What other rows refer to: a record, or why it cannot be referred to. */
type Known = { record: string; label: string; near?: string } | { fault: string };

export class Judge {
  private readonly judging: Judging;
  private readonly known = new Map<Kind, Map<string, Known>>();
  private readonly ahead = new Map<string, Map<string, Fields>>();
  private readonly opened = new Map<Kind, OpenKind>();
  /** Records that are named, and those that end. */
  private readonly present = new Map<Kind, Set<string>>();
  private readonly ending = new Map<Kind, Set<string>>();
  private onlySchool: Promise<number | undefined> | undefined;
  /** What stands for the ids of rows that have none. */
  private readonly naturals = new Map<Kind, Set<string>>();

  constructor(judging: Judging) {
    this.judging = judging;
  }

  private get context(): ImportContext {
    const { db, importer, now, timezone } = this.judging;
    return {
      db,
      importer,
      now,
      timezone,
      foreseen: (kind, record) => this.ahead.get(kind)?.get(record),
      isEnding: (kind, record) => this.ending.get(kind as Kind)?.has(record) ?? false,
    };
  }

  ownerOf(kind: Kind): ImportedKind {
    return this.judging.owners.get(kind) as ImportedKind;
  }

  /** A roll-over is one act of teaching, with the memberships that it ends and makes. */
  private isPermitted({ needs }: ImportedKind): boolean {
    const { importer, upload } = this.judging;
    return importer.permissions.includes(upload.plan === '' ? needs : 'teaching');
  }

  async opening(kind: Kind): Promise<OpenKind> {
    const known = this.opened.get(kind) ?? (await this.ownerOf(kind).open(this.context));
    this.opened.set(kind, known);
    return known;
  }

  /** What is named, batch by batch. Whoever is given a batch says of new ones which records they became. */
  async *named(): AsyncGenerator<{ kind: Kind; rows: JudgedRow[] }> {
    for (const kind of this.kindsInOrder()) {
      const twice = await this.namedTwice(kind);
      const isWithin = Object.values(this.ownerOf(kind).refers).flat().includes(kind);
      for await (const staged of isWithin ? this.inWaves(kind) : this.staged(kind, 'active')) {
        const rows = await this.judge(kind, staged, twice);
        yield { kind, rows };
        for (const row of rows) this.remember(kind, row);
      }
    }
  }

  /** Of a kind that refers to itself, first what refers to none of the rest. */
  private async *inWaves(kind: Kind): AsyncGenerator<StagedRow[]> {
    let rest: StagedRow[] = [];
    for await (const rows of this.staged(kind, 'active')) rest.push(...rows);
    while (rest.length > 0) {
      const waiting = new Set(rest.map(({ source_id }) => source_id));
      const waits = ({ fields, source_id }: StagedRow) =>
        Object.values(fields).some(
          (value) =>
            isReference(value) && value.kind === kind && value.sourceId !== source_id && waiting.has(value.sourceId),
        );
      const ready = rest.filter((row) => !waits(row));
      // What refers in a circle refers to nothing.
      const wave = ready.length > 0 ? ready : rest;
      for (let from = 0; from < wave.length; from += batch) yield wave.slice(from, from + batch);
      const done = new Set(wave);
      rest = rest.filter((row) => !done.has(row));
    }
  }

  /** What leaves, batch by batch; what refers to others goes before these. */
  async *leaving(): AsyncGenerator<{ kind: Kind; rows: JudgedRow[] }> {
    for (const kind of this.kindsInOrder().toReversed()) {
      for await (const staged of this.staged(kind, 'gone')) yield await this.ended(kind, staged);
      if (!this.judging.upload.kinds.includes(kind)) continue;
      if (this.judging.upload.mode !== 'bulk' || !this.ownerOf(kind).leaves) continue;
      for await (const absent of this.absent(kind)) yield await this.ended(kind, absent);
    }
  }

  private async ended(kind: Kind, staged: readonly StagedRow[]): Promise<{ kind: Kind; rows: JudgedRow[] }> {
    const rows = await this.judgeGone(kind, staged);
    const own = this.ending.get(kind) ?? new Set<string>();
    this.ending.set(kind, own);
    for (const { act, record } of rows) if (act === 'end') own.add(record);
    return { kind, rows };
  }

  /** A new record got its id, or will be known by the number of its row until then. */
  private remember(kind: Kind, row: JudgedRow): void {
    const { sourceId, verdict, label, reasons } = row;
    const present = this.present.get(kind) ?? new Set<string>();
    this.present.set(kind, present);
    if (row.record !== '') present.add(row.record);
    const own = this.known.get(kind) ?? new Map<string, Known>();
    this.known.set(kind, own);
    if (row.row.source_id === '') return;
    if (verdict === 'refused') {
      own.set(sourceId, {
        fault: importMessages.refusedReference(kind, label || sourceId || reasons[0]?.message || ''),
      });
    } else if (verdict === 'match') {
      own.set(sourceId, { fault: importMessages.undecidedReference(kind, label) });
    } else {
      own.set(sourceId, { record: row.record || `-${row.row.id}`, label });
    }
  }

  /** Called with the record's id, before what refers to it is judged. */
  foresee(kind: Kind, row: JudgedRow): void {
    const owner = this.ownerOf(kind);
    if (!owner.facts || row.act === 'none') return;
    const own = this.ahead.get(kind) ?? new Map<string, Fields>();
    this.ahead.set(kind, own);
    const isGone = row.act === 'change' && (row.stored?.isGone ?? false);
    const key = owner.isBetween ? owner.naturalKey(row.fields) : row.record || `-${row.row.id}`;
    own.set(key, owner.facts(row.fields, isGone));
    const parent = row.fields.parent_id;
    // What stands above another is no longer taken by itself.
    if (kind === 'course' && typeof parent === 'number') {
      const above = own.get(String(parent));
      own.set(String(parent), { title: '', is_away: 0, ...above, is_parent: 1 });
    }
  }

  private kindsInOrder(): Kind[] {
    return kinds.filter((kind) => this.judging.owners.has(kind));
  }

  // ---- rows as they are kept ----------------------------------------------------------------------

  private async *staged(kind: Kind, state: 'active' | 'gone'): AsyncGenerator<StagedRow[]> {
    const { db, upload } = this.judging;
    let after = { source_id: '', id: 0 };
    for (;;) {
      const { source_id, id } = after;
      const rows = await db
        .selectFrom('import_row')
        .select(['id', 'source_id', 'state', 'file', 'place', 'fields', 'choice'])
        .select(['verdict', 'record', 'seen', 'after'])
        .where('import_id', '=', upload.id)
        .where('kind', '=', kind)
        .where((eb) => eb(eb.refTuple('source_id', 'id'), '>', eb.tuple(source_id, id)))
        .where('state', '=', state)
        .orderBy('source_id')
        .orderBy('id')
        .limit(batch)
        .execute();
      if (rows.length > 0)
        yield rows.map(({ verdict, record, seen, after: later, ...row }) => ({
          ...row,
          kind,
          fields: read(row.fields),
          choice: read(row.choice),
          said: { verdict, record, seen, after: later },
        }));
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = last;
    }
  }

  /** Records that the source has named until now, and names no longer. */
  private async *absent(kind: Kind): AsyncGenerator<StagedRow[]> {
    const { db, upload } = this.judging;
    const { rows: gone } = await sql<{ sourced_id: string }>`
      select sourced_id from external_id
        where source_id = ${upload.source_id} and kind = ${kind} and state = 'active'
      except
      select source_id from import_row where import_id = ${upload.id} and kind = ${kind} and state <> 'absent'
      order by sourced_id`.execute(db);
    const left = gone.map(({ sourced_id }) => sourced_id).filter((sourceId) => !this.naturals.get(kind)?.has(sourceId));
    for (let from = 0; from < left.length; from += batch) {
      const ids = left.slice(from, from + batch);
      const told = await db
        .selectFrom('import_row')
        .select(['source_id', 'id', 'verdict', 'record', 'seen'])
        .where('import_id', '=', upload.id)
        .where('kind', '=', kind)
        .where('state', '=', 'absent')
        .where('source_id', 'in', inTexts(db, ids))
        .execute();
      const known = new Map(told.map((row) => [row.source_id, row]));
      yield ids.map((source_id) => {
        const { id = 0, verdict = '', record = '', seen = '' } = known.get(source_id) ?? {};
        return {
          id,
          kind,
          source_id,
          state: 'absent',
          file: '',
          place: 0,
          fields: {},
          choice: {},
          said: { verdict, record, seen, after: '{}' },
        };
      });
    }
  }

  /** Ids that several rows have, with their places: which of them is meant would be a guess. */
  private async namedTwice(kind: Kind): Promise<Map<string, string[]>> {
    const { db, upload } = this.judging;
    const named = () =>
      db
        .selectFrom('import_row')
        .where('import_row.import_id', '=', upload.id)
        .where('import_row.kind', '=', kind)
        .where('import_row.state', '!=', 'absent');
    const twice = await named()
      .select('import_row.source_id')
      .where('import_row.source_id', '!=', '')
      .groupBy('import_row.source_id')
      .having((one) => one.fn.countAll(), '>', 1)
      .execute();
    if (twice.length === 0) return new Map();
    const ids = inTexts(
      db,
      twice.map(({ source_id }) => source_id),
    );
    const rows = await named()
      .select(['import_row.source_id', 'import_row.file', 'import_row.place'])
      .where('import_row.source_id', 'in', ids)
      .orderBy('import_row.file')
      .orderBy('import_row.place')
      .execute();
    return new Map(
      [...grouped(rows, ({ source_id }) => source_id)].map(([id, all]) => [
        id,
        all.map(({ file, place }) => `${file} 第${place}行`),
      ]),
    );
  }

  /** As which records a source knows these. */
  private async externals(kind: Kind, sourceIds: readonly string[]): Promise<Map<string, External>> {
    const { db, upload } = this.judging;
    if (sourceIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('external_id')
      .select(['sourced_id', 'record', 'state', 'fields'])
      .where('source_id', '=', upload.source_id)
      .where('kind', '=', kind)
      .where('sourced_id', 'in', inTexts(db, sourceIds))
      .execute();
    return new Map(rows.map(({ sourced_id, ...row }) => [sourced_id, { ...row, fields: read(row.fields) }]));
  }

  // ---- what is named ------------------------------------------------------------------------------

  private async judge(
    kind: Kind,
    staged: readonly StagedRow[],
    twice: ReadonlyMap<string, readonly string[]>,
  ): Promise<JudgedRow[]> {
    const owner = this.ownerOf(kind);
    const open = await this.opening(kind);
    await this.lookUp(kind, owner, staged);
    const rows = staged.map((row) => {
      const { fields, errors, near } = this.resolve(owner, row);
      const key = row.source_id || naturalKey(owner, fields);
      const places = row.source_id === '' ? undefined : twice.get(row.source_id);
      if (places) errors.source_id = [importMessages.twice(places)];
      else if (key === '') errors.source_id = [importMessages.noKey];
      if (row.source_id === '' && key !== '') {
        const own = this.naturals.get(kind) ?? new Set<string>();
        this.naturals.set(kind, own);
        if (own.has(key)) errors.source_id = [importMessages.taken];
        own.add(key);
      }
      if (!this.isPermitted(owner)) errors.source_id = [importMessages.needs];
      return { row, named: fields, sourceId: key, errors, near };
    });
    const sound = rows.filter(({ errors }) => Object.keys(errors).length === 0);
    const externals = await this.externals(
      kind,
      sound.map(({ sourceId }) => sourceId),
    );
    const stored = await open.stored([...new Set([...externals.values()].map(({ record }) => record))]);
    if (kind === 'student') {
      const unknown = sound.flatMap(({ sourceId }) => (externals.has(sourceId) ? [] : [sourceId]));
      const erased = await erasedAmong(this.judging.db, this.judging.upload.source_id, unknown);
      for (const { sourceId, errors } of sound) if (erased.has(sourceId)) errors.source_id = [importMessages.erased];
    }
    const strangers = sound.filter(({ sourceId }) => !externals.has(sourceId));
    const defaults = await this.defaultsOf(owner);
    const unknown = strangers.map(({ named }) => ({ ...defaults, ...named }));
    const meant = unknown.length === 0 ? [] : await open.meant(unknown);
    const proposals = new Map(strangers.map(({ row }, at) => [row.id, meant[at]]));
    const proposed = meant.flatMap((one) => (one ? [one.record] : []));
    for (const [record, one] of await open.stored([...new Set(proposed)])) stored.set(record, one);

    const plans = rows.map((one) => {
      const external = externals.get(one.sourceId);
      const proposal = proposals.get(one.row.id);
      const choice = one.row.choice.match ?? this.judging.upload.choices.match;
      const meantRecord = proposal && stored.get(proposal.record);
      const changesShared =
        owner.isShared === true && meantRecord !== undefined && !isAs(meantRecord.fields, one.named);
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
    // A record of which nothing is seen is another school's, unless all schools are: then it is gone.
    for (const plan of plans)
      if (plan.lost && !this.judging.importer.everySchool) plan.errors.source_id = [importMessages.notYours];
    const taken = new Set<string>();
    for (const { record, errors } of plans) {
      if (record === undefined) continue;
      if (taken.has(record)) errors.source_id = [importMessages.taken];
      taken.add(record);
    }
    // Of somebody who is probably meant nothing is said before that is decided.
    const judged = plans.filter(
      ({ errors, isOpen, named, there }) =>
        // Nor of what is already as the source has it.
        !isOpen && Object.keys(errors).length === 0 && !(there && isAs(there.fields, named)),
    );
    const wanted = judged.map(({ named, there, record }): WantedRecord => {
      const fields = { ...defaults, ...there?.fields, ...named };
      return { record, fields, before: there?.fields };
    });
    const answers = await open.judge(wanted);
    const answerOf = new Map(judged.map(({ row }, at) => [row.id, answers[at]]));
    const alike = (await open.alike?.(wanted)) ?? [];
    const alikeOf = new Map(judged.map(({ row }, at) => [row.id, alike[at] ?? '']));
    return plans.map((plan): JudgedRow => {
      const answer = answerOf.get(plan.row.id);
      const wrong: FieldErrors = { ...plan.errors, ...(answer && 'errors' in answer ? answer.errors : {}) };
      const fields =
        answer && 'fields' in answer ? answer.fields : { ...defaults, ...plan.there?.fields, ...plan.named };
      for (const [field, message] of Object.entries(owner.fixed ?? {}))
        if (plan.there && field in plan.named && plan.there.fields[field] !== fields[field]) wrong[field] = [message];
      const judgedRow = this.verdict(kind, owner, { ...plan, wish: fields, wrong });
      const isTaken = judgedRow.verdict === 'new' || judgedRow.verdict === 'changed';
      return isTaken && judgedRow.effect === '' ? { ...judgedRow, effect: alikeOf.get(plan.row.id) ?? '' } : judgedRow;
    });
  }

  /** What the source said of a record, and says no longer; of one that ended as it said nothing of that goes on. */
  private unsaid(
    owner: ImportedKind,
    { external, there }: { external: External | undefined; there: StoredRecord | undefined },
  ): Fields {
    if (this.judging.upload.mode !== 'bulk' && there?.isGoneAsSaid !== true) return {};
    return Object.fromEntries(
      Object.entries(owner.untilUnsaid ?? {}).filter(([name, value]) => (external?.fields[name] ?? value) !== value),
    );
  }

  private verdict(
    kind: Kind,
    owner: ImportedKind,
    {
      row,
      sourceId,
      named,
      external,
      there,
      record,
      isOpen,
      proposal,
      near,
      wish,
      wrong,
    }: {
      row: StagedRow;
      sourceId: string;
      named: Fields;
      external: External | undefined;
      there: StoredRecord | undefined;
      record: string | undefined;
      isOpen: boolean;
      proposal: { record: string; isSure: boolean } | undefined;
      near: string;
      wish: Fields;
      wrong: FieldErrors;
    },
  ): JudgedRow {
    const label = this.labelOf(owner, row, wish).slice(0, labelLength);
    const common = {
      row,
      sourceId,
      label,
      effect: '',
      seen: there ? markOf(there) : '',
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
    } satisfies Partial<JudgedRow>;
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
    const take = new Set([...(row.choice.take ?? []), ...(this.judging.upload.choices.take ?? [])]);
    const takes = (field: string) => take.has('*') || take.has(field) || take.has(`${kind}.${field}`);
    if (!there) {
      // A person took away what the source still names.
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
    const isAwayByHand = isAway && external?.state === 'active' && there.isGoneAsSaid !== true;
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
    const saysMore = !external || !same(base, former) || (comesBack && external.state === 'gone');
    return {
      ...common,
      verdict: isOpenConflict ? 'conflict' : comesBack ? 'returns' : changed.length > 0 ? 'changed' : 'unchanged',
      act: comesBack ? 'come back' : changed.length > 0 ? 'change' : 'none',
      changes: changed.length > 0,
      before: pick(there.fields, changed),
      after: pick(wish, changed),
      conflicts,
      fields,
      base: saysMore ? base : undefined,
    };
  }

  /** What is of no school by its source is of the one that the importer looks after, where that is one. */
  private async defaultsOf(owner: ImportedKind): Promise<Fields> {
    if (owner.refers.school_id !== 'school') return owner.defaults;
    const { db, importer } = this.judging;
    this.onlySchool ??= (async () => {
      const [one, ...others] = await openSchoolsOf(db, viewerOf(importer)).limit(2).execute();
      return others.length === 0 ? one?.id : undefined;
    })();
    const school = await this.onlySchool;
    return school === undefined ? owner.defaults : { ...owner.defaults, school_id: school };
  }

  /** Looks up what the rows refer to and this upload does not name. */
  private async lookUp(kind: Kind, owner: ImportedKind, staged: readonly StagedRow[]): Promise<void> {
    const others = [...Object.values(owner.refers).flat(), ...Object.values(owner.refersToMany ?? {})];
    for (const referred of new Set(others) as Set<Kind>) {
      const own = this.known.get(referred) ?? new Map<string, Known>();
      this.known.set(referred, own);
      const { upload, db, importer } = this.judging;
      const sought = new Map<string, string | undefined>();
      for (const { fields } of staged)
        for (const value of Object.values(fields).flatMap(referencesIn))
          if (value.kind === referred && !own.has(value.sourceId)) sought.set(value.sourceId, value.name);
      // Where all that there is of a kind is named, what is not named is gone.
      const isWhole = upload.mode === 'bulk' && upload.kinds.includes(referred) && referred !== kind;
      const found = isWhole ? new Map<string, External>() : await this.externals(referred, [...sought.keys()]);
      for (const [id, { record, state }] of found)
        if (state === 'active') own.set(id, { record, label: sought.get(id) ?? '' });
      const names = [...sought].flatMap(([id, name]) => (name === undefined || own.has(id) ? [] : [name]));
      const named = await recordsNamed(db, viewerOf(importer), referred, names);
      for (const [id, name] of sought) {
        const record = name === undefined ? undefined : named.get(name);
        if (name !== undefined && record !== undefined && !own.has(id)) own.set(id, { record, label: name });
      }
    }
    await this.lookUpOtherwise(owner, staged);
    await this.lookUpNearly(owner, staged);
  }

  /** What is named, and may be of one of several kinds, is of whichever has it. */
  private async lookUpOtherwise(owner: ImportedKind, staged: readonly StagedRow[]): Promise<void> {
    const { db, importer } = this.judging;
    for (const [field, several] of Object.entries(owner.refers)) {
      if (typeof several === 'string') continue;
      for (const kind of several as Kind[]) {
        const left = staged.flatMap(({ fields }) => {
          const value = fields[field];
          const isOpen = value !== undefined && isReference(value) && value.name !== undefined;
          return isOpen && !this.known.get(value.kind)?.has(value.sourceId) ? [value] : [];
        });
        const otherwise = left.filter((value) => value.kind !== kind);
        const found = await this.externals(
          kind,
          otherwise.map(({ sourceId }) => sourceId),
        );
        const named = await recordsNamed(
          db,
          viewerOf(importer),
          kind,
          otherwise.flatMap(({ name }) => name ?? []),
        );
        for (const { kind: said, sourceId, name } of otherwise) {
          const own = this.known.get(said) ?? new Map<string, Known>();
          this.known.set(said, own);
          const external = found.get(sourceId);
          const record = external?.state === 'active' ? external.record : named.get(name ?? '');
          if (record !== undefined) own.set(sourceId, { record, label: name ?? '' });
        }
      }
    }
  }

  /** Offers records with nearly the written name; a person confirms them. */
  private async lookUpNearly(owner: ImportedKind, staged: readonly StagedRow[]): Promise<void> {
    const { db, importer } = this.judging;
    for (const [field, referred] of Object.entries(owner.refers)) {
      const left = staged.flatMap(({ fields }) => {
        const value = fields[field];
        const isOpen = value !== undefined && isReference(value) && value.name !== undefined;
        return isOpen && !this.known.get(value.kind)?.has(value.sourceId) ? [value] : [];
      });
      if (left.length === 0) continue;
      const names = [...new Set(left.flatMap(({ name }) => name ?? []))];
      for (const kind of [referred].flat() as Kind[]) {
        const near = await recordsNearlyNamed(db, viewerOf(importer), kind, names);
        for (const { kind: said, sourceId, name = '' } of left) {
          const one = near.get(name);
          const own = this.known.get(said) ?? new Map<string, Known>();
          this.known.set(said, own);
          if (one && !own.has(sourceId)) {
            own.set(sourceId, { record: one.record, label: name, near: importMessages.near(kind, name, one.name) });
          }
        }
      }
    }
  }

  /** The record that a reference leads to, or why it leads to none. */
  private follow(value: Value, referred: readonly string[]): { record: number; near?: string } | { fault: string } {
    const [first = ''] = referred;
    if (!isReference(value) || !referred.includes(value.kind)) return { fault: importMessages.notAReference(first) };
    const found = this.known.get(value.kind)?.get(value.sourceId);
    if (!found) return { fault: importMessages.missingReference(value.kind, value.sourceId) };
    return 'fault' in found
      ? found
      : { record: Number(found.record), ...(found.near !== undefined && { near: found.near }) };
  }

  /** The fields as values, where others are named by their ids. */
  private resolve(owner: ImportedKind, row: StagedRow) {
    const { fields, source_id } = row;
    const resolved: Record<string, FieldValue> = {};
    const errors: FieldErrors = {};
    const near: string[] = [];
    const choice = row.choice.match ?? this.judging.upload.choices.match;
    if (source_id.length > sourceIdLimit) errors.source_id = [importMessages.text];
    for (const [name, value] of Object.entries(fields)) {
      const referred = owner.refers[name];
      const many = owner.refersToMany?.[name];
      if (many !== undefined) {
        const found = (Array.isArray(value) ? value : value === null ? [] : [value]).map((one) =>
          this.follow(one, [many]),
        );
        const faults = found.flatMap((one) => ('fault' in one ? [one.fault] : []));
        if (faults.length > 0) errors[name] = [...new Set(faults)];
        else resolved[name] = listedIds([...new Set(found.flatMap((one) => ('record' in one ? [one.record] : [])))]);
      } else if (referred !== undefined) {
        const found = value === null ? undefined : this.follow(value, [referred].flat());
        if (!found) resolved[name] = owner.defaults[name] ?? null;
        else if ('fault' in found) errors[name] = [found.fault];
        else if (found.near !== undefined && choice === 'new' && isReference(value)) {
          errors[name] = [importMessages.missingReference(value.kind, value.sourceId)];
        } else {
          resolved[name] = found.record;
          if (found.near !== undefined && choice === undefined) near.push(found.near);
        }
      } else if (owner.ignored?.includes(name)) continue;
      else if (!owner.scalars.includes(name)) errors[name] = [importMessages.unknownField];
      else if (isTexts(value)) resolved[name] = value.join(',');
      else if (value === null) resolved[name] = owner.defaults[name] ?? null;
      else if (typeof value === 'boolean') resolved[name] = value ? 1 : 0;
      else if (typeof value === 'string' && value.length > importedTextLimit) errors[name] = [importMessages.text];
      else if (typeof value === 'object') errors[name] = [importMessages.unknownField];
      else resolved[name] = value;
    }
    return { fields: resolved as Fields, errors, near: near.join('；') };
  }

  private labelOf(owner: ImportedKind, { fields, source_id }: StagedRow, wish: Fields): string {
    if (owner.labelOf) return owner.labelOf(wish) || source_id;
    const labelled = owner.labelled?.map((name) => fields[name] ?? wish[name] ?? '');
    const names = (labelled ?? Object.values(fields)).flatMap((value) => {
      if (!isReference(value)) return labelled && value !== null ? [String(value)] : [];
      const found = this.known.get(value.kind)?.get(value.sourceId);
      return [found && 'label' in found && found.label !== '' ? found.label : value.sourceId];
    });
    return names.join(' ');
  }

  // ---- what leaves --------------------------------------------------------------------------------

  private async judgeGone(kind: Kind, rows: readonly StagedRow[]): Promise<JudgedRow[]> {
    const owner = this.ownerOf(kind);
    const open = await this.opening(kind);
    const externals = await this.externals(
      kind,
      rows.map(({ source_id }) => source_id),
    );
    const stored = await open.stored([...externals.values()].map(({ record }) => record));
    const leaving = rows.map((row) => {
      const external = externals.get(row.source_id);
      return { row, external, there: external && stored.get(external.record) };
    });
    const ended: MadeRecord[] = leaving.flatMap(({ external, there }) =>
      external && there && !there.isGone ? [{ record: external.record, fields: there.fields }] : [],
    );
    const faults = (await open.endFaults?.(ended)) ?? new Map<string, string>();
    const effects = await open.effects(ended.length > manyLeaving ? [] : ended);
    const labels = await open.labels?.(ended.map(({ record }) => record));
    const over = await open.over?.(ended.map(({ record }) => record));
    return leaving.flatMap(({ row, external, there }): JudgedRow[] => {
      const isOver = over?.has(external?.record ?? '') ?? false;
      const isThere = external !== undefined && there !== undefined && !there.isGone && !isOver;
      // Who is gone already does not leave; of those that the upload names that is said.
      if (!isThere && row.state === 'absent') return [];
      const record = external?.record ?? '';
      // What the upload names under another id stays.
      if (row.state === 'absent' && this.present.get(kind)?.has(record)) return [];
      const fault = faults.get(record) ?? (this.isPermitted(owner) ? '' : importMessages.needs);
      const verdict = !isThere ? 'unchanged' : fault ? 'refused' : 'leaves';
      return [
        {
          row,
          sourceId: row.source_id,
          verdict,
          record,
          label: there ? labels?.get(record) || owner.labelOf?.(there.fields) || row.source_id : row.source_id,
          before: {},
          after: {},
          conflicts: {},
          reasons: fault ? [{ field: '', message: fault }] : [],
          effect: effects.get(record) ?? '',
          seen: there ? markOf(there) : '',
          act: verdict === 'leaves' ? 'end' : 'none',
          changes: false,
          fields: { ...there?.fields, ...plainOf(row.fields, owner.atEnd ?? []) },
          stored: there,
          external,
          base: undefined,
        },
      ];
    });
  }
}

/** Of more than these, what each of them leaves is not looked up one by one. */
const manyLeaving = 200;

/** Those of the fields that are written, and no records. */
const plainOf = (fields: Record<string, Value>, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name): [string, FieldValue][] => {
      const value = fields[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );

const isReference = (value: Value): value is Reference =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const referencesIn = (value: Value): Reference[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is Reference => isReference(one));

const isTexts = (value: Value): value is string[] =>
  Array.isArray(value) && value.every((one: unknown) => typeof one === 'string');

const read = <T>(text: string): T => JSON.parse(text) as T;

/** Instead of an id that a source has: what nobody else of it has. */
const naturalKey = (owner: ImportedKind, fields: Fields): string => {
  const key = owner.naturalKey({ ...owner.defaults, ...fields });
  return key === '' ? '' : `~${key}`;
};

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

const isAs = (stored: Fields, named: Fields): boolean =>
  Object.entries(named).every(([name, value]) => !(name in stored) || stored[name] === value);

const same = (one: Fields, other: Fields): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => (one[name] ?? null) === (other[name] ?? null));
};

/** Of what was read of a record: it changes when that does. */
const markOf = (stored: StoredRecord): string =>
  hash('sha1', JSON.stringify([stored.fields, stored.isGone]), 'base64url').slice(0, 12);
