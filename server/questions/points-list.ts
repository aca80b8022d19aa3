/**
 * The tree of knowledge points for administrators. It is read as a whole, because it has only some thousand short rows.
 */

import { versionTokenOf } from '#server/platform/calls/optimistic-edit.ts';
import { missing, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { PointFilter, PointRecord, PointRow } from './points.contract.ts';
import { missingPoint } from './points.rules.ts';

export interface StoredPoint {
  id: number;
  parent_id: number | null;
  name: string;
  sort: number;
  subject_id: number | null;
}

/** Points by id, and the children of each parent id in order. Top points are the children of 0. */
export interface PointTree {
  byId: ReadonlyMap<number, StoredPoint>;
  below: ReadonlyMap<number, readonly StoredPoint[]>;
}

export async function readTree(db: Database): Promise<PointTree> {
  const points = await db
    .selectFrom('knowledge_point')
    .select(['id', 'parent_id', 'name', 'sort', 'subject_id'])
    .orderBy('sort')
    .orderBy('id')
    .execute();
  const below = new Map<number, StoredPoint[]>();
  for (const point of points) {
    const siblings = below.get(point.parent_id ?? 0);
    if (siblings) siblings.push(point);
    else below.set(point.parent_id ?? 0, [point]);
  }
  return { byId: new Map(points.map((point) => [point.id, point])), below };
}

/** Returns the ancestors of a point, the top one first. */
export function ancestorsOf({ byId }: PointTree, point: StoredPoint): StoredPoint[] {
  const found: StoredPoint[] = [];
  const seen = new Set([point.id]);
  for (let at = byId.get(point.parent_id ?? 0); at && !seen.has(at.id); at = byId.get(at.parent_id ?? 0)) {
    seen.add(at.id);
    found.unshift(at);
  }
  return found;
}

/** Lists a page of the tree as far as it is unfolded, or of the points whose name matches. */
export async function pointPage(db: Database, filter: PointFilter): Promise<Page<PointRow>> {
  const tree = await readTree(db);
  const shown = rowsShown(tree, filter);
  const { list, ...range } = await pageOf(shown.length, filter, ({ limit, offset }) =>
    shown.slice(offset, offset + limit),
  );
  const unfolded = unfoldedIn(tree, filter);
  const rows = await pointRows(db, tree, list);
  return { list: rows.map((row) => ({ ...row, is_open: unfolded(row.id) ? 1 : 0 })), ...range };
}

/** Returns one knowledge point. 404: no such point. */
export async function pointRecord(db: Database, id: number): Promise<PointRecord | Refusal> {
  const tree = await readTree(db);
  const point = tree.byId.get(id);
  const [row] = point ? await pointRows(db, tree, [point]) : [];
  if (!point || !row) return missing(missingPoint);
  return { ...row, seen: versionTokenOf(editedPoint(point)) };
}

export const editedPoint = ({ name, subject_id }: Pick<StoredPoint, 'name' | 'subject_id'>) => ({
  name,
  subject_id: subject_id ?? 0,
});

/** Returns a function that says whether a point's children are shown. */
function unfoldedIn(tree: PointTree, { name, open, whole }: PointFilter): (id: number) => boolean {
  if (name !== undefined) return () => false;
  if (whole === 1) return (id) => tree.below.has(id);
  const point = open === undefined ? undefined : tree.byId.get(open);
  const ids = new Set(point ? [...ancestorsOf(tree, point), point].map(({ id }) => id) : []);
  return (id) => ids.has(id) && tree.below.has(id);
}

function rowsShown(tree: PointTree, filter: PointFilter): StoredPoint[] {
  const { name, subject_id } = filter;
  const sought = name === undefined ? undefined : normalizeName(name);
  const isUnfolded = sought === undefined ? unfoldedIn(tree, filter) : () => true;
  const rows: StoredPoint[] = [];
  const follow = (points: readonly StoredPoint[] = []) => {
    for (const point of points) {
      if (sought === undefined || normalizeName(point.name).includes(sought)) rows.push(point);
      if (isUnfolded(point.id)) follow(tree.below.get(point.id));
    }
  };
  const top = tree.below.get(0) ?? [];
  follow(subject_id === undefined ? top : top.filter((point) => point.subject_id === subject_id));
  return rows;
}

async function pointRows(
  db: Database,
  tree: PointTree,
  points: readonly StoredPoint[],
): Promise<Omit<PointRow, 'is_open'>[]> {
  if (points.length === 0) return [];
  const [subjects, questions] = await Promise.all([
    db.selectFrom('subject').select(['id', 'name']).execute(),
    questionsOf(
      db,
      points.map(({ id }) => id),
    ),
  ]);
  return points.map((point) => {
    const path = ancestorsOf(tree, point);
    const { subject_id } = path[0] ?? point;
    return {
      id: point.id,
      name: point.name,
      parent_id: point.parent_id,
      path: path.map(({ name }) => name),
      subject_id,
      subject_name: subjects.find(({ id }) => id === subject_id)?.name ?? '',
      children: tree.below.get(point.id)?.length ?? 0,
      questions: questions.get(point.id) ?? 0,
    };
  });
}

/** Counts the questions of each point over all banks, without the questions of points below it. */
async function questionsOf(db: Database, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('question_count')
    .select(['point_id', 'questions'])
    .where('point_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ point_id, questions }) => [point_id, questions]));
}
