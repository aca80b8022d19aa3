/**
 * The lines of a matching question, as a hand would draw them (roughjs), for the screen and for print alike. The same
 * pair is always the same line. Pure, and needs no document.
 */
import rough from 'roughjs';

/** The room between the two columns, in which every row is equally high. Whoever draws it stretches it. */
export const matchingRoom = { width: 120, row: 40 } as const;

/** One sweep of the pen: where it starts, two control points, where it ends; x and y in turn. */
export type Stroke = [number, number, number, number, number, number, number, number];

/** The sweeps from a row of the left column to one of the right; rows count from 0. */
export function matchingLine(left: number, right: number): Stroke[] {
  const { width, row } = matchingRoom;
  const middle = (place: number) => (place + 0.5) * row;
  const drawn = rough.generator().line(0, middle(left), width, middle(right), {
    // 0 would be another line each time.
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

/** SVG path data. */
export const strokePath = (strokes: readonly Stroke[]): string =>
  strokes.map(([x, y, ...curve]) => `M${x} ${y}C${curve.join(' ')}`).join('');
