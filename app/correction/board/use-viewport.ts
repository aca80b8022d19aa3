/** How close the grader looks at the image on the board: the whole of it at first, and again for every image. */
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
  /** `at` in CSS pixels of the stage: what lies there stays there, or comes to `to`; the middle where nothing is named. */
  zoomBy: (factor: number, at?: Point, to?: Point) => void;
  panBy: (by: Point) => void;
  fit: () => void;
}

/** Null until the image and the room for it are known. `page` tells the images apart. */
export function useViewport(image: Size | null, rotation: Rotation, stage: Size | null, page: number): Viewport | null {
  const [kept, setKept] = useState<{ page: number; camera: Camera } | null>(null);
  const place = useMemo(() => {
    if (!image || !stage) return null;
    const camera = kept?.page === page ? kept.camera : wholeImage(image);
    return { camera, shown: showImage(image, rotation, stage, camera) };
  }, [image, rotation, stage, kept, page]);
  if (!image || !stage || !place) return null;

  // From what is kept, not from what is shown: several turns of a wheel may come before the next frame.
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
