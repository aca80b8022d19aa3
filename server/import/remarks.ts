/** Messages about an import, and its refused rows. */
import { sql } from 'kysely';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { getOrAdd } from '#server/platform/db/grouping.ts';
import { pageOf } from '#server/platform/db/page.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { ImportRemark, ImportRemarkFilter } from './contract.ts';
import type { Reasons } from './row-plan.ts';
import { fieldWord, kindName, missingImport } from './rules.ts';
import { visibleImports } from './visible.ts';

/** Lists messages. 404: no such import. */
export async function remarkPage(
  { db, actor }: RuleContext<'actor'>,
  id: number,
  filter: ImportRemarkFilter,
): Promise<Page<ImportRemark> | Refusal> {
  const seen = await visibleImports(db, actor).select('import.id').where('import.id', '=', id).executeTakeFirst();
  if (!seen) return missing(missingImport);
  let matching = db.selectFrom('import_remark').where('import_id', '=', id);
  if (filter.tone) matching = matching.where('tone', '=', filter.tone);
  return pageOf(
    matching,
    filter,
    matching.select(['id', 'tone', 'file', 'place as row', 'field', 'message']).orderBy('id'),
  );
}

interface PlacedRemark {
  file: string;
  row: number;
  field: string;
  message: string;
}

/** Selects the messages from reading the upload. */
export const remarksOf = (db: Database, id: number, tone: 'refused' | 'forgiven' | 'doubted') =>
  db
    .selectFrom('import_remark')
    .select(['id', 'file', 'place as row', 'field', 'message'])
    .where('import_id', '=', id)
    .where('tone', '=', tone)
    .orderBy('id');

/** Rows above which a doubt may be about the whole file: titles and headings. */
const topRows = 10;
const maxFileDoubts = 5;

/** Returns doubts about titles and sheets, which no row of the import shows. */
export async function doubtsAboutFile(db: Database, id: number): Promise<string[]> {
  const doubts = await remarksOf(db, id, 'doubted').where('place', '<=', topRows).limit(100).execute();
  if (doubts.length === 0) return [];
  const read = await db
    .selectFrom('import_row')
    .select(['file', 'place'])
    .where('import_id', '=', id)
    .where('place', '<=', topRows)
    .where('place', '>', 0)
    .distinct()
    .execute();
  const places = new Set(read.map(({ file, place }) => `${place} ${file}`));
  return doubts
    .filter(({ file, row }) => !places.has(`${row} ${file}`))
    .slice(0, maxFileDoubts)
    .map(({ file, message }) => `${file}：${message}`);
}

export const hasEffect = sql<boolean>`verdict not in ('', 'unchanged')`;

const selectRefusedRows = (db: Database, id: number) =>
  db
    .selectFrom('import_row')
    .select(['kind', 'file', 'place', 'source_id', 'label', 'reasons', 'fields'])
    .where('import_id', '=', id)
    .where('verdict', '=', 'refused')
    .where(hasEffect)
    .orderBy('id')
    .execute();

/** Returns why rows that could be read cannot be imported. */
export async function refusedPlaces(db: Database, id: number): Promise<PlacedRemark[]> {
  return (await selectRefusedRows(db, id)).flatMap(({ file, place, reasons }) =>
    (JSON.parse(reasons) as Reasons).map(({ field, message }) => ({ file, row: place, field, message })),
  );
}

/** Number of messages read per query. */
const remarkBatch = 5000;

/**
 * Returns all reasons for refusal by file or sheet, and by row. Read in batches, because there may be half a million.
 */
export async function refusedByPlace(db: Database, id: number): Promise<Map<string, Map<number, string>>> {
  const places = new Map<string, Map<number, string>>();
  const note = ({ file, row, field, message }: PlacedRemark) => {
    if (row === 0) return;
    const own = getOrAdd(places, file, () => new Map());
    const known = own.get(row);
    const reason = reasonText(field, message);
    if (known === undefined) own.set(row, reason);
    else if (!known.split('；').includes(reason)) own.set(row, `${known}；${reason}`);
  };
  for (let after = 0; ; ) {
    const remarks = await remarksOf(db, id, 'refused').where('id', '>', after).limit(remarkBatch).execute();
    remarks.forEach(note);
    const last = remarks.at(-1);
    if (!last || remarks.length < remarkBatch) break;
    after = last.id;
  }
  (await refusedPlaces(db, id)).forEach(note);
  return places;
}

/** Returns the rows of the CSV with the refused rows: place and reason. */
export async function refusedRows(db: Database, id: number): Promise<string[][]> {
  const read = await remarksOf(db, id, 'refused').execute();
  const judged = await selectRefusedRows(db, id);
  return [
    ['类别', '文件', '行', '编号', '名称', '内容', '原因'],
    ...read.map(({ file, row, field, message }) => ['', file, String(row), '', '', '', reasonText(field, message)]),
    ...judged.map(({ kind, file, place, source_id, label, reasons, fields }) => [
      kindName(kind),
      file,
      String(place),
      source_id,
      label,
      fields,
      (JSON.parse(reasons) as Reasons).map(({ field, message }) => reasonText(field, message, kind)).join('；'),
    ]),
  ];
}

const reasonText = (field: string, message: string, kind = ''): string =>
  field === '' || field === 'source_id' ? message : `${fieldWord(field, kind)}：${message}`;
