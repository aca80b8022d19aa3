/** Wheel and two fingers on the stage: closer, farther and over the image. One finger draws (markup-surface.tsx). */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { Point } from './markup-document.ts';
import type { Viewport } from './use-viewport.ts';

/** A notch of a wheel is 100 CSS pixels: closer by a quarter. */
const wheelPerE = 450;
/** CSS pixels of a line and of a page, where a wheel counts in those (WheelEvent.deltaMode). */
const wheelUnits = [1, 16, 400];

interface StageGestures {
  stage: RefObject<HTMLElement | null>;
  viewport: Viewport;
  frozen: boolean;
  /** A second finger has come: what the first began is no drawing. False where the fingers do not count. */
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
    // React listens to wheels passively: then the browser would zoom the page as well.
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

/** Of the first two fingers; none while there is only one. */
function pinchOf(touches: ReadonlyMap<number, Point>): { middle: Point; spread: number } | null {
  const [one, two] = [...touches.values()];
  if (!one || !two) return null;
  return {
    middle: { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 },
    spread: Math.max(1, Math.hypot(one.x - two.x, one.y - two.y)),
  };
}
