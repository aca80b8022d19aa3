import * as v from 'valibot';
import { withoutControls } from '#server/platform/calls/fields.ts';
import { maxCell, maxColumns } from '#server/platform/text/table-limits.ts';
import { importMessages, kindName } from '../rules.ts';
import { type ParsedUpload, type RecordKind, type Remark, recordKinds, type SourceRecord } from '../source-record.ts';

const Reference = v.object({
  kind: v.picklist(recordKinds),
  sourceId: v.pipe(v.string(), v.maxLength(maxCell), withoutControls),
});

const Record = v.object({
  kind: v.picklist(recordKinds),
  sourceId: v.optional(v.pipe(v.string(), v.maxLength(maxCell), withoutControls, v.trim()), ''),
  state: v.optional(v.picklist(['active', 'gone']), 'active'),
  fields: v.optional(
    v.record(
      v.string(),
      v.union([
        v.pipe(v.string(), v.maxLength(maxCell), withoutControls),
        v.number(),
        v.boolean(),
        v.null(),
        Reference,
        v.pipe(v.array(Reference), v.maxLength(maxColumns)),
      ]),
    ),
    {},
  ),
});

interface Written {
  mode: 'bulk' | 'delta';
  kinds: readonly string[];
  records: readonly unknown[];
}

/** Reads the records that a call sent; an invalid record is refused, with its number. */
export function readRecords({ mode, kinds: spoken, records }: Written, file: string): ParsedUpload {
  const intended: SourceRecord[] = [];
  const refused: Remark[] = [];
  for (const [at, record] of records.entries()) {
    const row = at + 1;
    const { success, output, issues } = v.safeParse(Record, record);
    if (success) intended.push({ ...output, place: { file, row } });
    else {
      const field = issues[0].path?.map(({ key }) => String(key)).join('.') ?? '';
      refused.push({ file, row, field: field.slice(0, 60), message: importMessages.unreadable });
    }
  }
  const known = spoken.filter((kind): kind is RecordKind => recordKinds.some((one) => one === kind));
  const doubted = spoken
    .filter((kind) => !known.some((one) => one === kind))
    .map((kind) => ({
      file,
      row: 1,
      field: 'kinds',
      message: importMessages.notSupported(kindName(kind.slice(0, 60))),
    }));
  const named = recordKinds.filter((kind) => intended.some((one) => one.kind === kind));
  return { mode, kinds: known.length > 0 ? known : named, intended, refused, forgiven: [], doubted };
}

const File = v.object({
  mode: v.optional(v.picklist(['bulk', 'delta']), 'delta'),
  kinds: v.optional(v.array(v.string()), []),
  records: v.array(v.unknown()),
});

/** Reads a JSON file; refuses the whole file if it does not have the form of `importRecords`. */
export function readJson({ name, bytes }: { name: string; bytes: Uint8Array }): ParsedUpload {
  const nothing: ParsedUpload = { mode: 'delta', kinds: [], intended: [], refused: [], forgiven: [], doubted: [] };
  const broken = { ...nothing, refused: [{ file: name, row: 0, field: '', message: importMessages.unreadable }] };
  try {
    const { success, output } = v.safeParse(File, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    return success ? readRecords(output, name) : broken;
  } catch {
    return broken;
  }
}
