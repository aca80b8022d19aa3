import { type Extent, type Handle, handlesOf, hitTest, moveMark, resizeMark } from './mark-geometry.ts';
import { type BoxMark, boxBetween, type LineMark, type Mark, type MarkName, type Point } from './markup-document.ts';
import type { View } from './markup-view.ts';

/** Size of a resize handle in CSS pixels. */
export const handleSize = 10;

/** A drawing, moving or resizing in progress. `mark` is the mark as it would be if the pointer were lifted now. */
export type Gesture =
  | { kind: 'draw'; mark: Mark; from: Point }
  | { kind: 'move'; mark: Mark; from: Point; index: number; original: Mark; moved: boolean }
  | { kind: 'resize'; mark: Mark; index: number; original: Mark; handle: Handle };

export function startMark(tool: MarkName, at: Point): Mark {
  switch (tool) {
    case 'rect':
    case 'ellipse':
      return { name: tool, ...at, w: 0, h: 0 };
    case 'arrow':
      return { name: tool, ...at, ox: at.x, oy: at.y };
    case 'line':
      return { name: tool, ...at, data: [at] };
    case 'text':
      return { name: tool, ...at, text: '' };
    default:
      return { name: tool, ...at };
  }
}

/** Starts a gesture at a point: resizes by a handle of the selected mark, else moves the mark under the point. */
export function startGesture(
  marks: readonly Mark[],
  selected: number | null,
  point: Point,
  tolerance: number,
  extent: Extent,
): Gesture | null {
  const chosen = selected === null ? undefined : marks[selected];
  if (chosen && selected !== null) {
    const near = handlesOf(chosen)
      .map((handle) => ({ ...handle, distance: Math.hypot(handle.x - point.x, handle.y - point.y) }))
      .sort((a, b) => a.distance - b.distance)[0];
    if (near && near.distance <= tolerance + handleSize / 2) {
      return { kind: 'resize', mark: chosen, index: selected, original: chosen, handle: near.handle };
    }
  }
  const index = hitTest(marks, point, tolerance, extent);
  const original = index === null ? undefined : marks[index];
  if (index === null || !original) return null;
  return { kind: 'move', mark: original, from: point, index, original, moved: false };
}

/** Updates a gesture with the next pointer position. Freehand lines ignore steps shorter than `grain` image pixels. */
export function updateGesture(
  gesture: Gesture,
  to: Point,
  { straight, grain }: { straight: boolean; grain: number },
): void {
  if (gesture.kind === 'resize') {
    gesture.mark = resizeMark(gesture.original, gesture.handle, to);
  } else if (gesture.kind === 'move') {
    gesture.mark = moveMark(gesture.original, { x: to.x - gesture.from.x, y: to.y - gesture.from.y });
  } else {
    gesture.mark = growMark(gesture.mark, gesture.from, to, { straight, grain });
  }
}

export function growMark(mark: Mark, from: Point, to: Point, line: { straight: boolean; grain: number }): Mark {
  switch (mark.name) {
    case 'rect':
    case 'ellipse':
      return { name: mark.name, ...boxBetween(from, to) } satisfies BoxMark;
    case 'arrow':
      return { ...mark, ox: to.x, oy: to.y };
    case 'line':
      return growLine(mark, from, to, line);
    default:
      return { ...mark, ...to };
  }
}

function growLine(
  mark: LineMark,
  from: Point,
  to: Point,
  { straight, grain }: { straight: boolean; grain: number },
): LineMark {
  if (straight) return { ...mark, data: [from, to] };
  const last = mark.data[mark.data.length - 1] ?? from;
  return Math.hypot(to.x - last.x, to.y - last.y) < grain ? mark : { ...mark, data: [...mark.data, to] };
}

/** Returns the CSS cursor for a resize handle, adjusted to the rotation of the image. */
export function resizeCursor(gesture: Extract<Gesture, { kind: 'resize' }>, view: View): string {
  const { handle } = gesture;
  if (handle.length === 1) {
    const upright = (handle === 'n' || handle === 's') === (view.rotation % 180 === 0);
    return upright ? 'ns-resize' : 'ew-resize';
  }
  const falling = (handle === 'nw' || handle === 'se') === (view.rotation % 180 === 0);
  return falling ? 'nwse-resize' : 'nesw-resize';
}
