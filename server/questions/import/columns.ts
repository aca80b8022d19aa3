/** Reads the spreadsheet of an import again, with the columns that a person chose. */
import { requireConfirmation } from '#server/platform/calls/optimistic-edit.ts';
import { conflict, invalid, isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { countOf } from '#server/platform/db/page.ts';
import type { ImportColumns, WrittenColumns } from '../import.contract.ts';
import { importBytes, importMessages } from '../import.rules.ts';
import {
  type Column,
  type ColumnMapping,
  columnName,
  columnNames,
  isColumn,
  type SheetColumns,
} from './column-names.ts';
import type { ImportContext } from './import-context.ts';
import { type CorrectionContext, notesOf } from './import-rows.ts';
import { readInto } from './preview-start.ts';
import { ownImport, previewExpiry, refuseExpiredImport } from './preview-state.ts';
import { readType } from './spelling.ts';

/** Returns the sheets of an import with the meaning of their columns. 404: no such import. 409: it has no columns. */
export async function importColumns(
  { db, actor, now }: CorrectionContext,
  importId: string,
): Promise<ImportColumns | Refusal> {
  const found = await ownImport(db, actor, importId, await previewExpiry(db, now))
    .select(['file_name', 'file_key', 'sheets', 'status', 'notes'])
    .executeTakeFirst();
  if (!found) return refuseExpiredImport();
  const fault = columnsFault(found);
  if (fault) return conflict(fault);
  return {
    file_name: found.file_name,
    sheets: sheetsIn(found.sheets).map((sheet) => ({ ...sheet, needed: neededColumns(sheet.name).map(columnName) })),
    choices: [...columnNames].map(([column, name]) => ({ column, name })),
    corrected: await correctedCount(db, importId),
    total: await countOf(rowsIn(db, importId)),
    notes: notesOf(found.notes),
  };
}

const columnsFault = ({ status, file_key }: { status: number; file_key: string }): string | undefined => {
  if (status === 1) return importMessages.reading;
  return file_key === '' ? importMessages.noColumns : undefined;
};

const sheetsIn = (json: string): SheetColumns[] => JSON.parse(json) as SheetColumns[];

/** A sheet of material questions has a column for the material; its parts may have no stem. */
const neededColumns = (sheet: string): Column[] => [readType(sheet) === 6 ? 'material' : 'stem', 'answer'];

const rowsIn = (db: Database, importId: string) =>
  db.selectFrom('question_import_row').where('import_id', '=', importId);

const correctedCount = (db: Database, importId: string): Promise<number> =>
  countOf(rowsIn(db, importId).where('version', '>', 1));

/**
 * Reads the file again and replaces the questions of the import. 404: no such import. 409: corrections would be lost
 * and `acknowledged` is not set, or there is no file. 422: needed columns are missing or chosen twice.
 */
export async function readAgain(
  context: ImportContext,
  importId: string,
  written: WrittenColumns,
): Promise<{ import_id: string } | Refusal> {
  const { db } = context;
  const bytes = await keptFile(context, importId);
  const found = await db.transaction().execute(async (trx) => {
    const checked = await checkedImport({ ...context, db: trx }, importId, written);
    if (isRefusal(checked)) return checked;
    if (!bytes) return conflict(importMessages.fileGone);
    await trx
      .updateTable('question_import')
      .set({ status: 1, percent: 0, message: '', updated_at: context.now })
      .where('id', '=', importId)
      .execute();
    return { ...checked, bytes };
  });
  if (isRefusal(found)) return found;
  await readInto(context, importId, [{ name: found.file_name, bytes: found.bytes }], found.mapping);
  return { import_id: importId };
}

/** Read before the transaction, because a bucket may be slow. */
async function keptFile({ db, actor, now, storage }: ImportContext, importId: string): Promise<Uint8Array | null> {
  const found = await ownImport(db, actor, importId, await previewExpiry(db, now))
    .select('file_key')
    .executeTakeFirst();
  return found?.file_key ? storage.readWhole(found.file_key, importBytes) : null;
}

async function checkedImport({ db, actor, now }: CorrectionContext, importId: string, written: WrittenColumns) {
  const since = await previewExpiry(db, now);
  const found = await forUpdate(db)(
    ownImport(db, actor, importId, since).select(['file_name', 'file_key', 'sheets', 'status']),
  ).executeTakeFirst();
  if (!found) return refuseExpiredImport();
  const fault = columnsFault(found);
  if (fault) return conflict(fault);
  const { mapping, errors } = mappingOf(sheetsIn(found.sheets), written);
  if (Object.keys(errors).length > 0) return invalid(errors);
  const corrected = await correctedCount(db, importId);
  const effect = corrected > 0 ? importMessages.lostCorrections(corrected) : undefined;
  return requireConfirmation(effect, written.acknowledged) ?? { ...found, mapping };
}

const columnIn = (written = ''): Column | '' => (isColumn(written) ? written : '');

/** Errors are at `sheets.N` for a sheet, and at `columns.N.M` for a column of it. */
function mappingOf(sheets: readonly SheetColumns[], written: WrittenColumns) {
  const errors: FieldErrors = {};
  const mapping: Record<string, ColumnMapping[string]> = {};
  for (const [at, { name, columns: all }] of sheets.entries()) {
    const { title_row = 0, columns = [] } = written.sheets[at] ?? {};
    const chosen = all.map((_, index) => columnIn(columns[index]));
    const used = chosen.filter((column) => column !== '');
    for (const [index, written] of columns.entries()) {
      if (written !== '' && !chosen[index]) errors[`columns.${at}.${index}`] = [importMessages.unknownColumn];
    }
    if (used.length === 0) continue;
    for (const [index, column] of chosen.entries()) {
      if (column !== '' && chosen.indexOf(column) < index) {
        errors[`columns.${at}.${index}`] = [importMessages.columnTwice(columnName(column))];
      }
    }
    const missing = neededColumns(name).filter((column) => !used.includes(column));
    if (missing.length > 0) errors[`sheets.${at}`] = [importMessages.missingColumns(missing.map(columnName))];
    mapping[name] = { title_row, columns: chosen };
  }
  if (Object.keys(mapping).length === 0 && Object.keys(errors).length === 0)
    errors['sheets.0'] = [importMessages.noSheetChosen];
  return { mapping, errors };
}
