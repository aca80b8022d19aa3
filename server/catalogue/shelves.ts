/** How each catalogue is kept: its table, and by what its entries are used. */
import type { Insertable } from 'kysely';
import { classesInPlaceOf, termsInPlaceOf } from '#server/classes/merged.ts';
import { coursesInPlaceOf } from '#server/courses/merged.ts';
import { waresInPlaceOf } from '#server/courseware/merged.ts';
import { examsInPlaceOf } from '#server/exams/merged.ts';
import { teamsInPlaceOf } from '#server/group-classes/merged.ts';
import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { unusedIds } from '#server/platform/db/history.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { pointsInPlaceOf } from '#server/questions/merged.ts';
import { schoolsOf } from '#server/school/administered.ts';
import { saidCounts } from '#server/school/rules.ts';
import { sessionsInPlaceOf } from '#server/sessions/merged.ts';
import { type Entry, inOrder, type Placed } from './levels.ts';
import type { CatalogueKind } from './rules.ts';

/** Whose schools they are. */
type Viewer = Pick<Actor, 'id' | 'everySchool'>;
type RoomRow = Insertable<Tables['room']>;

type Stored = Pick<Entry, 'id' | 'name' | 'sort' | 'put_away_at'> & Partial<Entry>;
type Kept = Omit<Entry, 'id' | 'put_away_at'>;
/** What a change of an entry may set. */
export type Change = Partial<Omit<Entry, 'id'>>;

interface Count {
  of: number | null;
  count: number;
}

export interface Merged {
  from: number;
  into: number;
}

interface Shelf {
  /** As the history names its records. */
  record: string;
  all(db: Database): Promise<Stored[]>;
  add(db: Database, entry: Kept): Promise<{ id: number }>;
  change(db: Database, id: number, change: Change): Promise<unknown>;
  remove(db: Database, id: number): Promise<unknown>;
  /** Whatever uses one entry uses another from now on, but what stands below it. */
  replace(db: Database, one: Merged): readonly Promise<unknown>[];
  /** By what each of the entries is used, in the schools of whoever asks. */
  uses(db: Database, actor: Viewer, ids: readonly number[]): readonly (readonly [what: string, Promise<Count[]>])[];
}

