import { type Handle, handlesOf, moveMark, resizeMark } from './mark-geometry.ts';
import { growMark, startMark } from './mark-gestures.ts';
import type { Mark, MarkName, Point } from './markup-document.ts';
import { currentPage, type Session, type SessionAction } from './markup-session.ts';
import { canvasToImage, imageToCanvas, type Size, type View } from './markup-view.ts';

/** An arrow key moves a mark by this many board units. */
const arrowStep = 8;

export const arrowKeys: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Returns the change for a key that is pressed while the image has the focus, or null. Keyboard access: WCAG 2.1.1. */
export function keyStep(
  event: { key: string; shiftKey: boolean },
  session: Session,
  view: View,
  unit: number,
): SessionAction | null {
  const { marks } = currentPage(session).markup;
  const { tool, selected } = session;
  const chosen = selected === null ? undefined : marks[selected];
  if (event.key === 'Enter' && tool) {
    const mark = centredMark(tool, view.image, unit);
    if (mark.name === 'text') return { type: 'edit', editing: { index: null, mark } };
    return { type: 'add', mark, unit, select: true };
  }
  if (event.key === 'Enter' && chosen?.name === 'text')
    return { type: 'edit', editing: { index: selected, mark: chosen } };
  const direction = arrowKeys[event.key];
  if (!direction || !chosen || selected === null) return null;
  const by = unrotateMovement(view, { x: direction.x * arrowStep * unit, y: direction.y * arrowStep * unit });
  if (!event.shiftKey) return { type: 'replace', index: selected, mark: moveMark(chosen, by), unit };
  const handle = lowerRightHandle(chosen, view);
  if (!handle) return null;
  const to = { x: handle.x + by.x, y: handle.y + by.y };
  return { type: 'replace', index: selected, mark: resizeMark(chosen, handle.handle, to), unit };
}

function centredMark(tool: MarkName, image: Size, unit: number): Mark {
  const centre = { x: image.width / 2, y: image.height / 2 };
  const reach = { x: Math.min(image.width / 3, 80 * unit), y: Math.min(image.height / 3, 50 * unit) };
  const from = { x: centre.x - reach.x, y: centre.y - reach.y };
  const to = { x: centre.x + reach.x, y: centre.y + reach.y };
  if (tool === 'line') return { name: tool, ...from, data: [from, to] };
  if (tool === 'rect' || tool === 'ellipse' || tool === 'arrow') {
    return growMark(startMark(tool, from), from, to, { straight: true, grain: 0 });
  }
  return startMark(tool, centre);
}

/** Converts a movement on the rotated image to the same movement on the unrotated image. */
function unrotateMovement(view: View, by: Point): Point {
  const plain = { ...view, zoom: 1 };
  const from = canvasToImage(plain, { x: 0, y: 0 });
  const to = canvasToImage(plain, by);
  return { x: to.x - from.x, y: to.y - from.y };
}

function lowerRightHandle(mark: Mark, view: View): (Point & { handle: Handle }) | undefined {
  const handles = handlesOf(mark);
  if (mark.name === 'arrow') return handles.find(({ handle }) => handle === 'head');
  const reach = (point: Point) => {
    const { x, y } = imageToCanvas(view, point);
    return x + y;
  };
  return handles.sort((a, b) => reach(b) - reach(a))[0];
}
