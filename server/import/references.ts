/**
 * Resolves the references of rows: to earlier rows, to records that the source has named before, or to records by name.
 */
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import {
  type Fields,
  type FieldValue,
  type ImportActor,
  type Importer,
  idsToText,
  viewerOf,
} from '#server/school/importer.ts';
import { recordsNamed, recordsNearlyNamed } from './name-lookup.ts';
import { importedTextLimit, importMessages, sourceIdLimit } from './rules.ts';
import { isReference, type RecordKind, type Reference, referencesIn, type Value } from './source-record.ts';
import { externalsOf, type StagedRow } from './staged-rows.ts';

/**
 * The record that a reference means, or why it is refused. `near`: only the name is similar, so a person has to
 * confirm.
 */
type KnownRecord = { record: string; label: string; near?: string } | { fault: string };

interface ReferenceContext {
  db: Database;
  importer: ImportActor;
  now: number;
  upload: { id: number; source_id: number; mode: 'bulk' | 'delta'; kinds: readonly RecordKind[] };
}

export class References {
  private readonly referring: ReferenceContext;
  private readonly known = new Map<RecordKind, Map<string, KnownRecord>>();

  constructor(referring: ReferenceContext) {
    this.referring = referring;
  }

  set(kind: RecordKind, sourceId: string, known: KnownRecord): void {
    this.of(kind).set(sourceId, known);
  }

  private of(kind: RecordKind): Map<string, KnownRecord> {
    return getOrAdd(this.known, kind, () => new Map());
  }

  /** Loads the records that rows refer to and that are not in this upload. */
  async lookUp(kind: RecordKind, owner: Importer, staged: readonly StagedRow[]): Promise<void> {
    const { upload } = this.referring;
    const others = [...Object.values(owner.refers).flat(), ...Object.values(owner.refersToMany ?? {})];
    for (const referred of new Set(others) as Set<RecordKind>) {
      const references = staged
        .flatMap(({ fields }) => Object.values(fields).flatMap(referencesIn))
        .filter((one) => one.kind === referred && !this.of(referred).has(one.sourceId));
      // If a bulk upload covers that kind, records that it does not name are leaving, so nothing may refer to them.
      const isWhole = upload.mode === 'bulk' && upload.kinds.includes(referred) && referred !== kind;
      await this.find(referred, references, { isWhole });
    }
    const fields = [...Object.entries(owner.refers), ...Object.entries(owner.refersToMany ?? {})] as [
      string,
      RecordKind | readonly RecordKind[],
    ][];
    // If a reference may be of several kinds, the first kind that has the record is used.
    for (const [field, several] of fields)
      for (const other of typeof several === 'string' ? [] : several) {
        const left = this.unknownIn(staged, field).filter((one) => one.kind !== other);
        await this.find(other, left);
      }
    for (const [field, referred] of fields) {
      const left = this.unknownIn(staged, field);
      if (left.length > 0) for (const other of [referred].flat()) await this.findNearly(other, left);
    }
  }

  /** Returns the references of a field that are not resolved but have a name. */
  private unknownIn(staged: readonly StagedRow[], field: string): Reference[] {
    return staged
      .flatMap(({ fields }) => referencesIn(fields[field]))
      .filter(({ kind, sourceId, name }) => name !== undefined && !this.of(kind).has(sourceId));
  }

  /** Finds records by source id, or else by a name that only one record has. */
  private async find(kind: RecordKind, references: readonly Reference[], { isWhole = false } = {}): Promise<void> {
    const { db, importer } = this.referring;
    const ids = isWhole ? [] : [...new Set(references.map(({ sourceId }) => sourceId))];
    const found = await externalsOf(this.referring, kind, ids);
    const active = (id: string) => (found.get(id)?.state === 'active' ? found.get(id)?.record : undefined);
    const names = references.flatMap(({ sourceId, name }) =>
      name === undefined || active(sourceId) !== undefined ? [] : [name],
    );
    const viewer = { ...viewerOf(importer), now: this.referring.now };
    const named = await recordsNamed(db, viewer, kind, [...new Set(names)]);
    for (const { kind: said, sourceId, name } of references) {
      const record = active(sourceId) ?? (name === undefined ? undefined : named.get(name));
      if (record === 'several')
        this.set(said, sourceId, { fault: importMessages.severalNamed(kind, name ?? sourceId) });
      else if (record !== undefined) this.set(said, sourceId, { record, label: name ?? '' });
    }
  }

