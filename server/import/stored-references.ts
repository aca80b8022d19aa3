/** Creates references between exported records, and leaves out references to records that are not exported. */
import type { Reference } from './source-record.ts';
import type { sourcedIdsByRecord } from './stored-lists.ts';
import type { ListedKind } from './stored-records.ts';

export function storedReferences(
  sourceIdOf: ReturnType<typeof sourcedIdsByRecord>,
  exportedIds: (kind: ListedKind) => Promise<ReadonlySet<number>>,
) {
  const referenceTo = async (kind: ListedKind, id: number | null): Promise<Reference | undefined> =>
    id === null || !(await exportedIds(kind)).has(id) ? undefined : { kind, sourceId: await sourceIdOf(kind, id) };
  /** Returns the fields of a row as references; those to records that are not exported are left out. */
  async function refer<Field extends string>(
    row: Readonly<Record<NoInfer<Field>, number | null>>,
    of: Readonly<Record<Field, ListedKind>>,
  ): Promise<Partial<Record<Field, Reference>>> {
    const fields: Partial<Record<Field, Reference>> = {};
    for (const [field, kind] of Object.entries(of) as [Field, ListedKind][]) {
      const reference = await referenceTo(kind, row[field]);
      if (reference) fields[field] = reference;
    }
    return fields;
  }
  /** Returns the fields of a row as references; undefined if one of the records is not exported. */
  async function referWhole<Field extends string>(
    row: Readonly<Record<NoInfer<Field>, number | null>>,
    of: Readonly<Record<Field, ListedKind>>,
  ): Promise<Record<Field, Reference> | undefined> {
    const fields = await refer(row, of);
    return Object.keys(fields).length === Object.keys(of).length ? (fields as Record<Field, Reference>) : undefined;
  }
  async function referAll(kind: ListedKind, all: readonly number[] = []): Promise<Reference[]> {
    const found: Reference[] = [];
    for (const id of all) {
      const reference = await referenceTo(kind, id);
      if (reference) found.push(reference);
    }
    return found;
  }
  const classReference = async (id: number): Promise<Reference | undefined> =>
    (await referenceTo('class', id)) ?? (await referenceTo('group_class', id));
  const memberReferences = async (row: { class_id: number; student_id: number }) => {
    const [class_id, student_id] = [await classReference(row.class_id), await referenceTo('student', row.student_id)];
    return class_id && student_id && { class_id, student_id };
  };
  return { referenceTo, refer, referWhole, referAll, classReference, memberReferences };
}
