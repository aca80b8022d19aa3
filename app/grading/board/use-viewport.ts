/** Zoom and pan of the board's image. Each image starts fitted to the stage. */
import { useMemo, useState } from 'react';
import type { Point, Rotation } from './markup-document.ts';
import {
  type Camera,
  maxScale,
  panBy,
  type Size,
  type StageView,
  showImage,
  wholeImage,
  zoomAt,
} from './markup-view.ts';

export interface Viewport {
  shown: StageView;
  isZoomed: boolean;
  mayZoomIn: boolean;
  /** Zooms around `at` (CSS pixels of the stage, by default its centre). With `to`, also moves that point to `to`. */
  zoomBy: (factor: number, at?: Point, to?: Point) => void;
  panBy: (by: Point) => void;
  fit: () => void;
}

/**
 * Returns null until the sizes of image and stage are known. A change of `page` (the index of the image) resets zoom
 * and pan.
 */
export function useViewport(image: Size | null, rotation: Rotation, stage: Size | null, page: number): Viewport | null {
  const [kept, setKept] = useState<{ page: number; camera: Camera } | null>(null);
  const place = useMemo(() => {
    if (!image || !stage) return null;
    const camera = kept?.page === page ? kept.camera : wholeImage(image);
    return { camera, shown: showImage(image, rotation, stage, camera) };
  }, [image, rotation, stage, kept, page]);
  if (!image || !stage || !place) return null;

  // Starts from the stored state, not from the rendered one: several wheel events may come within one frame.
  const change = (to: (shown: StageView, camera: Camera) => Camera) =>
    setKept((before) => {
      const camera = before?.page === page ? before.camera : wholeImage(image);
      return { page, camera: to(showImage(image, rotation, stage, camera), camera) };
    });
  const centre = { x: stage.width / 2, y: stage.height / 2 };
  const { scale } = place.camera;
  return {
    shown: place.shown,
    isZoomed: scale > 1,
    mayZoomIn: scale < maxScale(image, rotation, stage),
    zoomBy: (factor, at = centre, to = at) => change((shown, camera) => zoomAt(shown, camera, factor, at, to)),
    panBy: (by) => change((shown, camera) => panBy(shown, camera, by)),
    fit: () => setKept(null),
  };
}
