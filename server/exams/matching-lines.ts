/**
 * Draws the lines of a matching question by hand style (roughjs), the same on screen and in print. Deterministic and
 * without a document.
 */
import rough from 'roughjs';

/** Size of the area between the columns, with rows of equal height; drawing may scale it. */
export const matchingRoom = { width: 120, row: 40 } as const;

/** A curve: start, two control points, end, as x, y pairs. */
export type Stroke = [number, number, number, number, number, number, number, number];

/** Returns the curves from a row of the left column to a row of the right one, counted from 0. */
export function matchingLine(left: number, right: number): Stroke[] {
  const { width, row } = matchingRoom;
  const middle = (place: number) => (place + 0.5) * row;
  const drawn = rough.generator().line(0, middle(left), width, middle(right), {
    // Fixed and never 0, which would make roughjs draw differently each time.
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
