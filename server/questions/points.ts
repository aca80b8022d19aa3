/** Returns the whole tree of knowledge points; a school has some thousands at most. */
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { normalizeName } from '#server/platform/text/name-matching.ts';
import type { KnowledgePoint, PartialPoint, PickablePoints, PointSearch } from './contract.ts';
import {
  ambiguousPoint,
  maxFoundPoints,
  maxWholePoints,
  pathsOfPoints,
  pointSeparator,
  unknownPointMessage,
} from './points.rules.ts';

export async function pointTree(db: Database): Promise<KnowledgePoint[]> {
  const rows = await db
    .selectFrom('knowledge_point')
    .select(['id', 'parent_id', 'name'])
    .orderBy('sort')
    .orderBy('id')
    .execute();
  const points = new Map(rows.map(({ id, name }): [number, KnowledgePoint] => [id, { id, name, children: [] }]));
  const roots: KnowledgePoint[] = [];
  for (const { id, parent_id } of rows) {
    const point = points.get(id) as KnowledgePoint;
    const siblings = parent_id === null ? roots : points.get(parent_id)?.children;
    siblings?.push(point);
  }
  return roots;
}

/** Returns the tree for a picker: all of it, or the part that is needed if it is large. */
export async function pickPointTree(db: Database, { point_id, point_name }: PointSearch): Promise<PickablePoints> {
  const points = await pointTree(db);
  if (sizeOf(points) <= maxWholePoints) return { points, is_part: 0 };
  const sought = point_name === undefined ? undefined : normalizeName(point_name);
  let found = 0;
  const isFound = ({ name }: KnowledgePoint) => {
    if (sought === undefined || found >= maxFoundPoints || !normalizeName(name).includes(sought)) return false;
    found += 1;
    return true;
  };
  /** Selects the points to return. `isOpen`: returns all children, unless a name is searched. */
  const part = (all: readonly KnowledgePoint[], isOpen: boolean): PartialPoint[] =>
    all.flatMap((point) => {
      const isChosen = point.id === point_id;
      const itself = isFound(point);
      const leads = isChosen || point.children.some((child) => containsPoint(child, point_id));
      const children = part(point.children, leads);
      if (!itself && children.length === 0 && !isChosen && !isOpen) return [];
      const more = point.children.length - children.length;
      return [{ id: point.id, name: point.name, children, ...(more > 0 && { more }) }];
    });
  return { points: part(points, sought === undefined), is_part: 1 };
}

const sizeOf = (points: readonly KnowledgePoint[]): number =>
  points.reduce((size, { children }) => size + 1 + sizeOf(children), 0);

/** True if the id belongs to this point or to one below it. */
const containsPoint = (point: KnowledgePoint, id: number | undefined): boolean =>
  id !== undefined && (point.id === id || point.children.some((child) => containsPoint(child, id)));

/** Returns the ids of a point and of all points below it; empty if the point does not exist. */
export async function pointWithChildren(db: Database, pointId: number): Promise<number[]> {
  const ids = (point: KnowledgePoint): number[] => [point.id, ...point.children.flatMap(ids)];
  const find = (points: KnowledgePoint[]): KnowledgePoint | undefined => {
    for (const point of points) {
      const found = point.id === pointId ? point : find(point.children);
      if (found) return found;
    }
    return undefined;
  };
  const point = find(await pointTree(db));
  return point ? ids(point) : [];
}

/** Returns the path of each knowledge point by id, such as `函数 / 单调性`. */
export const pointPaths = async (db: Database): Promise<Map<number, string>> =>
  new Map(pathsOfPoints(await pointTree(db)));

/** Finds a knowledge point by its path, or by a name that no other point has; null for ''. 422: none or several. */
export async function namedPoint(db: Database, text: string): Promise<number | null | Refusal> {
  const sought = normalizeName(text);
  if (sought === '') return null;
  const paths = [...(await pointPaths(db))];
  const byPath = paths.find(([, path]) => normalizeName(path) === sought);
  if (byPath) return byPath[0];
  const byName = paths.filter(([, path]) => normalizeName(path.split(pointSeparator).at(-1) ?? '') === sought);
  const [only, ...others] = byName;
  if (only && others.length === 0) return only[0];
  const shown = text.trim();
  return invalid({
    point: [
      only
        ? ambiguousPoint(
            shown,
            byName.map(([, path]) => path),
          )
        : unknownPointMessage(shown),
    ],
  });
}

/** Returns the ids of the points whose name contains the text, and of all points below them. */
export async function pointsNamed(db: Database, text: string): Promise<number[]> {
  const sought = normalizeName(text);
  const ids: number[] = [];
  const add = (points: readonly KnowledgePoint[], isBelow: boolean) => {
    for (const { id, name, children } of points) {
      const isFound = isBelow || normalizeName(name).includes(sought);
      if (isFound) ids.push(id);
      add(children, isFound);
    }
  };
  add(await pointTree(db), false);
  return ids;
}
