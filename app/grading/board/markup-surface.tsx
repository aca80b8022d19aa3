import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { boundsOf, type Extent, handlesOf } from './mark-geometry.ts';
import { type Gesture, handleSize, resizeCursor, startGesture, startMark, updateGesture } from './mark-gestures.ts';
import styles from './markup-board.work.module.css';
import { type Box, boxBetween, type Mark, type Point } from './markup-document.ts';
import type { LoadedImage } from './markup-image.ts';
import { type Canvas, type Painter, paintImage } from './markup-painter.ts';
import { currentPage, type Session, type SessionAction } from './markup-session.ts';
import {
  boardUnit,
  canvasToImage,
  clampToImage,
  imageToCanvas,
  type StageView,
  screenToCanvas,
  type View,
} from './markup-view.ts';
import { arrowKeys, keyStep } from './surface-keys.ts';
import { TextEditor } from './text-editor.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useStageGestures } from './use-stage-gestures.ts';
import type { Viewport } from './use-viewport.ts';

/** Radius around a mark or handle within which a pointer hits it, in CSS pixels. */
const mouseTolerance = 6;
const touchTolerance = 16;
/** A pointer that moved less than this many CSS pixels has clicked, not dragged. */
const clickTolerance = 3;
const doubleClickWithin = 400;
/** An arrow key moves a zoomed image by this many CSS pixels. */
const arrowPan = 60;

const keysInWords =
  '图片标注区：选择工具后按回车，在中央添加标注；空格选择下一个标注，方向键移动，Shift 加方向键调整大小，回车修改文字，退格键删除；放大后按住空格拖动，或在没有选中标注时按方向键，可移动图片';

interface SurfaceProps {
  image: LoadedImage;
  painter: Painter;
  stage: RefObject<HTMLDivElement | null>;
  viewport: Viewport;
  session: Session;
  /** True during the save before the board turns to another image. */
  frozen: boolean;
  dispatch: (step: SessionAction) => void;
}

/**
 * Three canvas layers: the image, the marks at rest, and the one mark that is being drawn, moved or resized. While a
 * pointer moves, only the third layer is repainted, so 300 marks cost no more than one.
 */
