/** The door of the product itself: what it works out for an administrator becomes an import like any other. */

import type { Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { keepExternals } from './apply.ts';
import { importMessages } from './rules.ts';
import type { Source } from './source.ts';
import { type Kind, kinds, type Reference, type Remark, type SourceRecord } from './source-record.ts';
import { type Asked, hashOf, keepAndCheck, type Made } from './store-upload.ts';

/** A record that is there, as the product's own imports name it. */
export const ownId = (kind: Kind, id: number): string => `${kind}-${id}`;

/** The same as a reference, with what it is called. */
export const ownReference = (kind: Kind, id: number, name: string): Reference => ({
  kind,
  sourceId: ownId(kind, id),
  name,
});

interface Own {
  /** Of which it is told apart from what others bring. */
  source: Source;
  name: string;
  /** The form, to be taken up again. */
  plan: object;
  intended: readonly SourceRecord[];
  /** Records that are there, which these are about or refer to. */
  known: readonly { kind: Kind; id: number }[];
  /** Stays in classes that are there, and end. */
  members?: readonly { classId: number; studentId: number }[];
  /** To be looked at before it is applied. */
  doubted?: readonly Remark[];
}

/** It names what changes, not all there is. */
export async function keepOwn(context: Asked, own: Own): Promise<Made | Refusal> {
  const { source, name, plan, intended, known, members = [], doubted = [] } = own;
  const spoken = kinds.filter((kind) => intended.some((one) => one.kind === kind));
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
  return keepAndCheck(context, upload, (id) => knowThem(context.db, id, { plan, known, members }));
}

/** Nothing is remembered of what the source has said of them: whatever they say now is nobody's change by hand. */
async function knowThem(
  db: Database,
  importId: number,
  { plan, known, members }: Required<Pick<Own, 'plan' | 'known' | 'members'>>,
): Promise<void> {
  const { source_id } = await db
    .updateTable('import')
    .set({ plan: JSON.stringify(plan) })
    .where('id', '=', importId)
    .returning('source_id')
    .executeTakeFirstOrThrow();
  await keepExternals(
    db,
    { kind: 'membership', sourceId: source_id, importId },
    members.map(({ classId, studentId }) => ({
      sourced_id: `${ownId('class', classId)}/${ownId('student', studentId)}`,
      record: `${classId}:${studentId}`,
      state: 'active',
      fields: {},
    })),
  );
  for (const kind of kinds) {
    const ids = [...new Set(known.filter((one) => one.kind === kind).map(({ id }) => id))];
    await keepExternals(
      db,
      { kind, sourceId: source_id, importId },
      ids.map((id) => ({ sourced_id: ownId(kind, id), record: String(id), state: 'active', fields: {} })),
    );
  }
}
