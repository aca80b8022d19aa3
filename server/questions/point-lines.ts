/** Parses pasted knowledge points: one per line; an indented line is a child of the line above it. */
import { normalizeName } from '#server/platform/text/name-matching.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { faultsText } from '#server/school/rules.ts';
import { pointLevelsLimit, pointLinesLimit, pointMessages, pointNameLimit } from './points.rules.ts';

export interface PointLine {
  name: string;
  /** Index of the parent in the list; undefined for points at the level where all are added. */
  parent: number | undefined;
}

/** Width of an indentation in spaces; a tab advances to the next multiple of four. */
const widthOf = (indentation: string): number =>
  [...indentation].reduce((width, sign) => {
    if (sign === '\t') return width - (width % 4) + 4;
    return width + (sign === '\u3000' ? 2 : 1);
  }, 0);

/**
 * Returns the points, each after its parent, or a sentence about the wrong lines. `above`: number of levels above the
 * place where they are added.
 */
export function parsePointLines(text: string, above = 0): { points: PointLine[] } | { fault: string } {
  const points: PointLine[] = [];
  const faults: string[] = [];
  const open: { width: number; at: number }[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const name = line.replace(/\s+/g, ' ').trim();
    if (name === '') continue;
    const said = (fault: string) => faults.push(`第${index + 1}行：${fault}`);
    const width = widthOf(/^\s*/.exec(line)?.[0] ?? '');
    let left: number | undefined;
    while (open.length > 0 && (open.at(-1)?.width ?? 0) >= width) left = open.pop()?.width;
    if (left !== undefined && left !== width) said(pointMessages.unaligned);
    const parent = open.at(-1)?.at;
    if (lengthOf(name) > pointNameLimit) said(pointMessages.nameLength);
    if (above + open.length + 1 > pointLevelsLimit) said(pointMessages.tooDeep);
    const key = `${parent ?? ''} ${normalizeName(name)}`;
    const before = lineOf.get(key);
    if (before === undefined) lineOf.set(key, index + 1);
    else said(`与第${before}行重复`);
    open.push({ width, at: points.length });
    points.push({ name, parent });
  }
  if (points.length === 0) return { fault: pointMessages.noLines };
  if (points.length > pointLinesLimit) return { fault: pointMessages.tooManyLines };
  if (faults.length === 0) return { points };
  return { fault: faultsText(faults) };
}
