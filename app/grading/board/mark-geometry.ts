/** Geometry of drawn marks: moving, resizing, bounds and hit testing. */
import {
  type Box,
  type BoxMark,
  boxBetween,
  distanceToSegment,
  type Mark,
  type Point,
  stampSize,
  type TextMark,
} from './markup-document.ts';

export function moveMark<M extends Mark>(mark: M, by: Point): M {
  const moved = { ...mark, x: mark.x + by.x, y: mark.y + by.y };
  if (moved.name === 'arrow') return { ...moved, ox: moved.ox + by.x, oy: moved.oy + by.y };
  if (moved.name === 'line')
    return { ...moved, data: moved.data.map((point) => ({ x: point.x + by.x, y: point.y + by.y })) };
  return moved;
}

/**
 * A point by which a drawn mark is resized: a compass point of a rect or ellipse on the unrotated image, or one of the
 * two ends of an arrow.
 */
export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'tail' | 'head';

/** Returns the resize handles of a rect or ellipse, the two ends of an arrow, and nothing for other marks. */
export function handlesOf(mark: Mark): (Point & { handle: Handle })[] {
  if (mark.name === 'arrow') {
    return [
      { handle: 'tail', x: mark.x, y: mark.y },
      { handle: 'head', x: mark.ox, y: mark.oy },
    ];
  }
  if (mark.name !== 'rect' && mark.name !== 'ellipse') return [];
  const { x, y, w, h } = mark;
  return [
    { handle: 'nw', x, y },
    { handle: 'n', x: x + w / 2, y },
    { handle: 'ne', x: x + w, y },
    { handle: 'e', x: x + w, y: y + h / 2 },
    { handle: 'se', x: x + w, y: y + h },
    { handle: 's', x: x + w / 2, y: y + h },
    { handle: 'sw', x, y: y + h },
    { handle: 'w', x, y: y + h / 2 },
  ];
}

/** Returns the mark with one handle dragged to `to`. A box that is dragged past its opposite side flips. */
export function resizeMark(mark: Mark, handle: Handle, to: Point): Mark {
  if (mark.name === 'arrow') return handle === 'tail' ? { ...mark, ...to } : { ...mark, ox: to.x, oy: to.y };
  if (mark.name !== 'rect' && mark.name !== 'ellipse') return mark;
  const upperLeft = { x: handle.includes('w') ? to.x : mark.x, y: handle.includes('n') ? to.y : mark.y };
  const lowerRight = {
    x: handle.includes('e') ? to.x : mark.x + mark.w,
    y: handle.includes('s') ? to.y : mark.y + mark.h,
  };
  return { name: mark.name, ...boxBetween(upperLeft, lowerRight) };
}

/** Inputs for the bounds of a mark: `unit` is image pixels per board unit, `textBox` measures a text. */
export interface Extent {
  unit: number;
  textBox: (mark: TextMark) => Box;
}

export function boundsOf(mark: Mark, extent: Extent): Box {
  switch (mark.name) {
    case 'rect':
    case 'ellipse':
      return { x: mark.x, y: mark.y, w: mark.w, h: mark.h };
    case 'arrow':
      return boxBetween(mark, { x: mark.ox, y: mark.oy });
    case 'line':
      return boxAround(mark.data);
    case 'text':
      return extent.textBox(mark);
    default: {
      const size = stampSize * extent.unit;
      return { x: mark.x - size / 2, y: mark.y - size / 2, w: size, h: size };
    }
  }
}

function boxAround(points: readonly Point[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  }
  return boxBetween({ x: left, y: top }, { x: right, y: bottom });
}

/**
 * Returns the index of the drawn mark under a point, or null. `tolerance` is in image pixels. Outlines win, the latest
 * first. If no outline is near, the smallest rect or ellipse around the point wins, so that a large frame never hides
 * the marks inside it.
 */
export function hitTest(marks: readonly Mark[], point: Point, tolerance: number, extent: Extent): number | null {
  const drawn = marks.findLastIndex((mark) => isDrawnAt(mark, point, tolerance, extent));
  if (drawn >= 0) return drawn;
  let inside: { index: number; area: number } | null = null;
  for (const [index, mark] of marks.entries()) {
    if ((mark.name !== 'rect' && mark.name !== 'ellipse') || !isInside(mark, point)) continue;
    const area = mark.w * mark.h;
    if (inside === null || area <= inside.area) inside = { index, area };
  }
  return inside?.index ?? null;
}

function isDrawnAt(mark: Mark, point: Point, tolerance: number, extent: Extent): boolean {
  switch (mark.name) {
    case 'rect':
      return isWithin(growBox(mark, tolerance), point) && !isWithin(growBox(mark, -tolerance), point);
    case 'ellipse':
      return distanceToEllipse(point, mark) <= tolerance;
    case 'arrow':
      return distanceToSegment(point, mark, { x: mark.ox, y: mark.oy }) <= tolerance;
    case 'line':
      return mark.data.some((from, index) => distanceToSegment(point, from, mark.data[index + 1] ?? from) <= tolerance);
    default:
      return isWithin(growBox(boundsOf(mark, extent), tolerance / 2), point);
  }
}

function growBox(area: Box, by: number): Box {
  return { x: area.x - by, y: area.y - by, w: area.w + 2 * by, h: area.h + 2 * by };
}

function isWithin(area: Box, point: Point): boolean {
  return point.x >= area.x && point.x <= area.x + area.w && point.y >= area.y && point.y <= area.y + area.h;
}

function isInside(mark: BoxMark, point: Point): boolean {
  return mark.name === 'rect' ? isWithin(mark, point) : ellipseRadius(point, mark).radius <= 1;
}

/** `radius` is 1 on the ellipse and 0 in its centre; `slope` is how fast it grows per pixel at this point. */
function ellipseRadius(point: Point, mark: BoxMark): { radius: number; slope: number } {
  const rx = mark.w / 2;
  const ry = mark.h / 2;
  const dx = point.x - mark.x - rx;
  const dy = point.y - mark.y - ry;
  const radius = Math.hypot(dx / rx, dy / ry);
  return { radius, slope: radius === 0 ? 1 / Math.min(rx, ry) : Math.hypot(dx / rx ** 2, dy / ry ** 2) / radius };
}

// Distance from a point to the outline, approximated to first order. Exact enough near the outline, where it is used.
function distanceToEllipse(point: Point, mark: BoxMark): number {
  const { radius, slope } = ellipseRadius(point, mark);
  return Math.abs(radius - 1) / slope;
}
