// The mark-up of one image: its saved form and its edits. All coordinates are in pixels of the unrotated image, so
// drawn marks keep their position at any window size and rotation. markup-view.ts maps them to the screen.
import * as v from 'valibot';

/** Clockwise rotation in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

/** Sizes in board units. A board unit is one image pixel, or more for large images (boardUnit). */
export const strokeWidth = 3;
export const textSize = 16;
export const shortestArrow = 10;
export const stampSize = 32;

/** Larger coordinates are rejected: they cannot come from a photograph. */
const maxCoordinate = 100_000;
const maxTextLength = 2000;
const maxPoints = 20_000;

const Coordinate = v.pipe(v.number(), v.minValue(-maxCoordinate), v.maxValue(maxCoordinate));
const position = { x: Coordinate, y: Coordinate };

/** Points of a line, saved as 'x,y|x,y|…'. One invalid pair makes the whole line invalid. */
const LineData = v.pipe(
  v.string(),
  v.transform((data) => (data === '' ? [] : data.split('|').map(readPoint))),
  v.array(v.object(position)),
  v.maxLength(maxPoints),
);

const box = { ...position, w: Coordinate, h: Coordinate };

/**
 * One mark in the saved `draw`; other applications read these fields. `x, y` is the upper left corner of a rect, of an
 * ellipse's box or of a text. It is the centre of a tick, cross or half tick, the tail of an arrow (`ox, oy` is its
 * head), and the first point of a line (`data` holds all its points).
 */
const SavedMark = v.variant('name', [
  v.object({ name: v.literal('rect'), ...box }),
  v.object({ name: v.literal('ellipse'), ...box }),
  v.object({ name: v.literal('arrow'), ...position, ox: Coordinate, oy: Coordinate }),
  v.object({ name: v.literal('line'), ...position, data: LineData }),
  v.object({ name: v.literal('right'), ...position }),
  v.object({ name: v.literal('wrong'), ...position }),
  v.object({ name: v.literal('half'), ...position }),
  v.object({ name: v.literal('text'), ...position, text: v.pipe(v.string(), v.maxLength(maxTextLength)) }),
]);

/** Rotation of the image, written as [{ rotation }]. A bare number in the list is accepted too. */
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

/** A drawn mark in memory: as saved, except that `data` of a line is an array of points. */
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
 * Parses saved mark-up. Never throws: unreadable items are left out and `broken` is true. Null, undefined and '' give
 * empty mark-up that is not broken.
 */
export function parseMarkup(draw: string | null | undefined): { markup: Markup; broken: boolean } {
  if (draw === null || draw === undefined || draw.trim() === '') return { markup: emptyMarkup, broken: false };
  const saved = v.safeParse(SavedMarkup, readJson(draw));
  if (!saved.success) return { markup: emptyMarkup, broken: true };
  const items = saved.output.draw.map((item) => v.safeParse(SavedMark, item));
  const readable = items.flatMap((item) => (item.success ? [normalizeBox(item.output)] : []));
  const background = v.safeParse(SavedBackground, saved.output.bg[0] ?? 0);
  const rotation = background.success ? quarterTurn(background.output) : 0;
  // Marks that isLargeEnough discards do not count as broken. Unit 0 keeps arrows of any length.
  const marks = readable.filter((mark) => isLargeEnough(mark, 0));
  return { markup: { rotation, marks }, broken: readable.length < items.length || !background.success };
}

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
 * Normalises a rect or ellipse of negative size (dragged to the left or up). Other marks keep their saved decimals:
 * rounding at every load would let them drift with every save.
 */
function normalizeBox(mark: Mark): Mark {
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

/** Rotates the image by 90 degrees clockwise. The marks keep their image coordinates. */
export function rotateMarkup(markup: Markup): Markup {
  return { ...markup, rotation: quarterTurn(markup.rotation + 90) };
}

export function undoMark(markup: Markup): Markup {
  return { ...markup, marks: markup.marks.slice(0, -1) };
}

export function clearMarks(markup: Markup): Markup {
  return { ...markup, marks: [] };
}

export function removeMark(markup: Markup, index: number): Markup {
  return { ...markup, marks: markup.marks.filter((_, at) => at !== index) };
}

/**
 * Appends a finished mark. Returns the mark-up unchanged if isLargeEnough says that the mark is too small. `unit`: see
 * boardUnit.
 */
export function addMark(markup: Markup, mark: Mark, unit: number): Markup {
  const settled = settleMark(mark, unit);
  return isLargeEnough(settled, unit) ? { ...markup, marks: [...markup.marks, settled] } : markup;
}

/** Replaces the mark at `index`. Returns the mark-up unchanged if isLargeEnough says that the new mark is too small. */
export function replaceMark(markup: Markup, index: number, mark: Mark, unit: number): Markup {
  const settled = settleMark(mark, unit);
  if (!isLargeEnough(settled, unit)) return markup;
  return { ...markup, marks: markup.marks.map((old, at) => (at === index ? settled : old)) };
}

/**
 * Returns false for marks too small to keep: a rect or ellipse of zero width or height, an arrow of length 10 or less,
 * a line without two different points, an empty text.
 */
export function isLargeEnough(mark: Mark, unit: number): boolean {
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

/** Length of an arrow in image pixels. */
export function arrowLength(arrow: ArrowMark): number {
  return Math.hypot(arrow.ox - arrow.x, arrow.oy - arrow.y);
}

/** Normalises a mark for saving: tenths of a pixel, positive sizes, lines simplified. */
function settleMark(mark: Mark, unit: number): Mark {
  switch (mark.name) {
    case 'rect':
    case 'ellipse':
      return settleBox(mark);
    case 'arrow':
      return {
        name: mark.name,
        x: roundToTenth(mark.x),
        y: roundToTenth(mark.y),
        ox: roundToTenth(mark.ox),
        oy: roundToTenth(mark.oy),
      };
    case 'line': {
      const data = simplify(mark.data, unit / 4).map((point) => ({
        x: roundToTenth(point.x),
        y: roundToTenth(point.y),
      }));
      return { name: mark.name, ...(data[0] ?? { x: roundToTenth(mark.x), y: roundToTenth(mark.y) }), data };
    }
    default:
      return { ...mark, x: roundToTenth(mark.x), y: roundToTenth(mark.y) };
  }
}

function settleBox(mark: BoxMark): BoxMark {
  const { x, y, w, h } = boxBetween(mark, { x: mark.x + mark.w, y: mark.y + mark.h });
  return { name: mark.name, x: roundToTenth(x), y: roundToTenth(y), w: roundToTenth(w), h: roundToTenth(h) };
}

// Adding 0 turns -0 into 0: JSON has no -0.
function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}

export function boxBetween(a: Point, b: Point): Box {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(b.x - a.x), h: Math.abs(b.y - a.y) };
}

/** Ramer-Douglas-Peucker: drops points within `tolerance` of the line between their neighbours. */
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
