import { describe, expect, test } from 'vitest';
import {
  emptyMarkup,
  type Point,
  type Rotation,
  rotateMarkup,
  type TextMark,
} from '../../app/grading/board/markup-document.ts';
import {
  boardUnit,
  type Camera,
  canvasSize,
  canvasToImage,
  clampToImage,
  fitZoom,
  imageToCanvas,
  layoutText,
  maxScale,
  panBy,
  type StageView,
  screenToCanvas,
  showImage,
  type View,
  viewMatrix,
  wholeImage,
  zoomAt,
} from '../../app/grading/board/markup-view.ts';

const image = { width: 400, height: 300 };
const rotations: Rotation[] = [0, 90, 180, 270];
const views = rotations.flatMap((rotation) => [0.25, 1, 1.7].map((zoom): View => ({ image, rotation, zoom })));
const points: Point[] = [
  { x: 0, y: 0 },
  { x: 400, y: 300 },
  { x: 12.5, y: 299 },
  { x: 200, y: 150 },
];

describe('the canvas position of an image pixel', () => {
  test.each([
    [0, { x: 10, y: 20 }],
    [90, { x: 280, y: 10 }],
    [180, { x: 390, y: 280 }],
    [270, { x: 20, y: 390 }],
  ] as const)('follows a clockwise turn by %i', (rotation, expected) => {
    expect(imageToCanvas({ image, rotation, zoom: 1 }, { x: 10, y: 20 })).toEqual(expected);
  });

  test.each(views)('converts to the canvas and back at rotation $rotation and zoom $zoom', (view) => {
    for (const point of points) {
      const back = canvasToImage(view, imageToCanvas(view, point));
      expect(back.x).toBeCloseTo(point.x, 9);
      expect(back.y).toBeCloseTo(point.y, 9);
    }
  });

  test.each(views)('lies on the canvas at rotation $rotation and zoom $zoom', (view) => {
    const { width, height } = canvasSize(view);
    for (const point of points) {
      const { x, y } = imageToCanvas(view, point);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(height);
    }
  });

  test.each(views)('is the same in the drawing matrix at rotation $rotation and zoom $zoom', (view) => {
    const [a, b, c, d, e, f] = viewMatrix(view);
    for (const { x, y } of points) {
      const expected = imageToCanvas(view, { x, y });
      expect(a * x + c * y + e).toBeCloseTo(expected.x, 9);
      expect(b * x + d * y + f).toBeCloseTo(expected.y, 9);
    }
  });

  test('has width and height swapped after a quarter turn', () => {
    const turned = rotateMarkup(emptyMarkup);
    expect(canvasSize({ image, rotation: turned.rotation, zoom: 0.5 })).toEqual({ width: 150, height: 200 });
  });

  test('is found from a click, whatever the canvas’s offset and scale on the page', () => {
    const bounds = { left: 50, top: 20, width: 600, height: 800 };
    expect(screenToCanvas({ x: 0, y: 0, w: 300, h: 400 }, bounds, { x: 350, y: 420 })).toEqual({ x: 150, y: 200 });
    expect(screenToCanvas({ x: 70, y: 5, w: 300, h: 400 }, bounds, { x: 350, y: 420 })).toEqual({ x: 220, y: 205 });
  });
});

describe('fitting an image into the stage', () => {
  test('scales a large image down to fit in every rotation', () => {
    const stage = { width: 200, height: 200 };
    expect(fitZoom(image, 0, stage)).toBeCloseTo(0.5);
    expect(fitZoom(image, 90, stage)).toBeCloseTo(0.5);
    expect(fitZoom(image, 90, { width: 150, height: 1000 })).toBeCloseTo(0.5);
  });

  test('does not enlarge a small image', () => {
    expect(fitZoom(image, 0, { width: 4000, height: 3000 })).toBe(1);
  });

  test('widens strokes with an image larger than the stage', () => {
    expect(boardUnit({ width: 1200, height: 700 })).toBe(1);
    expect(boardUnit({ width: 3600, height: 700 })).toBe(3);
    expect(boardUnit({ width: 2100, height: 2800 })).toBe(4);
  });

  test('moves a point beside the image to its edge', () => {
    expect(clampToImage(image, { x: -5, y: 310 })).toEqual({ x: 0, y: 300 });
  });
});