export function MarkupSurface({ image, painter, stage, viewport, session, frozen, dispatch }: SurfaceProps) {
  const { tool, selected, editing } = session;
  const { marks } = currentPage(session).markup;
  const { shown } = viewport;
  const { view, pane } = shown;
  const unit = boardUnit(image.size);
  const extent = useMemo<Extent>(
    () => ({ unit, textBox: (mark) => painter.layout(mark, view).image }),
    [unit, painter, view],
  );

  const sheet = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const still = useRef<HTMLCanvasElement>(null);
  const active = useRef<HTMLCanvasElement>(null);
  const gesture = useRef<Gesture | null>(null);
  /** Last screen position of the pointer that pans the image. */
  const push = useRef<Point | null>(null);
  /**
   * Set while the space bar is held. `pushed` is true if the image was panned meanwhile; releasing the bar then does
   * nothing else.
   */
  const space = useRef<{ onSheet: boolean; pushed: boolean } | null>(null);
  const pressedBy = useRef('');
  const frame = useRef(0);
  const lastClick = useRef({ index: -1, at: 0 });
  /** Index of the mark that is being dragged. The layer of marks at rest leaves it out. */
  const [lifted, setLifted] = useState<number | null>(null);
  const hidden = editing?.index ?? lifted;

  useLayoutEffect(() => {
    const canvas = prepare(base.current, shown.pane);
    if (canvas) paintImage(canvas, image.element, shown.view);
  }, [image, shown]);

  useStillLayer(still, marks, hidden, shown, painter);

  const paintActive = () => {
    frame.current = 0;
    const canvas = prepare(active.current, pane);
    if (!canvas) return;
    const mark = gesture.current?.mark;
    if (mark && (gesture.current?.kind === 'draw' || lifted !== null)) painter.paint(canvas, mark, view);
    const chosen = gesture.current && gesture.current.kind !== 'draw' ? gesture.current.mark : marks[selected ?? -1];
    if (chosen) paintSelection(canvas, chosen, view, extent);
  };
  const paintSoon = () => {
    if (frame.current === 0) frame.current = requestAnimationFrame(() => latestPaint.current());
  };
  const latestPaint = useRef(paintActive);
  useLayoutEffect(() => {
    latestPaint.current = paintActive;
    paintActive();
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const toImage = (event: { clientX: number; clientY: number }): Point => {
    const bounds = active.current?.getBoundingClientRect() ?? { left: 0, top: 0, width: pane.w, height: pane.h };
    const canvas = screenToCanvas(pane, bounds, { x: event.clientX, y: event.clientY });
    return clampToImage(image.size, canvasToImage(view, canvas));
  };

  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    const pushes = event.button === 1 || (event.button === 0 && space.current !== null);
    if (!event.isPrimary || (event.button !== 0 && !pushes) || gesture.current || push.current) return;
    pressedBy.current = event.pointerType;
    sheet.current?.focus({ preventScroll: true });
    if (pushes) {
      beginPush(event);
      return;
    }
    if (editing) {
      dispatch({ type: 'close editor' });
      return;
    }
    const from = toImage(event);
    const tolerance = (event.pointerType === 'touch' ? touchTolerance : mouseTolerance) / view.zoom;
    gesture.current = tool
      ? { kind: 'draw', mark: startMark(tool, from), from }
      : startGesture(marks, selected, from, tolerance, extent);
    if (!tool)
      dispatch({ type: 'select', index: gesture.current && 'index' in gesture.current ? gesture.current.index : null });
    if (!gesture.current) {
      if (viewport.isZoomed) beginPush(event);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    if (gesture.current.kind === 'resize') setLifted(gesture.current.index);
    paintSoon();
  };

  const beginPush = (event: PointerEvent<HTMLCanvasElement>) => {
    push.current = { x: event.clientX, y: event.clientY };
    if (space.current) space.current.pushed = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.style.cursor = 'grabbing';
  };

  const follow = (event: PointerEvent<HTMLCanvasElement>) => {
    const current = gesture.current;
    const { clientX: x, clientY: y } = event;
    if (push.current && event.isPrimary) {
      viewport.panBy({ x: x - push.current.x, y: y - push.current.y });
      push.current = { x, y };
      return;
    }
    if (!current) {
      event.currentTarget.style.cursor = cursorAt(toImage(event), mouseTolerance / view.zoom);
      return;
    }
    if (!event.isPrimary) return;
    // A pen reports more points than the screen has frames. All of them go into the line.
    const points = event.nativeEvent.getCoalescedEvents?.() ?? [];
    for (const each of points.length > 0 ? points : [event]) {
      updateGesture(current, toImage(each), { straight: event.shiftKey, grain: 1 / view.zoom });
    }
    if (current.kind === 'move' && !current.moved) {
      const to = toImage(event);
      if (Math.hypot(to.x - current.from.x, to.y - current.from.y) * view.zoom < clickTolerance) return;
      current.moved = true;
      setLifted(current.index);
    }
    paintSoon();
  };

  const end = (event: PointerEvent<HTMLCanvasElement>) => {
    const done = gesture.current;
    if (push.current && event.isPrimary) {
      push.current = null;
      event.currentTarget.style.cursor = space.current ? 'grab' : '';
    }
    if (!done || !event.isPrimary) return;
    gesture.current = null;
    setLifted(null);
    if (done.kind === 'draw') {
      if (done.mark.name === 'text') dispatch({ type: 'edit', editing: { index: null, mark: done.mark } });
      else dispatch({ type: 'add', mark: done.mark, unit });
    } else if (done.kind === 'resize' || done.moved) {
      dispatch({ type: 'replace', index: done.index, mark: done.mark, unit });
    } else if (done.original.name === 'text') {
      const twice =
        lastClick.current.index === done.index && event.timeStamp - lastClick.current.at < doubleClickWithin;
      lastClick.current = twice ? { index: -1, at: 0 } : { index: done.index, at: event.timeStamp };
      if (twice) dispatch({ type: 'edit', editing: { index: done.index, mark: done.original } });
    }
    paintSoon();
  };

  const abandon = () => {
    gesture.current = null;
    push.current = null;
    setLifted(null);
    paintSoon();
  };

  useStageGestures({
    stage,
    viewport,
    frozen,
    onPinch: () => {
      // Palm rejection: while a pen draws, touches come from the hand that holds it.
      if (gesture.current && pressedBy.current === 'pen') return false;
      abandon();
      return true;
    },
  });

  const cursorAt = (point: Point, tolerance: number): string => {
    if (space.current) return 'grab';
    if (tool) return tool === 'text' ? 'text' : 'crosshair';
    const found = startGesture(marks, selected, point, tolerance, extent);
    if (found?.kind === 'resize') return found.original.name === 'arrow' ? 'grab' : resizeCursor(found, view);
    if (found) return 'move';
    return viewport.isZoomed ? 'grab' : 'default';
  };

  const press = (event: KeyboardEvent) => {
    const onSheet = event.target === sheet.current;
    if (event.code === 'Space' && !editing) {
      space.current ??= { onSheet, pushed: false };
      if (onSheet) event.preventDefault();
      return;
    }
    if (frozen || !onSheet || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keyStep(event, session, view, unit);
    const direction = arrowKeys[event.key];
    if (!step && !(direction && selected === null && viewport.isZoomed)) return;
    event.preventDefault();
    if (step) dispatch(step);
    // The arrow moves the viewport, so the image goes the other way.
    else if (direction) viewport.panBy({ x: -direction.x * arrowPan, y: -direction.y * arrowPan });
  };
  const release = (event?: KeyboardEvent) => {
    if (event && event.code !== 'Space') return;
    const held = space.current;
    space.current = null;
    if (!held?.pushed && held?.onSheet && event && !frozen && !tool && marks.length > 0) {
      dispatch({ type: 'select', index: ((selected ?? -1) + 1) % marks.length });
    }
  };
  useBoardKeys(press, release);

  // The layers measure whole CSS pixels, or the browser would blur them. screenToCanvas corrects the difference.
  const [width, height] = [pane.w, pane.h];
  return (
    <div
      ref={sheet}
      className={styles.sheet}
      style={{ width: Math.round(width), height: Math.round(height) }}
      data-frozen={frozen || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys, see keyStep
      tabIndex={0}
      role="application"
      aria-label={keysInWords}
    >
      <canvas ref={base} className={styles.layer} />
      <canvas ref={still} className={styles.layer} />
      <canvas
        ref={active}
        className={styles.layer}
        onMouseDown={(event) => {
          // The middle button pans the image. Without this, the browser would start its autoscroll.
          if (event.button === 1) event.preventDefault();
        }}
        onPointerDown={begin}
        onPointerMove={follow}
        onPointerUp={end}
        onPointerCancel={abandon}
      />
      {editing && <TextEditor mark={editing.mark} shown={shown} painter={painter} dispatch={dispatch} />}
    </div>
  );
}

/** Paints the marks at rest. If marks were only added since the last time, paints only the new ones. */
function useStillLayer(
  layer: RefObject<HTMLCanvasElement | null>,
  marks: readonly Mark[],
  hidden: number | null,
  shown: StageView,
  painter: Painter,
) {
  const painted = useRef<{ marks: readonly Mark[]; shown: StageView; painter: Painter; hidden: number | null } | null>(
    null,
  );
  useLayoutEffect(() => {
    const before = painted.current;
    painted.current = { marks, shown, painter, hidden };
    const unchanged =
      before !== null &&
      before.shown === shown &&
      before.painter === painter &&
      before.hidden === hidden &&
      before.marks.length <= marks.length &&
      before.marks.every((mark, index) => mark === marks[index]);
    const canvas = unchanged ? layer.current?.getContext('2d') : prepare(layer.current, shown.pane);
    if (!canvas) return;
    for (const [index, mark] of marks.entries()) {
      if (index !== hidden && (!unchanged || index >= before.marks.length)) painter.paint(canvas, mark, shown.view);
    }
  }, [layer, marks, hidden, shown, painter]);
}

/**
 * Sizes and clears a canvas for the visible part of the view, sharp on high-DPI screens. It never covers the whole
 * zoomed image: three such layers would take half a gigabyte.
 */
function prepare(element: HTMLCanvasElement | null, pane: Box): Canvas | null {
  const canvas = element?.getContext('2d');
  if (!element || !canvas) return null;
  const density = Math.min(2, window.devicePixelRatio || 1);
  const width = Math.max(1, Math.round(pane.w * density));
  const height = Math.max(1, Math.round(pane.h * density));
  if (element.width !== width || element.height !== height) {
    element.width = width;
    element.height = height;
  }
  canvas.setTransform(1, 0, 0, 1, 0, 0);
  canvas.clearRect(0, 0, width, height);
  const [across, down] = [width / pane.w, height / pane.h];
  canvas.setTransform(across, 0, 0, down, -pane.x * across, -pane.y * down);
  return canvas;
}

function paintSelection(canvas: Canvas, mark: Mark, view: View, extent: Extent): void {
  const bounds = boundsOf(mark, extent);
  const box = boxBetween(
    imageToCanvas(view, bounds),
    imageToCanvas(view, { x: bounds.x + bounds.w, y: bounds.y + bounds.h }),
  );
  canvas.save();
  canvas.strokeStyle = '#1971c2';
  canvas.lineWidth = 1;
  if (mark.name !== 'arrow') {
    canvas.setLineDash([5, 4]);
    canvas.strokeRect(box.x - 4, box.y - 4, box.w + 8, box.h + 8);
    canvas.setLineDash([]);
  }
  canvas.fillStyle = 'white';
  canvas.lineWidth = 1.5;
  for (const handle of handlesOf(mark)) {
    const at = imageToCanvas(view, handle);
    canvas.beginPath();
    if (mark.name === 'arrow') canvas.arc(at.x, at.y, handleSize / 2, 0, Math.PI * 2);
    else canvas.rect(at.x - handleSize / 2, at.y - handleSize / 2, handleSize, handleSize);
    canvas.fill();
    canvas.stroke();
  }
  canvas.restore();
}
