/** Lists the paths of a tree of knowledge points, such as `函数 / 单调性`; none of a tree that is only a part. */
import type { PickablePoints } from '#server/questions/contract.ts';
import { pathsOfPoints } from '#server/questions/points.rules.ts';

export const pathsOf = ({ points, is_part }: PickablePoints): string[] =>
  is_part === 1 ? [] : pathsOfPoints(points).map(([, path]) => path);
