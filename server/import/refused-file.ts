/** What cannot be imported, as a file: in the shape of the upload, or line by line where that is not there. */
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { RuleContext } from '#server/school/context.ts';
import { csvLine, refusedIn, type ShapedFile } from './doors/refused-write.ts';
import { refusedByPlace, refusedRows } from './list.ts';
import { importBytes, missingImport } from './rules.ts';
import { visibleImports } from './visible.ts';

/** Refused: 404. */
export async function refusedFile(
  { db, actor, storage }: RuleContext<'actor' | 'storage'>,
  id: number,
): Promise<{ name: string; type: string; bytes: Uint8Array<ArrayBuffer> } | Refusal> {
  const one = await visibleImports(db, actor)
    .select(['import.id', 'import.file_name', 'import.file_key'])
    .where('import.id', '=', id)
    .executeTakeFirst();
  if (!one) return missing(missingImport);
  const shaped = await inShape({ db, storage }, one);
  if (shaped) {
    const { extension, type, bytes } = shaped;
    return { name: `${one.file_name.replace(/\.\w{1,5}$/, '')}-不能导入的行.${extension}`, type, bytes };
  }
  const lines = (await refusedRows(db, id)).map(csvLine);
  // By its mark a spreadsheet reads the text as UTF-8.
  const bytes = new TextEncoder().encode(`\uFEFF${lines.join('')}`);
  return { name: `不能导入的行-${id}.csv`, type: 'text/csv; charset=utf-8', bytes };
}

async function inShape(
  { db, storage }: Pick<RuleContext<'storage'>, 'db' | 'storage'>,
  { id, file_name, file_key }: { id: number; file_name: string; file_key: string },
): Promise<ShapedFile | undefined> {
  const stored = file_key === '' ? null : await storage.read(file_key);
  if (!stored) return undefined;
  const staged = await storage.stage(stored, { limit: importBytes });
  if (!('ok' in staged)) return undefined;
  try {
    return await refusedIn({ name: file_name, path: staged.ok.path }, await refusedByPlace(db, id));
  } finally {
    await staged.ok.discard();
  }
}
