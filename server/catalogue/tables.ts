/** Access to the table of each catalogue. */
import type { Insertable } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { newRecordIds } from '#server/platform/db/history.ts';
import type { Tables } from '#server/platform/db/schema.ts';
import { countsText } from '#server/school/rules.ts';
import { type Entry, type EntryWithDepth, sortTree } from './levels.ts';
import { countReferences, type Viewer } from './references.ts';
import type { CatalogueKind } from './rules.ts';

type RoomRow = Insertable<Tables['room']>;

type StoredEntry = Pick<Entry, 'id' | 'name' | 'sort' | 'put_away_at'> & Partial<Entry>;
type NewEntryRow = Omit<Entry, 'id' | 'put_away_at'>;
/** Columns that a change may set. */
export type Change = Partial<Omit<Entry, 'id'>>;

interface CatalogueTable {
  /** Name of the record type in the history. */
  record: string;
  all(db: Database): Promise<StoredEntry[]>;
  add(db: Database, entry: NewEntryRow): Promise<{ id: number }>;
  change(db: Database, id: number, change: Change): Promise<unknown>;
  remove(db: Database, id: number): Promise<unknown>;
}

export const catalogueTables: Record<CatalogueKind, CatalogueTable> = {
  grades: {
    record: 'grade',
    all: (db) => db.selectFrom('grade').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('grade').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('grade').set(commonColumns(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('grade').where('id', '=', id).execute(),
  },
  categories: {
    record: 'classify',
    all: (db) => db.selectFrom('classify').select(['id', 'parent_id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort, parent_id }) =>
      db.insertInto('classify').values({ name, sort, parent_id }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('classify').set(treeColumns(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('classify').where('id', '=', id).execute(),
  },
  subjects: {
    record: 'subject',
    all: (db) => db.selectFrom('subject').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('subject').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('subject').set(commonColumns(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('subject').where('id', '=', id).execute(),
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
          ...commonColumns(change),
          ...(school_id !== undefined && school_id !== null && { school_id }),
          ...(seats !== undefined && { seats }),
        })
        .where('id', '=', id)
        .execute(),
    remove: (db, id) => db.deleteFrom('room').where('id', '=', id).execute(),
  },
  terms: {
    record: 'term',
    all: (db) =>
      db
        .selectFrom('term')
        .select(['id', 'parent_id', 'name', 'sort', 'type', 'first_day', 'last_day', 'put_away_at'])
        .execute(),
    add: async (db, { name, sort, parent_id, type, first_day, last_day }) => {
      const [id = 0] = await newRecordIds(db, { table: 'term', record: 'term', count: 1 });
      const term = { id, name, sort, parent_id, type: type || 'term', first_day, last_day, put_away_at: null } as const;
      return db.insertInto('term').values(term).returning('id').executeTakeFirstOrThrow();
    },
    change: (db, id, { type, first_day, last_day, ...change }) =>
      db
        .updateTable('term')
        .set({
          ...treeColumns(change),
          ...(type && { type }),
          ...(first_day !== undefined && { first_day }),
          ...(last_day !== undefined && { last_day }),
        })
        .where('id', '=', id)
        .execute(),
    remove: (db, id) => db.deleteFrom('term').where('id', '=', id).execute(),
  },
  'ware-categories': {
    record: 'ware_classify',
    all: (db) => db.selectFrom('ware_classify').select(['id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort }) =>
      db.insertInto('ware_classify').values({ name, sort }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) =>
      db.updateTable('ware_classify').set(commonColumns(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('ware_classify').where('id', '=', id).execute(),
  },
  'exam-categories': {
    record: 'exam_category',
    all: (db) => db.selectFrom('exam_category').select(['id', 'parent_id', 'name', 'sort', 'put_away_at']).execute(),
    add: (db, { name, sort, parent_id }) =>
      db.insertInto('exam_category').values({ name, sort, parent_id }).returning('id').executeTakeFirstOrThrow(),
    change: (db, id, change) => db.updateTable('exam_category').set(treeColumns(change)).where('id', '=', id).execute(),
    remove: (db, id) => db.deleteFrom('exam_category').where('id', '=', id).execute(),
  },
};

/** Picks the columns that every catalogue has. */
function commonColumns({ name, sort, put_away_at }: Change) {
  return {
    ...(name !== undefined && { name }),
    ...(sort !== undefined && { sort }),
    ...(put_away_at !== undefined && { put_away_at }),
  };
}

const treeColumns = (change: Change) => ({
  ...commonColumns(change),
  ...(change.parent_id !== undefined && { parent_id: change.parent_id }),
});

/** Empty values for columns that only other catalogue tables have. */
export const emptyEntry = {
  parent_id: null,
  school_id: null,
  seats: 0,
  type: '',
  first_day: '',
  last_day: '',
} as const;

/** Returns all entries of a catalogue, depth-first. Entries of one school are adjacent. */
export async function entriesOf(db: Database, kind: CatalogueKind): Promise<EntryWithDepth[]> {
  const rows = await catalogueTables[kind].all(db);
  return sortTree(rows.map((row) => ({ ...emptyEntry, ...row })));
}

/** Returns the uses of entries in words, by id. Unused entries are left out. */
export async function usesOf(
  db: Database,
  actor: Viewer,
  kind: CatalogueKind,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const used = await countReferences(db, actor, kind, ids);
  return new Map(
    ids
      .map((id): [number, string] => [
        id,
        countsText(used.map(({ counted, counts }) => [counts.get(id) ?? 0, counted])),
      ])
      .filter(([, uses]) => uses !== ''),
  );
}
