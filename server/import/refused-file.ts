/** What cannot be imported, as a file: each row with its reason. */
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { RuleContext } from '#server/school/context.ts';
import { refusedRows } from './list.ts';
import { missingImport } from './rules.ts';
import { visibleImports } from './visible.ts';

/** Refused: 404. */
export async function refusedFile(
  { db, actor }: RuleContext<'actor'>,
  id: number,
): Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> } | Refusal> {
  const one = await visibleImports(db, actor).select('import.id').where('import.id', '=', id).executeTakeFirst();
  if (!one) return missing(missingImport);
  const lines = (await refusedRows(db, id)).map((cells) => cells.map(quoted).join(','));
  // By its mark a spreadsheet reads the text as UTF-8.
  const bytes = new TextEncoder().encode(`\uFEFF${lines.join('\r\n')}\r\n`);
  return { name: `不能导入的行-${id}.csv`, type: 'text/csv; charset=utf-8', bytes };
}

/** What a spreadsheet would take for a formula is text. */
const quoted = (cell: string): string => `"${(/^[=+\-@]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
