/** Lists the paths of a tree of knowledge points, such as `函数 / 单调性`; none of a tree that is only a part. */
import type { PartialPoint, PickablePoints } from '#server/questions/contract.ts';
import { pointSeparator } from '#server/questions/rules.ts';

export const pathsOf = ({ points, is_part }: PickablePoints): string[] => (is_part === 1 ? [] : below(points, ''));

const below = (points: readonly PartialPoint[], above: string): string[] =>
  points.flatMap(({ name, children }) => {
    const path = above === '' ? name : `${above}${pointSeparator}${name}`;
    return [path, ...below(children, path)];
  });
