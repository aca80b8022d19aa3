/** Limits and messages of knowledge points. */

export const missingPoint = '该知识点不存在';

/** A tree with more points than this is only shown in part; `maxFoundPoints`: maximum matches by name. */
export const maxWholePoints = 300;

export const maxFoundPoints = 50;

/** Maximum characters of a knowledge point's name. */
export const pointNameLimit = 100;

/** Maximum lines added in one request, and maximum levels of the tree. */
export const pointLinesLimit = 1000;

export const pointLevelsLimit = 10;

export const pointMessages = {
  noName: '名称不能为空',
  nameLength: `名称不能超过${pointNameLimit}个字`,
  noSubject: '该科目不存在',
  noParent: '该上级知识点不存在',
  noLines: '请填写知识点，每行一个',
  tooManyLines: `一次最多添加${pointLinesLimit}个知识点`,
  /** Messages about a wrong line. */
  unaligned: '缩进与上面各行都对不齐',
  tooDeep: `知识点最多${pointLevelsLimit}级`,
  ownParent: '不能移到自己或自己的下级之下',
  sameParent: '已在该位置',
} as const;

/** Message when a sibling already has this name. */
export const pointNameTakenMessage = (name: string, parent: string): string =>
  parent === '' ? `最上级已有知识点“${name}”` : `“${parent}”之下已有知识点“${name}”`;

/** Why a point cannot be deleted. `uses`: what it still has, such as `3个下级、12道题目`. */
export const pointInUseFault = (uses: string): string | undefined =>
  uses === '' ? undefined : `该知识点还有${uses}，不能删除`;

export const pointMovedMessage = (by: string, parent: string): string =>
  `${by}刚刚把该知识点移到了${parent === '' ? '最上级' : `“${parent}”之下`}，请确认后再移动`;

/** Separates the names in the path of a knowledge point. */
export const pointSeparator = ' / ';

interface TreePoint {
  id: number;
  name: string;
  children: readonly TreePoint[];
}

/** Returns the id and path of each knowledge point of a tree, parents first. */
export const pathsOfPoints = (points: readonly TreePoint[], above = ''): [id: number, path: string][] =>
  points.flatMap(({ id, name, children }) => {
    const path = above === '' ? name : `${above}${pointSeparator}${name}`;
    return [[id, path], ...pathsOfPoints(children, path)];
  });

export const unknownPointMessage = (name: string): string => `没有知识点“${name}”，请从列表中选择`;

export const ambiguousPoint = (name: string, paths: readonly string[]): string =>
  `有${paths.length}个知识点叫“${name}”，请写上级：${paths.slice(0, 3).join('、')}`;
