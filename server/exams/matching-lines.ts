/**
 * Draws the lines of a matching question in a hand-drawn style (roughjs). The same input gives the same lines, on
 * screen and in print; needs no browser.
 */
import rough from 'roughjs';

/** Size of the area between the two columns, whose rows are equally high; the caller may scale it. */
export const matchingRoom = { width: 120, row: 40 } as const;

/** A curve as x, y pairs: start, two control points, end. */
export type Stroke = [number, number, number, number, number, number, number, number];

/** Draws a line from a row of the left column to a row of the right one, both counted from 0. */
export function matchingLine(left: number, right: number): Stroke[] {
  const { width, row } = matchingRoom;
  const middle = (place: number) => (place + 0.5) * row;
  const drawn = rough.generator().line(0, middle(left), width, middle(right), {
    // The seed is fixed and never 0, with which roughjs would draw differently each time.
    seed: 1 + left * 64 + right,
    roughness: 1.3,
    bowing: 1.5,
  });
  const strokes: Stroke[] = [];
  let from = [0, 0];
  for (const { op, data } of drawn.sets.flatMap(({ ops }) => ops)) {
    const points = data.map((value) => Math.round(value * 10) / 10);
    if (op === 'bcurveTo') strokes.push([...from, ...points] as Stroke);
    from = points.slice(-2);
  }
  return strokes;
}

/** Converts curves to SVG path data. */
export const strokePath = (strokes: readonly Stroke[]): string =>
  strokes.map(([x, y, ...curve]) => `M${x} ${y}C${curve.join(' ')}`).join('');
