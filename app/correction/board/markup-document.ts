// The mark-up of one image: its saved form, and what may be done to it.
// Every coordinate is in the image's own pixels, before any rotation, so that a mark stays in place at every
// window size and rotation. How an image stands on the screen is the business of markup-view.ts.
import * as v from 'valibot';

/** Degrees clockwise. */
export type Rotation = 0 | 90 | 180 | 270;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

/** Lengths in board units: one image pixel, or more where the image is large (boardUnit). */
export const strokeWidth = 3;
export const textSize = 16;
export const shortestArrow = 10;
export const stampSize = 32;

/** Beyond this a coordinate is no place on a photograph but a mistake. */
const farthestPlace = 100_000;
const longestText = 2000;
const maxPoints = 20_000;

const Coordinate = v.pipe(v.number(), v.minValue(-farthestPlace), v.maxValue(farthestPlace));
const position = { x: Coordinate, y: Coordinate };

/** 'x,y|x,y|…'. A pair that is no pair of numbers spoils the line. */
const LineData = v.pipe(
  v.string(),
  v.transform((data) => (data === '' ? [] : data.split('|').map(readPoint))),
  v.array(v.object(position)),
  v.maxLength(maxPoints),
);

const box = { ...position, w: Coordinate, h: Coordinate };

/**
 * One item of `draw`, with the fields that other applications read. `x, y` is the upper left
 * corner of a rect, an ellipse's box and a text, the middle of a tick, cross or half tick, the tail of an arrow
 * (`ox, oy` is its head) and the first point of a line (`data` holds all its points, the first included).
 */
const SavedMark = v.variant('name', [
  v.object({ name: v.literal('rect'), ...box }),
  v.object({ name: v.literal('ellipse'), ...box }),
  v.object({ name: v.literal('arrow'), ...position, ox: Coordinate, oy: Coordinate }),
  v.object({ name: v.literal('line'), ...position, data: LineData }),
  v.object({ name: v.literal('right'), ...position }),
  v.object({ name: v.literal('wrong'), ...position }),
  v.object({ name: v.literal('half'), ...position }),
  v.object({ name: v.literal('text'), ...position, text: v.pipe(v.string(), v.maxLength(longestText)) }),
]);

/** `bg` is written as [{ rotation }]; a bare number in the list is read too. */
const SavedBackground = v.union([
  v.number(),
  v.pipe(
    v.object({ rotation: v.number() }),
    v.transform((bg) => bg.rotation),
  ),
]);

const SavedMarkup = v.object({
  bg: v.optional(v.array(v.unknown()), []),
  draw: v.array(v.unknown()),
});

/** An item in memory: as saved, but for `data` of a line, which is its points. */
export type Mark = v.InferOutput<typeof SavedMark>;
export type MarkName = Mark['name'];
export type BoxMark = Extract<Mark, { w: number }>;
export type ArrowMark = Extract<Mark, { name: 'arrow' }>;
export type LineMark = Extract<Mark, { name: 'line' }>;
export type TextMark = Extract<Mark, { name: 'text' }>;

export interface Markup {
  rotation: Rotation;
  marks: readonly Mark[];
}

export const emptyMarkup: Markup = { rotation: 0, marks: [] };

/**
 * Reads the JSON text of a saved mark-up. Never throws: what cannot be read is left out and `broken` says so;
 * nothing saved yet (null, undefined, '') is empty and not broken.
 */
export function parseMarkup(draw: string | null | undefined): { markup: Markup; broken: boolean } {
  if (draw === null || draw === undefined || draw.trim() === '') return { markup: emptyMarkup, broken: false };
  const saved = v.safeParse(SavedMarkup, readJson(draw));
  if (!saved.success) return { markup: emptyMarkup, broken: true };
  const items = saved.output.draw.map((item) => v.safeParse(SavedMark, item));
  const readable = items.flatMap((item) => (item.success ? [straighten(item.output)] : []));
  const background = v.safeParse(SavedBackground, saved.output.bg[0] ?? 0);
  const rotation = background.success ? quarterTurn(background.output) : 0;
  // What the discarding rules would not have kept is no loss, so it is not reported. Unit 0: any arrow that points.
  const marks = readable.filter((mark) => isKept(mark, 0));
  return { markup: { rotation, marks }, broken: readable.length < items.length || !background.success };
}

