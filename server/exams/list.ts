import { type SelectQueryBuilder, sql } from 'kysely';
import { pointsMode, unitsPerPoint } from '#server/grading/rules.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { inJsonIds } from '#server/platform/db/json-rows.ts';
import { pageOf, type RowRange } from '#server/platform/db/page.ts';
import { type Operand, type Placeholders, prepared } from '#server/platform/db/prepared.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { nameLike, namePattern } from '#server/platform/db/search.ts';
import { notArchived } from '#server/school/archive.ts';
import type { ExamCategory, ExamFilter, ExamRow, School } from './contract.ts';
import { classesByExam } from './exam-classes.ts';
import { examPoints } from './rules.ts';
import { examsOf, isForClass, type Person, type Viewer } from './visible.ts';

/** Lists visible exams, latest first. */
export async function examPage(db: Database, actor: Actor, filter: ExamFilter) {
  const { list: rows, ...range } = await searchPage(db, actor, filter);
  const listed = JSON.stringify(rows.map((row) => row.id));
  const shared = await sharedSchools(db, listed);
  const classes = await classesByExam(
    db,
    rows.flatMap(({ id, by_class }) => (by_class === 1 ? [id] : [])),
  );
  const counts = await paperCounts(db, actor, listed);
  const list = rows.map(
    (row): ExamRow => ({
      id: row.id,
      name: row.name,
      title: row.title ?? '',
      score: examPoints(row.score),
      status: row.status,
      share_school_name: shared.get(row.id) ?? [],
      class_names: (classes.get(row.id) ?? []).map(({ name }) => name),
      nickname: row.nickname,
      school_name: row.school_name,
      ...(counts.get(row.id) ?? noPapers),
    }),
  );
  return { list, ...range };
}

async function searchPage(db: Database, { id, schoolId }: Person, filter: ExamFilter) {
  const { status, min_score, school_id, class_id, classify_id, waiting } = filter;
  const values = {
    id,
    schoolId,
    name: filter.name ? namePattern(filter.name) : undefined,
    nickname: filter.nickname ? namePattern(filter.nickname) : undefined,
    minScore: min_score === undefined ? undefined : min_score * unitsPerPoint(pointsMode),
    status,
    ofSchool: school_id,
    ofClass: class_id,
    category: classify_id,
  };
  const variant = waiting ? 'waiting' : 'all';
  const [counted] = await countExams(db, values, variant);
  return pageOf(counted?.total ?? 0, filter, (range) => examRows(db, { ...values, ...range }, variant));
}

/** Values of the filters. Names are patterns built by `namePattern`. */
interface Narrowing {
  id: number;
  schoolId: number;
  name: string | undefined;
  nickname: string | undefined;
  minScore: number | undefined;
  status: 1 | 2 | undefined;
  ofSchool: number | undefined;
  ofClass: number | undefined;
  category: number | undefined;
}

const countExams = prepared((db, at: Placeholders<Narrowing>, which: 'waiting' | 'all') =>
  // Tables are joined only for filters that need them: each exam has exactly one creator and one school, so the count
  // stays the same.
  filterExams(db, at.nickname ? joinedExams(db) : db.selectFrom('exam'), at, which).select((eb) =>
    eb.fn.countAll<number>().as('total'),
  ),
);

const examRows = prepared((db, at: Placeholders<Narrowing & RowRange>, which: 'waiting' | 'all') =>
  filterExams(db, joinedExams(db), at, which)
    .select([
      'exam.id',
      'exam.name',
      'exam.score',
      'exam.status',
      'exam.by_class',
      'exam_category.name as title',
      'staff.real_name as nickname',
      'school.org_name as school_name',
    ])
    .orderBy('exam.created_at', 'desc')
    .orderBy('exam.id', 'desc')
    .limit(at.limit)
    .offset(at.offset),
);

const joinedExams = (db: Database) =>
  db
    .selectFrom('exam')
    .innerJoin('staff', 'staff.id', 'exam.creator_id')
    .innerJoin('school', 'school.id', 'exam.school_id')
    .leftJoin('exam_category', 'exam_category.id', 'exam.category_id');

function filterExams(
  db: Database,
  exams: SelectQueryBuilder<Tables, 'exam', object>,
  at: Placeholders<Narrowing>,
  which: 'waiting' | 'all',
) {
  let matching = exams.where('exam.id', 'in', examsOf(db, at)) as ReturnType<typeof joinedExams>;
  const { ofSchool } = at;
  if (at.name) matching = matching.where(nameLike('exam.name', at.name));
  if (at.nickname) matching = matching.where(nameLike('staff.real_name', at.nickname));
  if (at.minScore) matching = matching.where('exam.score', '>=', at.minScore);
  if (at.status) matching = matching.where('exam.status', '=', at.status);
  if (ofSchool)
    matching = matching.where((eb) =>
      eb.or([
        eb('exam.school_id', '=', ofSchool),
        eb.exists(
          eb
            .selectFrom('exam_school')
            .select('exam_school.exam_id')
            .whereRef('exam_school.exam_id', '=', 'exam.id')
            .where('exam_school.school_id', '=', ofSchool),
        ),
      ]),
    );
  if (at.ofClass) matching = matching.where(isForClass(db, at.ofClass));
  if (at.category) matching = matching.where('exam.category_id', 'in', categoriesBelow(at.category));
  if (which === 'waiting') {
    matching = matching.where(
      'exam.id',
      'in',
      figuresSeen(db, at)
        .whereRef('exam_figures.submitted_count', '>', 'exam_figures.graded_count')
        .select('exam_figures.exam_id'),
    );
  }
  return matching;
}

