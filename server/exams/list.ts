import { sql } from 'kysely';
import { byScore, unitsPerPoint } from '#server/homework/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { type Paging, pageOf } from '#server/platform/db/page.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { named } from '#server/platform/db/search.ts';
import { offered } from '#server/school/put-away.ts';
import type { ExamCategory, ExamFilter, ExamRow, School } from './contract.ts';
import { examPoints } from './rules.ts';
import { examsOf } from './visible.ts';

type Viewer = Pick<Actor, 'id' | 'schoolId'>;

/** One page of the exams that the actor sees, the latest first. */
export async function examPage(db: Database, actor: Actor, filter: ExamFilter) {
  const { list: rows, ...range } = isPlain(filter)
    ? await plainPage(db, actor, filter)
    : await filteredPage(db, actor, filter);
  const listed = JSON.stringify(rows.map((row) => row.id));
  const shared = await sharedSchools(db, listed);
  const counts = await paperCounts(db, actor, listed);
  const list = rows.map(
    (row): ExamRow => ({
      id: row.id,
      name: row.name,
      title: row.title ?? '',
      score: examPoints(row.score),
      status: row.status,
      share_school_name: shared.get(row.id) ?? [],
      nickname: row.nickname,
      school_name: row.school_name,
      ...(counts.get(row.id) ?? noPapers),
    }),
  );
  return { list, ...range };
}

function filteredPage(db: Database, actor: Viewer, filter: ExamFilter) {
  let matching = joinedExams(db, actor);
  if (filter.name) matching = matching.where(named('exam.name', filter.name));
  if (filter.nickname) matching = matching.where(named('staff.real_name', filter.nickname));
  if (filter.min_score !== undefined)
    matching = matching.where('exam.score', '>=', filter.min_score * unitsPerPoint(byScore));
  if (filter.status !== undefined) matching = matching.where('exam.status', '=', filter.status);
  if (filter.school_id !== undefined)
    matching = matching.where((eb) =>
      eb.or([
        eb('exam.school_id', '=', filter.school_id ?? 0),
        eb.exists(
          eb
            .selectFrom('exam_school')
            .select('exam_school.exam_id')
            .whereRef('exam_school.exam_id', '=', 'exam.id')
            .where('exam_school.school_id', '=', filter.school_id ?? 0),
        ),
      ]),
    );
  if (filter.classify_id !== undefined) {
    matching = matching.where('exam.category_id', 'in', categoriesBelow(filter.classify_id));
  }
  if (filter.waiting) {
    matching = matching.where(
      'exam.id',
      'in',
      figuresSeen(db, actor)
        .whereRef('exam_figures.submitted_count', '>', 'exam_figures.graded_count')
        .select('exam_figures.exam_id'),
    );
  }
  return pageOf(matching, filter, latestFirst(matching));
}

const joinedExams = (db: Database, actor: Viewer) =>
  db
    .selectFrom('exam')
    .innerJoin('staff', 'staff.id', 'exam.creator_id')
    .innerJoin('school', 'school.id', 'exam.school_id')
    .leftJoin('exam_category', 'exam_category.id', 'exam.category_id')
    .where('exam.id', 'in', examsOf(db, actor));

const latestFirst = (exams: ReturnType<typeof joinedExams>) =>
  exams
    .select([
      'exam.id',
      'exam.name',
      'exam.score',
      'exam.status',
      'exam_category.name as title',
      'staff.real_name as nickname',
      'school.org_name as school_name',
    ])
    .orderBy('exam.created_at', 'desc')
    .orderBy('exam.id', 'desc');

// ---- as it is mostly asked for: nothing narrows the list --------------------------------------------

const isPlain = ({ page: _page, limit: _limit, ...narrowing }: ExamFilter) =>
  Object.values(narrowing).every((value) => !value);

type ViewerIds = Record<'id' | 'schoolId', number>;

// Every exam has a creator and a school: they are counted without.
const countExams = prepared((db, viewer: ViewerIds) =>
  db
    .selectFrom('exam')
    .where('exam.id', 'in', examsOf(db, viewer))
    .select((eb) => eb.fn.countAll<number>().as('total')),
);

const pageRows = prepared((db, { limit, offset, ...viewer }: ViewerIds & Record<'limit' | 'offset', number>) =>
  latestFirst(joinedExams(db, viewer)).limit(limit).offset(offset),
);

