/** Lists of questions: the user's own, and the public bank. */
import type { SelectQueryBuilder } from 'kysely';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import { type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { emptyPage } from '#server/platform/db/page.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { SchoolSettings } from '#server/school/settings.ts';
import { publicBankFault } from './bank.rules.ts';
import type { PublicFilter, PublicRow, QuestionFilter, QuestionRow } from './contract.ts';
import { previewOf } from './display.ts';
import { pointsNamed, pointWithChildren } from './points.ts';
import type { QuestionOption, QuestionType } from './rules.ts';
import { tagsIn } from './rules.ts';
import { type BankSearch, searchBank } from './search.ts';
import { tagsOf } from './tags.ts';
import { ownQuestions, publicQuestions } from './visible.ts';

/** Lists a user's own questions, the last edited first. */
export async function questionPage(
  db: Database,
  actor: Pick<Actor, 'id'>,
  filter: QuestionFilter,
): Promise<Page<QuestionRow>> {
  const search = await ownSearch(db, actor, filter);
  if (!search) return emptyPage(filter);
  const { list: ids, ...range } = await searchBank(db, search, filter);
  const shown = ownQuestions(db, actor)
    .leftJoin('knowledge_point', 'knowledge_point.id', 'question.point_id')
    .select(rowColumns)
    .select('knowledge_point.name as point_name');
  const rows = await readInOrder(shown, ids);
  const itemCounts = filter.with_preview ? await itemCountsOf(db, rows) : undefined;
  const tags = await tagsOf(db, ids);
  const list = rows.map((row) => ({
    ...rowOf(row, itemCounts),
    remark: row.remark,
    point_name: row.point_name ?? '',
    tags: tags.get(row.id) ?? [],
  }));
  return { list, ...range };
}

/** Returns the ids of at most `most` of the user's questions that the filter finds, the last edited first. */
export async function matchingOwnIds(
  db: Database,
  actor: Pick<Actor, 'id'>,
  filter: Omit<QuestionFilter, 'page' | 'limit'>,
  most: number,
): Promise<number[]> {
  const search = await ownSearch(db, actor, filter);
  return search ? (await searchBank(db, search, { page: 1, limit: most })).list : [];
}

/** Search of the user's own bank; undefined if no knowledge point has the name, so that nothing matches. */
async function ownSearch(
  db: Database,
  actor: Pick<Actor, 'id'>,
  filter: Omit<QuestionFilter, 'page' | 'limit'>,
): Promise<BankSearch | undefined> {
  const points = filter.point === undefined ? undefined : await pointsNamed(db, filter.point);
  if (points?.length === 0) return undefined;
  const tags = filter.tag === undefined ? undefined : tagsIn(filter.tag).map(normalizeName);
  return { ...searchOf(filter), ownerId: actor.id, remark: filter.remark, points, ...(tags?.length && { tags }) };
}

/**
 * Lists the public bank, the last edited first, with marks for the user's collection. 403: the school does not offer
 * the public bank.
 */
export async function publicPage(
  db: Database,
  actor: Actor,
  filter: PublicFilter,
  settings: SchoolSettings,
): Promise<Page<PublicRow> | Refusal> {
  const closed = refuseFor('forbidden', publicBankFault(settings));
  if (closed) return closed;
  const points = filter.point_id === undefined ? undefined : await pointWithChildren(db, filter.point_id);
  if (points?.length === 0) return emptyPage(filter);
  const search = { ...searchOf(filter), ownerId: undefined, points };
  const { list: ids, ...range } = await searchBank(db, search, filter);
  const shown = publicQuestions(db)
    .leftJoin('knowledge_point', 'knowledge_point.id', 'question.point_id')
    .leftJoin('question_collect', (join) =>
      join.onRef('question_collect.question_id', '=', 'question.id').on('question_collect.staff_id', '=', actor.id),
    )
    .select(rowColumns)
    .select(['knowledge_point.name as point_name', 'question_collect.id as collect_id']);
  const rows = await readInOrder(shown, ids);
  const itemCounts = filter.with_preview ? await itemCountsOf(db, rows) : undefined;
  const list = rows.map((row) => ({
    ...rowOf(row, itemCounts),
    point_name: row.point_name ?? '',
    collect_id: row.collect_id,
  }));
  return { list, ...range };
}

/** Reads questions with previews and the names of their knowledge points, in the order of the ids. */
export async function previewRows(db: Database, ids: number[]) {
  const shown = db
    .selectFrom('question')
    .leftJoin('knowledge_point', 'knowledge_point.id', 'question.point_id')
    .select(rowColumns)
    .select('knowledge_point.name as point_name');
  const rows = await readInOrder(shown, ids);
  const itemCounts = await itemCountsOf(db, rows);
  return rows.map((row) => {
    const { id, stem_text, ques_type, facility_value, preview } = rowOf(row, itemCounts);
    return { id, stem_text, ques_type, facility_value, preview, point_name: row.point_name ?? '' };
  });
}

const rowColumns = [
  'question.id',
  'question.ques_stem',
  'question.stem_text',
  'question.ques_type',
  'question.ques_option',
  'question.right_answer',
  'question.facility_value',
  'question.remark',
  'question.updated_at',
] as const;

interface StoredRow {
  id: number;
  ques_stem: string;
  stem_text: string;
  ques_type: number;
  ques_option: string;
  right_answer: string;
  facility_value: number;
  updated_at: number;
}

const searchOf = ({
  ques_type,
  facility_value,
  ques_stem,
}: Pick<QuestionFilter, 'ques_type' | 'facility_value' | 'ques_stem'>) => ({
  ques_type,
  forPicker: false,
  facility_value,
  stem: ques_stem,
});

/** Reads the questions of a page in the order of its ids. */
async function readInOrder<Row extends StoredRow>(
  questions: SelectQueryBuilder<Tables, 'question', Row>,
  ids: number[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const rows = await questions.where('question.id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function rowOf(
  row: StoredRow,
  itemCounts: Map<number, number> | undefined,
): Omit<QuestionRow, 'remark' | 'point_name' | 'tags'> {
  const { id, ques_stem, stem_text, updated_at } = row;
  const ques_type = row.ques_type as QuestionType;
  const facility_value = row.facility_value as QuestionRow['facility_value'];
  const shown = { id, ques_stem, stem_text, ques_type, facility_value, updated_at };
  if (!itemCounts) return shown;
  const ques_option = JSON.parse(row.ques_option) as QuestionOption[];
  const preview = previewOf({ ...row, ques_type, ques_option, ques_analysis: '' }, itemCounts.get(id) ?? 0);
  return { ...shown, preview };
}

/** Counts the parts of the material questions on a page. */
async function itemCountsOf(db: Database, rows: StoredRow[]): Promise<Map<number, number>> {
  const materials = rows.filter(({ ques_type }) => ques_type === 6).map(({ id }) => id);
  if (materials.length === 0) return new Map();
  const counted = await db
    .selectFrom('question')
    .select(['parent_id'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parent_id', 'in', materials)
    .groupBy('parent_id')
    .execute();
  return new Map(counted.map(({ parent_id, count }) => [parent_id as number, count]));
}
