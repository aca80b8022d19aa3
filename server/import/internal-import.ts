/** Imports that the product generates itself (timetable, year rollover). Users review and apply them like uploads. */

import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { storeExternalIds } from './apply.ts';
import { importMessages } from './rules.ts';
import type { Source } from './source.ts';
import { type RecordKind, type Reference, type Remark, recordKinds, type SourceRecord } from './source-record.ts';
import { hashOf, type ImportRequest, type StartedImport, storeAndCheck } from './store-upload.ts';

/** Id under which such an import names an existing record. */
export const internalId = (kind: RecordKind, id: number): string => `${kind}-${id}`;

export const internalReference = (kind: RecordKind, id: number, name: string): Reference => ({
  kind,
  sourceId: internalId(kind, id),
  name,
});

interface InternalImport {
  /** Source of the import; there is one per feature and school. */
  source: Source;
  name: string;
  /** Data of the form that generated the import, so that it can be opened again. */
  plan: object;
  intended: readonly SourceRecord[];
  /** Existing records that the import changes or refers to. */
  known: readonly { kind: RecordKind; id: number }[];
  /** Existing memberships that the import ends. */
  members?: readonly { classId: number; studentId: number }[];
  /** Warnings that users see before they apply the import. */
  doubted?: readonly Remark[];
}

/** Returns the records that imports of this source have created or named, by external id, without those it ended. */
export async function createdRecords(
  db: Database,
  { name, owner }: Source,
  ofKinds: readonly RecordKind[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('external_id')
    .innerJoin('import_source', 'import_source.id', 'external_id.source_id')
    .select(['external_id.sourced_id', 'external_id.record'])
    .where('import_source.name', '=', name)
    .where('import_source.owner', '=', owner)
    .where('external_id.kind', 'in', ofKinds)
    .where('external_id.state', '=', 'active')
    .execute();
  return new Map(rows.map(({ sourced_id, record }) => [sourced_id, Number(record)]));
}

/** Stores the import as a delta, so that records it does not name stay unchanged. */
export async function storeInternalImport(
  context: ImportRequest,
  own: InternalImport,
): Promise<StartedImport | Refusal> {
  const { source, name, plan, intended, known, members = [], doubted = [] } = own;
  const spoken = recordKinds.filter((kind) => intended.some((one) => one.kind === kind));
  const nothing = { row: 1, file: name, field: '', message: importMessages.nothing };
  const reading = {
    mode: 'delta',
    kinds: spoken,
    intended,
    refused: intended.length === 0 ? [nothing] : [],
    forgiven: [],
    doubted,
  } as const;
  const upload = {
    source,
    fileName: name,
    hash: hashOf(JSON.stringify([plan, intended])),
    reading: { ...reading, kinds: [...spoken], refused: [...reading.refused], forgiven: [], doubted: [...doubted] },
  };
  return storeAndCheck(context, upload, (id) => registerRecords(context.db, id, { plan, known, members }));
}

/**
 * Makes the source know these records, but without earlier values: so its values never conflict with changes by hand.
 */
async function registerRecords(
  db: Database,
  importId: number,
  { plan, known, members }: Required<Pick<InternalImport, 'plan' | 'known' | 'members'>>,
): Promise<void> {
  const { source_id } = await db
    .updateTable('import')
    .set({ plan: JSON.stringify(plan) })
    .where('id', '=', importId)
    .returning('source_id')
    .executeTakeFirstOrThrow();
  await storeExternalIds(
    db,
    { kind: 'membership', sourceId: source_id, importId },
    members.map(({ classId, studentId }) => ({
      sourced_id: `${internalId('class', classId)}/${internalId('student', studentId)}`,
      record: `${classId}:${studentId}`,
      state: 'active',
      fields: {},
    })),
  );
  for (const kind of recordKinds) {
    const ids = [...new Set(known.filter((one) => one.kind === kind).map(({ id }) => id))];
    await storeExternalIds(
      db,
      { kind, sourceId: source_id, importId },
      ids.map((id) => ({ sourced_id: internalId(kind, id), record: String(id), state: 'active', fields: {} })),
    );
  }
}
