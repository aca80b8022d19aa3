/** The tree of knowledge points. A school has hundreds of them, so the whole tree is read at once. */
import type { Database } from '#server/platform/db/engine.ts';
import type { KnowledgePoint } from './contract.ts';

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

/** The ids of a point and of everything below it; none where there is no such point. */
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
