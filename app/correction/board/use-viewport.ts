/** How close the grader looks at the image on the board: the whole of it at first, and again for every image. */
import { useMemo, useState } from 'react';
import type { Point, Rotation } from './markup-document.ts';
import {
  type Closeness,
  mostScale,
  panBy,
  type Shown,
  type Size,
  showImage,
  wholeImage,
  zoomAt,
} from './markup-view.ts';

export interface Viewport {
  shown: Shown;
  isZoomed: boolean;
  mayZoomIn: boolean;
  /** `at` in CSS pixels of the stage: what lies there stays there, or comes to `to`; the middle where nothing is named. */
  zoomBy: (factor: number, at?: Point, to?: Point) => void;
  panBy: (by: Point) => void;
  fit: () => void;
}

/** Null until the image and the room for it are known. `page` tells the images apart. */
export function useViewport(image: Size | null, rotation: Rotation, stage: Size | null, page: number): Viewport | null {
  const [kept, setKept] = useState<{ page: number; closeness: Closeness } | null>(null);
  const place = useMemo(() => {
    if (!image || !stage) return null;
    const closeness = kept?.page === page ? kept.closeness : wholeImage(image);
    return { closeness, shown: showImage(image, rotation, stage, closeness) };
  }, [image, rotation, stage, kept, page]);
  if (!image || !stage || !place) return null;

  // From what is kept, not from what is shown: several turns of a wheel may come before the next frame.
  const change = (to: (shown: Shown, closeness: Closeness) => Closeness) =>
    setKept((before) => {
      const closeness = before?.page === page ? before.closeness : wholeImage(image);
      return { page, closeness: to(showImage(image, rotation, stage, closeness), closeness) };
    });
  const centre = { x: stage.width / 2, y: stage.height / 2 };
  const { scale } = place.closeness;
  return {
    shown: place.shown,
    isZoomed: scale > 1,
    mayZoomIn: scale < mostScale(image, rotation, stage),
    zoomBy: (factor, at = centre, to = at) => change((shown, closeness) => zoomAt(shown, closeness, factor, at, to)),
    panBy: (by) => change((shown, closeness) => panBy(shown, closeness, by)),
    fit: () => setKept(null),
  };
}