describe('zooming the board', () => {
  const stage = { width: 200, height: 100 };
  const whole = wholeImage(image);
  const shownAt = (camera: Camera, rotation: Rotation = 0) => showImage(image, rotation, stage, camera);
  const under = ({ view, origin }: StageView, at: Point) =>
    canvasToImage(view, { x: at.x - origin.x, y: at.y - origin.y });

  test.each(rotations)('centres the whole image on the stage at rotation %i', (rotation) => {
    const { view, pane, origin } = shownAt(whole, rotation);
    const size = canvasSize(view);
    expect(view.zoom).toBe(fitZoom(image, rotation, stage));
    expect(pane).toEqual({ x: 0, y: 0, w: size.width, h: size.height });
    expect(origin.x).toBeCloseTo((stage.width - size.width) / 2);
    expect(origin.y).toBeCloseTo((stage.height - size.height) / 2);
  });

  test.each(rotations)('keeps the point under the pointer at rotation %i', (rotation) => {
    const at = { x: 120, y: 40 };
    const before = shownAt(whole, rotation);
    const closer = zoomAt(before, whole, 8, at);
    const now = shownAt(closer, rotation);
    expect(now.view.zoom).toBeCloseTo(8 * before.view.zoom);
    expect(under(now, at).x).toBeCloseTo(under(before, at).x);
    expect(under(now, at).y).toBeCloseTo(under(before, at).y);
  });

  test('keeps the points under two fingers when only one finger’s move has arrived', () => {
    const [left, right, further] = [
      { x: 80, y: 50 },
      { x: 120, y: 50 },
      { x: 50, y: 50 },
    ];
    const before = shownAt(whole);
    const closer = zoomAt(before, whole, 70 / 40, { x: 100, y: 50 }, { x: 85, y: 50 });
    const now = shownAt(closer);
    expect(under(now, further).x).toBeCloseTo(under(before, left).x);
    expect(under(now, right).x).toBeCloseTo(under(before, right).x);
  });

  test('stops at the whole image and at three screen pixels per image pixel', () => {
    const farther = zoomAt(shownAt(whole), whole, 0.1, { x: 0, y: 0 });
    expect(farther.scale).toBe(1);
    expect(shownAt(farther).origin).toEqual(shownAt(whole).origin);
    const closest = zoomAt(shownAt(whole), whole, 1000, { x: 0, y: 0 });
    expect(shownAt(closest).view.zoom).toBeCloseTo(3);
    expect(maxScale({ width: 50, height: 50 }, 0, stage)).toBe(4);
  });

  test('pans as far as the edge and back without slack', () => {
    const closer = zoomAt(shownAt(whole), whole, 4, { x: 100, y: 50 });
    const pushed = panBy(shownAt(closer), closer, { x: 10_000, y: 10_000 });
    expect(shownAt(pushed).pane).toEqual({ x: 0, y: 0, w: 200, h: 100 });
    const back = panBy(shownAt(pushed), pushed, { x: -30, y: -20 });
    expect(shownAt(back).pane).toMatchObject({ x: 30, y: 20 });
  });

  test('keeps the same centre in a larger window', () => {
    const closer = zoomAt(shownAt(whole), whole, 4, { x: 150, y: 80 });
    const { view, origin } = showImage(image, 0, { width: 300, height: 150 }, closer);
    expect(canvasToImage(view, { x: 150 - origin.x, y: 75 - origin.y }).x).toBeCloseTo(closer.middle.x);
  });
});

describe('text on the board', () => {
  const measure = (line: string) => line.length * 16;
  const text = (x: number, y: number, words: string): TextMark => ({ name: 'text', x, y, text: words });

  test('stands at its point, one line below the other', () => {
    const layout = layoutText({ image, rotation: 0, zoom: 0.5 }, text(100, 40, '对\n再想想'), measure);
    expect(layout.lines).toEqual(['对', '再想想']);
    expect(layout.canvas).toEqual({ x: 50, y: 20, w: 24, h: 20 });
    expect(layout.image).toEqual({ x: 100, y: 40, w: 48, h: 40 });
  });

  test.each(rotations)('is upright and covers the same area of the image at rotation %i', (rotation) => {
    const view: View = { image, rotation, zoom: 1 };
    const layout = layoutText(view, text(200, 150, '很好'), measure);
    expect([layout.canvas.w, layout.canvas.h]).toEqual([32, 20]);
    const middle = { x: layout.canvas.x + 16, y: layout.canvas.y + 10 };
    const pixel = canvasToImage(view, middle);
    expect(pixel).toEqual({ x: layout.image.x + layout.image.w / 2, y: layout.image.y + layout.image.h / 2 });
  });

  test.each(rotations)('stays inside the picture at rotation %i', (rotation) => {
    const view: View = { image, rotation, zoom: 1 };
    const { width, height } = canvasSize(view);
    for (const { x, y } of points) {
      const { canvas } = layoutText(view, text(x, y, '请把单位写上'), measure);
      expect(canvas.x).toBeGreaterThanOrEqual(0);
      expect(canvas.y).toBeGreaterThanOrEqual(0);
      expect(canvas.x + canvas.w).toBeLessThanOrEqual(width);
      expect(canvas.y + canvas.h).toBeLessThanOrEqual(height);
    }
  });

  test('breaks a line wider than the picture', () => {
    const view: View = { image: { width: 50, height: 300 }, rotation: 0, zoom: 1 };
    expect(layoutText(view, text(0, 0, '一二三四五六七'), measure).lines).toEqual(['一二三', '四五六', '七']);
  });
});