/** Stored counters of the reports that the user sees. */
const figuresSeen = (db: Database, actor: Viewer) =>
  db
    .selectFrom('exam_figures')
    .innerJoin('exam as counted', 'counted.id', 'exam_figures.exam_id')
    .where((eb) => eb.or([eb('counted.creator_id', '=', actor.id), eb('exam_figures.school_id', '=', actor.schoolId)]));

const noPapers = { submitted: 0, waiting: 0 };

const paperFigures = prepared((db, { listed, ...viewer }: Placeholders<Person & { listed: string }>) =>
  figuresSeen(db, viewer)
    .where('exam_figures.exam_id', 'in', inJsonIds(db, listed))
    .groupBy('exam_figures.exam_id')
    .select((eb) => [
      'exam_figures.exam_id',
      eb.fn.sum<number>('exam_figures.submitted_count').as('submitted'),
      eb.fn.sum<number>('exam_figures.graded_count').as('graded'),
    ]),
);

/** Reads the stored counters of each exam, which is faster than counting reports. `listed`: ids as JSON. */
async function paperCounts(
  db: Database,
  { id, schoolId }: Person,
  listed: string,
): Promise<Map<number, typeof noPapers>> {
  const rows = await paperFigures(db, { id, schoolId, listed });
  return new Map(rows.map(({ exam_id, submitted, graded }) => [exam_id, { submitted, waiting: submitted - graded }]));
}

/** SQL for the ids of a category and all its subcategories. */
export const categoriesBelow = (id: Operand<number>) => sql<number>`(
  with recursive below (id) as (
    select id from exam_category where id = ${id}
    union select exam_category.id from exam_category join below on exam_category.parent_id = below.id
  ) select id from below)`;

const schoolsOfListed = prepared((db, { listed }: Placeholders<{ listed: string }>) =>
  db
    .selectFrom('exam_school')
    .innerJoin('school', 'school.id', 'exam_school.school_id')
    .select(['exam_school.exam_id', 'school.org_name'])
    .where('exam_school.exam_id', 'in', inJsonIds(db, listed))
    .orderBy('school.id'),
);

/** Returns the schools that each exam is shared with. `listed`: ids as JSON. */
async function sharedSchools(db: Database, listed: string): Promise<Map<number, { org_name: string }[]>> {
  const names = new Map<number, { org_name: string }[]>();
  for (const { exam_id, org_name } of await schoolsOfListed(db, { listed }))
    names.set(exam_id, [...(names.get(exam_id) ?? []), { org_name }]);
  return names;
}

/** Returns the schools of all visible exams. */
export const schoolsOfExams = (db: Database, { id, schoolId }: Actor): Promise<School[]> =>
  examSchools(db, { id, schoolId });

const examSchools = prepared((db, viewer: Placeholders<Person>) =>
  db
    .selectFrom('school')
    .select(['id', 'org_name'])
    .where('id', 'in', db.selectFrom('exam').select('school_id').where('id', 'in', examsOf(db, viewer)))
    .orderBy('id'),
);

/** Returns the schools of visible reports: the user's own, and those with reports in exams that the user created. */
export const schoolsOfReports = (db: Database, { id, schoolId }: Actor): Promise<School[]> =>
  reportSchools(db, { id, schoolId });

const reportSchools = prepared((db, { id, schoolId }: Placeholders<Person>) =>
  db
    .selectFrom('school')
    .select(['id', 'org_name'])
    .where((eb) =>
      eb.or([
        eb('id', '=', schoolId),
        eb('id', 'in', (reports) =>
          reports
            .selectFrom('exam_figures')
            .select('school_id')
            .where('exam_id', 'in', (exams) => exams.selectFrom('exam').select('exam.id').where('creator_id', '=', id)),
        ),
      ]),
    )
    .orderBy('id'),
);

const categories = prepared((db) =>
  db.selectFrom('exam_category').select(['id', 'parent_id', 'name', 'put_away_at']).orderBy('sort').orderBy('id'),
);

/**
 * Returns the category tree without archived categories. A category whose parent is archived moves to the top level.
 */
export async function categoryTree(db: Database): Promise<ExamCategory[]> {
  const rows = notArchived(await categories(db, {}));
  const nodes = new Map<number, ExamCategory>(rows.map(({ id, name }) => [id, { id, name, children: [] }]));
  const top: ExamCategory[] = [];
  for (const { id, parent_id } of rows) {
    const node = nodes.get(id) as ExamCategory;
    const parent = parent_id === null ? undefined : nodes.get(parent_id);
    (parent?.children ?? top).push(node);
  }
  return top;
}
