/** Compares records that leave with the stored ones. */
import type { AddedRecord, Fields, FieldValue, Importer, ImporterSession } from '#server/school/importer.ts';
import type { DiffInput } from './differ.ts';
import { type RowDiff, versionOf } from './row-plan.ts';
import { importMessages } from './rules.ts';
import type { RecordKind, Value } from './source-record.ts';
import { externalsOf, type StagedRow } from './staged-rows.ts';

/** If more records leave than this, the effect of each is not computed. */
const manyLeaving = 200;

/** Returns the fields that hold plain values, not references. */
const plainOf = (fields: Record<string, Value>, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name): [string, FieldValue][] => {
      const value = fields[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );

/** Returns what leaving would do to each record. Leaves out ended records that the upload does not name. */
export async function diffLeavingRows(
  input: DiffInput,
  kind: RecordKind,
  rows: readonly StagedRow[],
  {
    owner,
    open,
    named,
    isPermitted,
  }: {
    owner: Importer;
    open: ImporterSession;
    /** Record ids that the upload names. */
    named: ReadonlySet<string> | undefined;
    isPermitted: boolean;
  },
): Promise<RowDiff[]> {
  const externals = await externalsOf(
    input,
    kind,
    rows.map(({ source_id }) => source_id),
  );
  const stored = await open.stored([...externals.values()].map(({ record }) => record));
  const leaving = rows.map((row) => {
    const external = externals.get(row.source_id);
    return { row, external, there: external && stored.get(external.record) };
  });
  const ended: AddedRecord[] = leaving.flatMap(({ external, there }) =>
    external && there && !there.isGone ? [{ record: external.record, fields: there.fields }] : [],
  );
  const faults = (await open.endFaults?.(ended)) ?? new Map<string, string>();
  const effects = await open.effects(ended.length > manyLeaving ? [] : ended);
  const labels = await open.labels?.(ended.map(({ record }) => record));
  const over = await open.findEnded?.(ended.map(({ record }) => record));
  return leaving.flatMap(({ row, external, there }): RowDiff[] => {
    const isOver = over?.has(external?.record ?? '') ?? false;
    const isThere = external !== undefined && there !== undefined && !there.isGone && !isOver;
    // A record that has ended already is only reported if the upload names it.
    if (!isThere && row.state === 'absent') return [];
    const record = external?.record ?? '';
    // The record has not left: the upload names it under another id.
    if (row.state === 'absent' && named?.has(record)) return [];
    const fault = faults.get(record) ?? (isPermitted ? '' : importMessages.needs);
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
        seen: there ? versionOf(there) : '',
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