export const shelves: Record<CatalogueKind, Shelf> = {
  grades: {
    record: 'grade',
    all: (db) => db.selectFrom('grade').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('grade').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('grade').set(plain(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('grade').where('id', '=', id).execute(),
    replace: (db, one) => [classesInPlaceOf(db, 'grade_id', one), coursesInPlaceOf(db, 'grade_id', one)],
    uses: (db, actor, ids) => [
      [
        '个班级',
        db
          .selectFrom('class')
          .select((eb) => ['class.grade_id as of', eb.fn.countAll<number>().as('count')])
          .where('class.grade_id', 'in', ids)
          .where('class.school_id', 'in', schoolsOf(db, actor))
          .groupBy('class.grade_id')
          .execute(),
      ],
      [
        '门课程',
        db
          .selectFrom('course')
          .select((eb) => ['course.grade_id as of', eb.fn.countAll<number>().as('count')])
          .where('course.grade_id', 'in', ids)
          .where('course.school_id', 'in', schoolsOf(db, actor))
          .groupBy('course.grade_id')
          .execute(),
      ],
    ],
  },
  categories: {
    record: 'classify',
    all: (db) => db.selectFrom('classify').select(['id', 'parent_id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort, parent_id }) =>
      db.insertInto('classify').values({ name, sort, parent_id }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('classify').set(levelled(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('classify').where('id', '=', id).execute(),
    replace: (db, one) => [classesInPlaceOf(db, 'classify_id', one), coursesInPlaceOf(db, 'classify_id', one)],
    uses: (db, actor, ids) => [
      [
        '个下级',
        db
          .selectFrom('classify')
          .select((eb) => ['parent_id as of', eb.fn.countAll<number>().as('count')])
          .where('parent_id', 'in', ids)
          .groupBy('parent_id')
          .execute(),
      ],
      [
        '个班级',
        db
          .selectFrom('class')
          .select((eb) => ['class.classify_id as of', eb.fn.countAll<number>().as('count')])
          .where('class.classify_id', 'in', ids)
          .where('class.school_id', 'in', schoolsOf(db, actor))
          .groupBy('class.classify_id')
          .execute(),
      ],
      [
        '门课程',
        db
          .selectFrom('course')
          .select((eb) => ['course.classify_id as of', eb.fn.countAll<number>().as('count')])
          .where('course.classify_id', 'in', ids)
          .where('course.school_id', 'in', schoolsOf(db, actor))
          .groupBy('course.classify_id')
          .execute(),
      ],
    ],
  },
  subjects: {
    record: 'subject',
    all: (db) => db.selectFrom('subject').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('subject').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('subject').set(plain(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('subject').where('id', '=', id).execute(),
    replace: (db, one) => [
      coursesInPlaceOf(db, 'subject_id', one),
      teamsInPlaceOf(db, 'subject_id', one),
      pointsInPlaceOf(db, one),
    ],
    uses: (db, actor, ids) => [
      [
        '门课程',
        db
          .selectFrom('course')
          .select((eb) => ['course.subject_id as of', eb.fn.countAll<number>().as('count')])
          .where('course.subject_id', 'in', ids)
          .where('course.school_id', 'in', schoolsOf(db, actor))
          .groupBy('course.subject_id')
          .execute(),
      ],
      [
        '个团课班级',
        db
          .selectFrom('team_class')
          .innerJoin('class', 'class.id', 'team_class.class_id')
          .select((eb) => ['team_class.subject_id as of', eb.fn.countAll<number>().as('count')])
          .where('team_class.subject_id', 'in', ids)
          .where('class.school_id', 'in', schoolsOf(db, actor))
          .groupBy('team_class.subject_id')
          .execute(),
      ],
      [
        '个知识点',
        db
          .selectFrom('knowledge_point')
          .select((eb) => ['subject_id as of', eb.fn.countAll<number>().as('count')])
          .where('subject_id', 'in', ids)
          .groupBy('subject_id')
          .execute(),
      ],
    ],
  },
  rooms: {
    record: 'room',
    all: (db) => db.selectFrom('room').select(['id', 'school_id', 'name', 'sort', 'seats', 'put_away_at']).execute(),
    add: (db, { name, sort, school_id, seats }) => {
      const room: RoomRow = { name, sort, school_id: school_id ?? 0, seats };
      return db.insertInto('room').values(room).returning('id').executeTakeFirstOrThrow();
    },
    change: (db, id, { school_id, seats, ...change }) =>
      db
        .updateTable('room')
        .set({
          ...plain(change),
          ...(school_id !== undefined && school_id !== null && { school_id }),
          ...(seats !== undefined && { seats }),
        })
        .where('id', '=', id)
        .execute(),
    remove: (db, id) => db.deleteFrom('room').where('id', '=', id).execute(),
    replace: (db, one) => [sessionsInPlaceOf(db, one), teamsInPlaceOf(db, 'room_id', one)],
    // Whose school they are of is asked before: all that meet there count.
    uses: (db, _, ids) => [
      [
        '节课次',
        db
          .selectFrom('class_session')
          .select((eb) => ['room_id as of', eb.fn.countAll<number>().as('count')])
          .where('room_id', 'in', ids)
          .groupBy('room_id')
          .execute(),
      ],
      [
        '个团课班级',
        db
          .selectFrom('team_class')
          .select((eb) => ['room_id as of', eb.fn.countAll<number>().as('count')])
          .where('room_id', 'in', ids)
          .groupBy('room_id')
          .execute(),
      ],
    ],
  },
  terms: {
    record: 'term',
    all: (db) =>
      db
        .selectFrom('term')
        .select(['id', 'parent_id', 'name', 'sort', 'type', 'first_day', 'last_day', 'put_away_at'])
        .execute(),
    add: async (db, { name, sort, parent_id, type, first_day, last_day }) => {
      const [id = 0] = await unusedIds(db, { table: 'term', record: 'term', count: 1 });
      const term = { id, name, sort, parent_id, type: type || 'term', first_day, last_day, put_away_at: null } as const;
      return db.insertInto('term').values(term).returning('id').executeTakeFirstOrThrow();
    },
    change: (db, id, { type, first_day, last_day, ...change }) =>
      db
        .updateTable('term')
        .set({
          ...levelled(change),
          ...(type && { type }),
          ...(first_day !== undefined && { first_day }),
          ...(last_day !== undefined && { last_day }),
        })
        .where('id', '=', id)
        .execute(),
    remove: (db, id) => db.deleteFrom('term').where('id', '=', id).execute(),
    replace: (db, one) => [termsInPlaceOf(db, one)],
    uses: (db, actor, ids) => [
      [
        '个下级',
        db
          .selectFrom('term')
          .select((eb) => ['parent_id as of', eb.fn.countAll<number>().as('count')])
          .where('parent_id', 'in', ids)
          .groupBy('parent_id')
          .execute(),
      ],
      [
        '个班级',
        db
          .selectFrom('class_term')
          .innerJoin('class', 'class.id', 'class_term.class_id')
          .select((eb) => ['class_term.term_id as of', eb.fn.countAll<number>().as('count')])
          .where('class_term.term_id', 'in', ids)
          .where('class.school_id', 'in', schoolsOf(db, actor))
          .groupBy('class_term.term_id')
          .execute(),
      ],
    ],
  },
  'ware-categories': {
    record: 'ware_classify',
    all: (db) => db.selectFrom('ware_classify').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('ware_classify').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('ware_classify').set(plain(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('ware_classify').where('id', '=', id).execute(),
    replace: (db, one) => [waresInPlaceOf(db, one)],
    uses: (db, actor, ids) => [
      [
        '份课件',
        db
          .selectFrom('courseware')
          .select((eb) => ['courseware.classify_id as of', eb.fn.countAll<number>().as('count')])
          .where('courseware.classify_id', 'in', ids)
          .where('courseware.school_id', 'in', schoolsOf(db, actor))
          .groupBy('courseware.classify_id')
          .execute(),
      ],
      [
        '份班级课件',
        db
          .selectFrom('class_ware')
          .innerJoin('class', 'class.id', 'class_ware.class_id')
          .select((eb) => ['class_ware.classify_id as of', eb.fn.countAll<number>().as('count')])
          .where('class_ware.classify_id', 'in', ids)
          .where('class.school_id', 'in', schoolsOf(db, actor))
          .groupBy('class_ware.classify_id')
          .execute(),
      ],
    ],
  },
  'exam-categories': {
    record: 'exam_category',
    all: (db) => db.selectFrom('exam_category').select(['id', 'parent_id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort, parent_id }) =>
      db.insertInto('exam_category').values({ name, sort, parent_id }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('exam_category').set(levelled(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('exam_category').where('id', '=', id).execute(),
    replace: (db, one) => [examsInPlaceOf(db, one)],
    uses: (db, actor, ids) => [
      [
        '个下级',
        db
          .selectFrom('exam_category')
          .select((eb) => ['parent_id as of', eb.fn.countAll<number>().as('count')])
          .where('parent_id', 'in', ids)
          .groupBy('parent_id')
          .execute(),
      ],
      [
        '场考试',
        db
          .selectFrom('exam')
          .select((eb) => ['exam.category_id as of', eb.fn.countAll<number>().as('count')])
          .where('exam.category_id', 'in', ids)
          .where('exam.school_id', 'in', schoolsOf(db, actor))
          .groupBy('exam.category_id')
          .execute(),
      ],
    ],
  },
};

/** What every catalogue has of a change. */
function plain({ name, sort, put_away_at }: Change) {
  return {
    ...(name !== undefined && { name }),
    ...(sort !== undefined && { sort }),
    ...(put_away_at !== undefined && { put_away_at }),
  };
}

const levelled = (change: Change) => ({
  ...plain(change),
  ...(change.parent_id !== undefined && { parent_id: change.parent_id }),
});

/** What an entry is where its table does not have it. */
export const plainEntry = {
  parent_id: null,
  school_id: null,
  seats: 0,
  type: '',
  first_day: '',
  last_day: '',
} as const;

/** All entries of a catalogue in their order: what stands below an entry follows it. Those of a school stand together. */
export async function entriesOf(db: Database, kind: CatalogueKind): Promise<Placed[]> {
  const rows = await shelves[kind].all(db);
  return inOrder(rows.map((row) => ({ ...plainEntry, ...row })));
}

/** By id, what uses an entry, in words; those that nothing uses are left out. */
export async function usesOf(
  db: Database,
  actor: Viewer,
  kind: CatalogueKind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const counted = await Promise.all(
    shelves[kind].uses(db, actor, ids).map(async ([what, rows]) => ({ what, rows: await rows })),
  );
  return new Map(
    ids
      .map((id): [number, string] => [
        id,
        saidCounts(counted.map(({ what, rows }) => [rows.find((row) => row.of === id)?.count ?? 0, what])),
      ])
      .filter(([, uses]) => uses !== ''),
  );
}