async function plainPage(db: Database, { id, schoolId }: Viewer, paging: Paging) {
  const [counted] = await countExams(db, { id, schoolId });
  return pageOf(counted?.total ?? 0, paging, (range) => pageRows(db, { id, schoolId, ...range }));
}

// ---- what is said of each ---------------------------------------------------------------------------

/** The counters of the papers that the actor sees. */
const figuresSeen = (db: Database, actor: Viewer) =>
  db
    .selectFrom('exam_figures')
    .innerJoin('exam as counted', 'counted.id', 'exam_figures.exam_id')
    .where((eb) => eb.or([eb('counted.creator_id', '=', actor.id), eb('exam_figures.school_id', '=', actor.schoolId)]));

const noPapers = { submitted: 0, waiting: 0 };

const paperFigures = prepared((db, { listed, ...viewer }: ViewerIds & { listed: string }) =>
  figuresSeen(db, viewer)
    .where('exam_figures.exam_id', 'in', inJsonIds(db, listed))
    .groupBy('exam_figures.exam_id')
    .select((eb) => [
      'exam_figures.exam_id',
      eb.fn.sum<number>('exam_figures.submitted_count').as('submitted'),
      eb.fn.sum<number>('exam_figures.graded_count').as('graded'),
    ]),
);

/** By exam, of ids in JSON: read from counters, never by counting papers. */
async function paperCounts(
  db: Database,
  { id, schoolId }: Viewer,
  listed: string,
): Promise<Map<number, typeof noPapers>> {
  const rows = await paperFigures(db, { id, schoolId, listed });
  return new Map(rows.map(({ exam_id, submitted, graded }) => [exam_id, { submitted, waiting: submitted - graded }]));
}

/** A category with everything below it. */
export const categoriesBelow = (id: number) => sql<number>`(
  with recursive below (id) as (
    select id from exam_category where id = ${sql.lit(id)}
    union select exam_category.id from exam_category join below on exam_category.parent_id = below.id
  ) select id from below)`;

const schoolsOfListed = prepared((db, { listed }: { listed: string }) =>
  db
    .selectFrom('exam_school')
    .innerJoin('school', 'school.id', 'exam_school.school_id')
    .select(['exam_school.exam_id', 'school.org_name'])
    .where('exam_school.exam_id', 'in', inJsonIds(db, listed))
    .orderBy('school.id'),
);

/** By exam, of ids in JSON: the schools that it is shared with. */
async function sharedSchools(db: Database, listed: string): Promise<Map<number, { org_name: string }[]>> {
  const names = new Map<number, { org_name: string }[]>();
  for (const { exam_id, org_name } of await schoolsOfListed(db, { listed }))
    names.set(exam_id, [...(names.get(exam_id) ?? []), { org_name }]);
  return names;
}

/** The schools of all exams that the actor sees. */
export function schoolsOfExams(db: Database, actor: Actor): Promise<School[]> {
  return db
    .selectFrom('school')
    .select(['id', 'org_name'])
    .where('id', 'in', db.selectFrom('exam').select('school_id').where('id', 'in', examsOf(db, actor)))
    .orderBy('id')
    .execute();
}

/** The schools whose students' reports the actor sees: their own, and those with reports in exams that they made. */
export function schoolsOfReports(db: Database, actor: Actor): Promise<School[]> {
  const made = db.selectFrom('exam').select('id').where('creator_id', '=', actor.id);
  return db
    .selectFrom('school')
    .select(['id', 'org_name'])
    .where((eb) =>
      eb.or([
        eb('id', '=', actor.schoolId),
        eb('id', 'in', db.selectFrom('exam_figures').select('school_id').where('exam_id', 'in', made)),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** The whole tree without what is put away; a category whose parent is gone stands at the top. */
export async function categoryTree(db: Database): Promise<ExamCategory[]> {
  const all = await db
    .selectFrom('exam_category')
    .select(['id', 'parent_id', 'name', 'put_away_at'])
    .orderBy('sort')
    .orderBy('id')
    .execute();
  const rows = offered(all);
  const nodes = new Map<number, ExamCategory>(rows.map(({ id, name }) => [id, { id, name, children: [] }]));
  const top: ExamCategory[] = [];
  for (const { id, parent_id } of rows) {
    const node = nodes.get(id) as ExamCategory;
    const parent = parent_id === null ? undefined : nodes.get(parent_id);
    (parent?.children ?? top).push(node);
  }
  return top;
}