  /** Finds records by similar names. */
  private async findNearly(kind: RecordKind, left: readonly Reference[]): Promise<void> {
    const { db, importer } = this.referring;
    const names = [...new Set(left.flatMap(({ name }) => name ?? []))];
    const viewer = { ...viewerOf(importer), now: this.referring.now };
    const near = await recordsNearlyNamed(db, viewer, kind, names);
    for (const { kind: said, sourceId, name = '' } of left) {
      const one = near.get(name);
      if (!one || this.of(said).has(sourceId)) continue;
      this.set(said, sourceId, {
        record: one.record,
        label: name,
        near: importMessages.near(kind, name, one.name),
      });
    }
  }

  /** Resolves one reference, or says why that is impossible. */
  private follow(value: Value, referred: readonly string[]): { record: number; near?: string } | { fault: string } {
    const [first = ''] = referred;
    if (!isReference(value) || !referred.includes(value.kind)) return { fault: importMessages.notAReference(first) };
    const found = this.of(value.kind).get(value.sourceId);
    if (!found) return { fault: importMessages.missingReference(value.kind, value.sourceId, value.name) };
    return 'fault' in found ? found : { ...found, record: Number(found.record) };
  }

  /** Follows a reference. A similar name is refused or taken by a person's choice, or else noted in `near`. */
  private decide(
    value: Value,
    referred: readonly string[],
    { choice, near }: { choice: 'same' | 'new' | undefined; near: string[] },
  ): { record: number } | { fault: string } {
    const found = this.follow(value, referred);
    if ('fault' in found || found.near === undefined) return found;
    if (choice === 'new' && isReference(value))
      return { fault: importMessages.missingReference(value.kind, value.sourceId, value.name) };
    if (choice === undefined) near.push(found.near);
    return found;
  }

  /** Replaces the references in fields by record ids. `choice`: what a person decided about similar names. */
  resolve(owner: Importer, { fields, source_id }: StagedRow, choice: 'same' | 'new' | undefined) {
    const resolved: Record<string, FieldValue> = {};
    const errors: FieldErrors = {};
    const near: string[] = [];
    if (source_id.length > sourceIdLimit) errors.source_id = [importMessages.text];
    for (const [name, value] of Object.entries(fields)) {
      const referred = owner.refers[name];
      const many = owner.refersToMany?.[name];
      if (many !== undefined) {
        const values: Value[] = Array.isArray(value) ? value : value === null ? [] : [value];
        const found = values.map((one) => this.decide(one, [many], { choice, near }));
        const faults = found.flatMap((one) => ('fault' in one ? [one.fault] : []));
        if (faults.length > 0) errors[name] = [...new Set(faults)];
        else resolved[name] = idsToText([...new Set(found.flatMap((one) => ('record' in one ? [one.record] : [])))]);
      } else if (referred !== undefined) {
        const found = value === null ? undefined : this.decide(value, [referred].flat(), { choice, near });
        if (!found) resolved[name] = owner.defaults[name] ?? null;
        else if ('fault' in found) errors[name] = [found.fault];
        else resolved[name] = found.record;
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

  labelOf(owner: Importer, { fields, source_id }: StagedRow, wish: Fields): string {
    if (owner.labelOf) return owner.labelOf(wish) || source_id;
    const labelled = owner.labelled?.map((name) => fields[name] ?? wish[name] ?? '');
    const names = (labelled ?? Object.values(fields)).flatMap((value) => {
      if (!isReference(value)) return labelled && value !== null ? [String(value)] : [];
      const found = this.of(value.kind).get(value.sourceId);
      return [found && 'label' in found && found.label !== '' ? found.label : value.sourceId];
    });
    return names.join(' ');
  }
}

const isTexts = (value: Value): value is string[] =>
  Array.isArray(value) && value.every((one: unknown) => typeof one === 'string');
