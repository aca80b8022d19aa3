/** Zooms and pans the stage by mouse wheel and by two fingers. One finger draws (markup-surface.tsx). */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Point } from './markup-document.ts';
import type { Viewport } from './use-viewport.ts';

/** Wheel distance in CSS pixels that zooms by the factor e: one notch (100 pixels) zooms by a quarter. */
const wheelPerE = 450;
/** Size of a wheel step in CSS pixels, indexed by WheelEvent.deltaMode: pixel, line, page. */
const wheelUnits = [1, 16, 400];

interface StageGestures {
  stage: RefObject<HTMLElement | null>;
  viewport: Viewport;
  frozen: boolean;
  /**
   * Called when a second finger touches: cancels the drawing that the first finger began. Returns false to ignore the
   * pinch.
   */
  onPinch: () => boolean;
}

export function useStageGestures({ stage, viewport, frozen, onPinch }: StageGestures): void {
  const touches = useRef(new Map<number, Point>());
  const isPinching = useRef(false);

  const onStage = ({ x, y }: Point): Point => {
    const { left = 0, top = 0 } = stage.current?.getBoundingClientRect() ?? {};
    return { x: x - left, y: y - top };
  };

  const wheel = useEffectEvent((event: WheelEvent) => {
    if (frozen) return;
    const unit = wheelUnits[event.deltaMode] ?? 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      viewport.zoomBy(Math.exp((-event.deltaY * unit) / wheelPerE), onStage({ x: event.clientX, y: event.clientY }));
    } else if (viewport.isZoomed) {
      event.preventDefault();
      viewport.panBy({ x: -event.deltaX * unit, y: -event.deltaY * unit });
    }
  });

  const press = useEffectEvent((event: PointerEvent) => {
    if (event.pointerType !== 'touch') return;
    touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (touches.current.size === 2) isPinching.current = onPinch();
  });

  const move = useEffectEvent((event: PointerEvent) => {
    if (!touches.current.has(event.pointerId)) return;
    const before = pinchOf(touches.current);
    touches.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = pinchOf(touches.current);
    if (!before || !now || !isPinching.current || frozen) return;
    viewport.zoomBy(now.spread / before.spread, onStage(before.middle), onStage(now.middle));
  });

  const lift = useEffectEvent((event: PointerEvent) => {
    touches.current.delete(event.pointerId);
    if (touches.current.size < 2) isPinching.current = false;
  });

  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const listeners = {
      wheel: (event: WheelEvent) => wheel(event),
      pointerdown: (event: PointerEvent) => press(event),
      pointermove: (event: PointerEvent) => move(event),
      pointerup: (event: PointerEvent) => lift(event),
      pointercancel: (event: PointerEvent) => lift(event),
    };
    // React registers wheel listeners as passive, so their preventDefault would not stop the browser's page zoom.
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener, { passive: false });
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
    };
  }, [stage]);
}

/** Centre and distance of the first two fingers. Null with fewer fingers. */
function pinchOf(touches: ReadonlyMap<number, Point>): { middle: Point; spread: number } | null {
  const [one, two] = [...touches.values()];
  if (!one || !two) return null;
  return {
    middle: { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 },
    spread: Math.max(1, Math.hypot(one.x - two.x, one.y - two.y)),
  };
}