/** The JSON text that `parseMarkup` reads. */
export function serializeMarkup(markup: Markup): string {
  return JSON.stringify({
    bg: [{ rotation: markup.rotation }],
    draw: markup.marks.map((mark) => (mark.name === 'line' ? { ...mark, data: writePoints(mark.data) } : mark)),
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A rect or ellipse that was saved as it was dragged, to the left or up, has its corner moved to the upper left. Any
 * other mark stays to the digit as it was saved: reckoned anew, it would drift with every save.
 */
function straighten(mark: Mark): Mark {
  if ((mark.name !== 'rect' && mark.name !== 'ellipse') || (mark.w >= 0 && mark.h >= 0)) return mark;
  return settleBox(mark);
}

function readPoint(pair: string): { x: unknown; y: unknown } {
  const numbers = pair.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  return numbers.length === 2 ? { x: numbers[0], y: numbers[1] } : { x: undefined, y: undefined };
}

function writePoints(points: readonly Point[]): string {
  return points.map((point) => `${point.x},${point.y}`).join('|');
}

function quarterTurn(degrees: number): Rotation {
  const turns = Math.round(degrees / 90) % 4;
  return (((turns + 4) % 4) * 90) as Rotation;
}

/** 90 degrees clockwise, modulo 360. The marks keep their image pixels. */
export function rotateMarkup(markup: Markup): Markup {
  return { ...markup, rotation: quarterTurn(markup.rotation + 90) };
}

/** Undo removes the last item. */
export function undoMark(markup: Markup): Markup {
  return { ...markup, marks: markup.marks.slice(0, -1) };
}

export function clearMarks(markup: Markup): Markup {
  return { ...markup, marks: [] };
}

export function removeMark(markup: Markup, index: number): Markup {
  return { ...markup, marks: markup.marks.filter((_, at) => at !== index) };
}

/** Adds a finished mark at the end; one that is to be discarded leaves the same mark-up. `unit`: see boardUnit. */
export function addMark(markup: Markup, mark: Mark, unit: number): Markup {
  const settled = settleMark(mark, unit);
  return isKept(settled, unit) ? { ...markup, marks: [...markup.marks, settled] } : markup;
}

/** Puts a moved, resized or rewritten mark in place of another; one that would be discarded changes nothing. */
export function replaceMark(markup: Markup, index: number, mark: Mark, unit: number): Markup {
  const settled = settleMark(mark, unit);
  if (!isKept(settled, unit)) return markup;
  return { ...markup, marks: markup.marks.map((old, at) => (at === index ? settled : old)) };
}

/**
 * Whether a finished mark is kept: a rect or ellipse with zero width or height, an arrow of length 10 or less, an
 * empty line (no two different points) and an empty text are discarded.
 */
export function isKept(mark: Mark, unit: number): boolean {
  switch (mark.name) {
    case 'rect':
    case 'ellipse':
      return mark.w !== 0 && mark.h !== 0;
    case 'arrow':
      return arrowLength(mark) > shortestArrow * unit;
    case 'line':
      return mark.data.some((point) => point.x !== mark.x || point.y !== mark.y);
    case 'text':
      return mark.text.trim() !== '';
    default:
      return true;
  }
}

/** From tail to head, in image pixels. */
export function arrowLength(arrow: ArrowMark): number {
  return Math.hypot(arrow.ox - arrow.x, arrow.oy - arrow.y);
}

/** The form in which a mark is kept: tenths of a pixel, sizes positive, a line without the points it can do without. */
function settleMark(mark: Mark, unit: number): Mark {
  switch (mark.name) {
    case 'rect':
    case 'ellipse':
      return settleBox(mark);
    case 'arrow':
      return { name: mark.name, x: tenth(mark.x), y: tenth(mark.y), ox: tenth(mark.ox), oy: tenth(mark.oy) };
    case 'line': {
      const data = simplify(mark.data, unit / 4).map((point) => ({ x: tenth(point.x), y: tenth(point.y) }));
      return { name: mark.name, ...(data[0] ?? { x: tenth(mark.x), y: tenth(mark.y) }), data };
    }
    default:
      return { ...mark, x: tenth(mark.x), y: tenth(mark.y) };
  }
}

function settleBox(mark: BoxMark): BoxMark {
  const { x, y, w, h } = boxBetween(mark, { x: mark.x + mark.w, y: mark.y + mark.h });
  return { name: mark.name, x: tenth(x), y: tenth(y), w: tenth(w), h: tenth(h) };
}

// Adding 0 makes -0, which JSON does not know, a plain 0.
function tenth(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}

/** The box with two opposite corners. */
export function boxBetween(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(b.x - a.x), h: Math.abs(b.y - a.y) };
}

/** Ramer-Douglas-Peucker: leaves out the points that lie within `tolerance` of the line between their neighbours. */
function simplify(points: readonly Point[], tolerance: number): Point[] {
  const first = points[0];
  const last = points[points.length - 1];
  if (!first || !last || points.length < 3) return [...points];
  let farthest = 0;
  let distance = 0;
  for (const [index, point] of points.entries()) {
    const away = distanceToSegment(point, first, last);
    if (away > distance) [farthest, distance] = [index, away];
  }
  if (distance <= tolerance) return [first, last];
  return [
    ...simplify(points.slice(0, farthest + 1), tolerance).slice(0, -1),
    ...simplify(points.slice(farthest), tolerance),
  ];
}

export function distanceToSegment(point: Point, from: Point, to: Point): number {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const squared = dx * dx + dy * dy;
  const along = squared === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / squared;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}
