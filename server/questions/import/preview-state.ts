/** Previews of imports. They are kept for some days after their last correction, read page by page, then deleted. */
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { isRefusal, missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { prepareFormulas, renderMath } from '#server/platform/text/render-math.ts';
import { schoolPolicy } from '#server/school/settings.ts';
import { questionDetails } from '../detail.ts';
import { displayOf, textsOf } from '../display.ts';
import type { ImportFilter, ImportNote, ImportRow, ImportState, UnfinishedImport } from '../import.contract.ts';
import { type bankChoices, importExpiredMessage, importMessages } from '../import.rules.ts';
import type { QuestionDraft } from '../rules.ts';
import { ownQuestions } from '../visible.ts';
import { typedAnswer, typedOptions } from './correction-draft.ts';
import type { ImportContext } from './import-context.ts';
import type { Offer, StoredRow } from './import-rows.ts';
import { type FindPoint, haveNoPoints, pointFinder, pointNote } from './points.ts';
import { addressesIn, isTable, type Line, linesToHtml } from './rich-line.ts';
import { deleteFiles } from './stored-pictures.ts';

const day = 24 * 60 * 60;

/** Seconds without progress after which the reading process must have died. */
const maxSilence = 120;

/** Maximum imports in the list of unfinished ones. */
const maxUnfinished = 50;

/** Maximum unknown knowledge points that are named. */
const maxUnknownPoints = 200;

/** Maximum lines of the paper beside a page of questions. */
const maxShownLines = 2000;

/** Returns the moment since which an import must have been corrected to be kept. */
export const previewExpiry = async (db: Database, now: number): Promise<number> =>
  now - (await schoolPolicy(db, now)).keep_previews * day;

/** Deletes expired previews with their files and unused pictures; returns the number of previews. */
export async function purgePreviews({
  db,
  storage,
  now,
}: Pick<ImportContext, 'db' | 'storage' | 'now'>): Promise<number> {
  const old = await db
    .deleteFrom('question_import')
    .where('updated_at', '<=', await previewExpiry(db, now))
    .returning(['pictures', 'file_key'])
    .execute();
  for (const { pictures, file_key } of old) {
    await deleteFiles(storage, [...(JSON.parse(pictures) as string[]), ...(file_key === '' ? [] : [file_key])]);
  }
  return old.length;
}

export const refuseExpiredImport = () => missing(importExpiredMessage);

/** Selects the imports of the user that have not expired. */
export const ownImports = (db: Database, actor: Actor, since: number) =>
  db.selectFrom('question_import').where('owner_id', '=', actor.id).where('updated_at', '>', since);

/** Selects an import of the user that has not expired. */
export const ownImport = (db: Database, actor: Actor, id: string, since: number) =>
  ownImports(db, actor, since).where('id', '=', id);

/** Lists the imports of the user that were not finished. */
export async function unfinishedImportsOf(db: Database, actor: Actor, now: number): Promise<UnfinishedImport[]> {
  const since = await previewExpiry(db, now);
  const found = await ownImports(db, actor, since)
    .leftJoin('question_import_row', (join) =>
      join.onRef('question_import_row.import_id', '=', 'question_import.id').on('question_import_row.state', '=', 1),
    )
    .select(['id', 'file_name', 'status', 'created_at', 'updated_at'])
    .select((eb) => [
      eb.fn.count<number>('question_import_row.sort').as('total'),
      eb.fn.coalesce(eb.fn.sum<number>('question_import_row.is_good'), eb.lit(0)).as('good'),
    ])
    .groupBy(['id', 'file_name', 'status', 'created_at', 'updated_at'])
    .orderBy('created_at', 'desc')
    // Ids begin with the time, which orders imports of the same second.
    .orderBy('id', 'desc')
    .limit(maxUnfinished)
    .execute();
  return found.map(({ id, updated_at, ...row }) => ({
    import_id: id,
    ...row,
    expires_at: updated_at + (now - since),
  }));
}

/** The columns of a row that lists and counts need. */
type LightRow = Pick<
  StoredRow,
  'sort' | 'state' | 'is_good' | 'doubt_count' | 'lacks_answer' | 'section' | 'line_from' | 'line_to'
> & { is_lossy: number };

const isShown: Record<NonNullable<ImportFilter['only']>, (row: LightRow) => boolean> = {
  1: (row) => row.state === 1 && row.is_good === 0,
  2: (row) => row.state === 1 && row.doubt_count > 0,
  3: (row) => row.state === 2,
};

/** Returns the state of an import. 404: somebody else's, or expired. */
export async function importState(
  db: Database,
  actor: Actor,
  { id, filter, now }: { id: string; filter: ImportFilter; now: number },
): Promise<ImportState | Refusal> {
  const since = await previewExpiry(db, now);
  const found = await ownImport(db, actor, id, since).selectAll().executeTakeFirst();
  if (!found) return refuseExpiredImport();
  const silent = found.status === 1 && now - found.updated_at > maxSilence;
  const all = await db
    .selectFrom('question_import_row')
    .select(['sort', 'state', 'is_good', 'doubt_count', 'lacks_answer', 'section', 'line_from', 'line_to'])
    .select((eb) => eb.case().when('losses', '<>', '[]').then(1).else(0).end().as('is_lossy'))
    .where('import_id', '=', id)
    .orderBy('sort')
    .execute();
  const matching = filter.only ? all.filter(isShown[filter.only]) : all;
  const page = Math.min(filter.page, Math.max(1, Math.ceil(matching.length / filter.limit)));
  const shown = matching.slice((page - 1) * filter.limit, page * filter.limit);
  const places = new Map(all.map(({ sort }, index) => [sort, index + 1]));
  const findPoint = await pointFinder(db);
  const rows = await shownRows(db, actor, { id, sorts: shown.map(({ sort }) => sort), places, findPoint });
  const next = all.findIndex((row, index) => index >= page * filter.limit && needsLook(row));
  return {
    import_id: id,
    file_name: found.file_name,
    format: found.format,
    status: silent ? 3 : found.status,
    percent: found.percent,
    message: silent ? importMessages.interrupted : found.message,
    notes: notesIn(found.notes),
    left_out: notesIn(found.left_out),
    doubts: notesIn(found.doubts),
    expires_at: found.updated_at + (now - since),
    ...countsOf(all),
    unknown_points: haveNoPoints(actor) ? [] : await unknownPoints(db, id, findPoint),
    next_doubt_page: next === -1 ? null : Math.floor(next / filter.limit) + 1,
    has_columns: found.file_key !== '',
    last: await lastCorrection(db, id),
    rows: { list: rows, total: matching.length, page, limit: filter.limit },
    paper: await paperBeside(db, id, { rows, all, isFiltered: filter.only !== undefined }),
  };
}

const needsLook = (row: LightRow): boolean => row.state === 1 && (row.doubt_count > 0 || row.is_good === 0);

function countsOf(all: readonly LightRow[]) {
  const taken = all.filter(({ state }) => state === 1);
  const count = (isCounted: (row: LightRow) => boolean) => taken.filter(isCounted).length;
  const sections = new Map<string, number>();
  for (const { section } of taken) if (section !== '') sections.set(section, (sections.get(section) ?? 0) + 1);
  return {
    total: taken.length,
    good: count(({ is_good }) => is_good === 1),
    lossy: count(({ is_lossy }) => is_lossy === 1),
    doubtful: count(({ doubt_count }) => doubt_count > 0),
    doubt_count: taken.reduce((sum, { doubt_count }) => sum + doubt_count, 0),
    lacking: count(({ lacks_answer }) => lacks_answer === 1),
    out: all.length - taken.length,
    sections: [...sections].map(([section, total]) => ({ section, total })),
  };
}

/** Counts the questions by each text that is no point of the school. */
async function unknownPoints(db: Database, id: string, findPoint: FindPoint): Promise<ImportState['unknown_points']> {
  const written = await db
    .selectFrom('question_import_row')
    .select(['point', (eb) => eb.fn.countAll<number>().as('total')])
    .where('import_id', '=', id)
    .where('state', '=', 1)
    .where('point', '<>', '')
    .groupBy('point')
    .orderBy('total', 'desc')
    .orderBy('point')
    .execute();
  return written.filter(({ point }) => !findPoint(point)).slice(0, maxUnknownPoints);
}

const notesIn = (json: string): ImportNote[] => JSON.parse(json) as ImportNote[];

async function lastCorrection(db: Database, id: string): Promise<ImportState['last']> {
  const last = await db
    .selectFrom('question_import_change')
    .select(['number', 'said', 'offer'])
    .where('import_id', '=', id)
    .orderBy('number', 'desc')
    .executeTakeFirst();
  if (!last) return null;
  const offer = last.offer === null ? undefined : (JSON.parse(last.offer) as Offer);
  return {
    number: last.number,
    said: last.said,
    offer: offer ? { said: offer.said, count: offer.rows.length } : null,
  };
}

async function shownRows(
  db: Database,
  actor: Actor,
  {
    id,
    sorts,
    places,
    findPoint,
  }: { id: string; sorts: number[]; places: ReadonlyMap<number, number>; findPoint: FindPoint },
): Promise<ImportRow[]> {
  if (sorts.length === 0) return [];
  const rows = await db
    .selectFrom('question_import_row')
    .selectAll()
    .where('import_id', '=', id)
    .where('sort', 'in', sorts)
    .orderBy('sort')
    .execute();
  const drafts = rows.map(({ draft }) => JSON.parse(draft) as QuestionDraft);
  await prepareFormulas(drafts.flatMap((draft) => [draft, ...draft.ques_item]).flatMap(textsOf));
  const bank = await bankQuestions(db, actor, rows);
  return rows.map((row, index) =>
    shownRow(row, drafts[index] as QuestionDraft, {
      bank,
      sort: places.get(row.sort) ?? 0,
      note: pointNote(drafts[index] as QuestionDraft, actor, findPoint),
    }),
  );
}

const points = (tenths: number | null | undefined): number | null => (tenths == null ? null : tenths / 10);

function shownRow(
  row: StoredRow,
  { ques_item, ...draft }: QuestionDraft,
  {
    bank,
    sort,
    note,
  }: { bank: ReadonlyMap<number, Omit<NonNullable<ImportRow['bank']>, 'match'>>; sort: number; note: string },
): ImportRow {
  const partScores = JSON.parse(row.part_scores) as (number | null)[];
  const match = row.bank_id === null ? undefined : bank.get(row.bank_id);
  return {
    row: row.sort,
    sort,
    version: row.version,
    place: row.place,
    number: row.number,
    section: row.section,
    state: row.state,
    ...shownPart(draft),
    facility_value: draft.facility_value,
    score: points(row.score),
    options: typedOptions({ ...draft, ques_item }),
    remark: draft.remark,
    point: row.point,
    point_note: note,
    tags: draft.tags ?? '',
    ques_item: ques_item.map((part, index) => ({ ...shownPart(part), score: points(partScores[index]) })),
    errors: notesIn(row.errors),
    losses: notesIn(row.losses),
    doubts: notesIn(row.doubts),
    can_restore: row.original !== null,
    lines: row.line_from === null || row.line_to === null ? null : { from: row.line_from, to: row.line_to },
    bank: match && row.bank_match !== 0 ? { ...match, match: row.bank_match } : null,
    choice: choiceOf(row),
  };
}

const choiceOf = (row: StoredRow): (typeof bankChoices)[number] =>
  row.replaces === 1 ? 'replace' : row.state === 2 ? 'skip' : 'take';

const shownPart = (draft: Omit<QuestionDraft, 'ques_item'>) => ({
  ques_type: draft.ques_type,
  ques_option: draft.ques_option.map(({ is_right }) => ({ is_right })),
  ignore_case: draft.ignore_case,
  display: displayOf(draft),
  answer: typedAnswer({ ...draft, ques_item: [] }),
});

/** Returns those questions of the bank that rows are like and that still exist. */
async function bankQuestions(db: Database, actor: Actor, rows: readonly StoredRow[]) {
  const named = rows.flatMap(({ bank_id }) => bank_id ?? []);
  if (named.length === 0) return new Map<number, never>();
  const own = await ownQuestions(db, actor).select('question.id').where('question.id', 'in', named).execute();
  const details = await questionDetails(
    db,
    actor,
    ownQuestions(db, actor),
    own.map(({ id }) => id),
  );
  if (isRefusal(details)) return new Map<number, never>();
  return new Map(
    details.map(({ id, ques_type, ignore_case, facility_value, ques_option, display }) => [
      id,
      {
        id,
        ques_type,
        ignore_case,
        facility_value,
        ques_option: ques_option.map(({ is_right }) => ({ is_right })),
        display,
      },
    ]),
  );
}

/**
 * Returns the lines of the paper beside a page. An unfiltered page also shows the lines between its questions; a
 * filtered one the lines of its questions alone.
 */
async function paperBeside(
  db: Database,
  id: string,
  { rows, all, isFiltered }: { rows: readonly ImportRow[]; all: readonly LightRow[]; isFiltered: boolean },
): Promise<ImportState['paper']> {
  const spans = rows.flatMap(({ lines }) => lines ?? []);
  if (spans.length === 0) return [];
  const ranges = isFiltered ? spans : [wholeRange(rows, all, spans)];
  const stored = await db
    .selectFrom('question_import_line')
    .select(['line', 'content'])
    .where('import_id', '=', id)
    .where((eb) => eb.or(ranges.map(({ from, to }) => eb.and([eb('line', '>=', from), eb('line', '<=', to)]))))
    .orderBy('line')
    .limit(maxShownLines)
    .execute();
  const named = new Set(
    rows.flatMap(({ errors, doubts }) =>
      [...errors, ...doubts].map(({ where }) => Number(/^第(\d+)行/.exec(where)?.[1])),
    ),
  );
  const shown = stored.map(({ line, content }) => {
    const parsed = JSON.parse(content) as Line;
    return {
      line,
      html: linesToHtml([parsed], addressesIn([parsed])),
      isBlank: !isTable(parsed) && parsed.segments.length === 0,
    };
  });
  const texts = shown.filter(({ isBlank }) => !isBlank);
  await prepareFormulas(texts.map(({ html }) => html));
  return texts.map(({ line, html }) => ({ line, html: renderMath(html), marked: named.has(line) }));
}

/** Range from the end of the question before the page to the beginning of the one after it. */
function wholeRange(
  rows: readonly ImportRow[],
  all: readonly LightRow[],
  spans: readonly { from: number; to: number }[],
): { from: number; to: number } {
  const first = all.findIndex(({ sort }) => sort === rows[0]?.row);
  const last = all.findIndex(({ sort }) => sort === rows.at(-1)?.row);
  const before = all.slice(0, Math.max(first, 0)).findLast(({ line_to }) => line_to !== null)?.line_to ?? 0;
  const after = all.slice(last + 1).find(({ line_from }) => line_from !== null)?.line_from ?? Number.MAX_SAFE_INTEGER;
  const from = Math.min(...spans.map((span) => span.from), before + 1);
  const to = Math.max(...spans.map((span) => span.to), after - 1);
  return { from, to: Math.min(to, from + 100_000) };
}

/** Discards a preview. 404: somebody else's, or expired. */
export async function dropPreview(
  db: Database,
  actor: Actor,
  { id, now }: { id: string; now: number },
): Promise<null | Refusal> {
  const { numUpdatedRows } = await db
    .updateTable('question_import')
    // The preview expires now; purging it later deletes its pictures.
    .set({ created_at: 0, updated_at: 0 })
    .where('id', '=', id)
    .where('owner_id', '=', actor.id)
    .where('updated_at', '>', await previewExpiry(db, now))
    .executeTakeFirst();
  return numUpdatedRows === 0n ? refuseExpiredImport() : null;
}
