import { describe, expect, test } from 'vitest';
import {
  emptyMarkup,
  type Point,
  type Rotation,
  rotateMarkup,
  type TextMark,
} from '../../app/correction/markup-document.ts';
import {
  boardUnit,
  canvasSize,
  canvasToImage,
  clampToImage,
  fitZoom,
  imageToCanvas,
  layoutText,
  screenToCanvas,
  type View,
  viewMatrix,
} from '../../app/correction/markup-view.ts';

const image = { width: 400, height: 300 };
const rotations: Rotation[] = [0, 90, 180, 270];
const views = rotations.flatMap((rotation) => [0.25, 1, 1.7].map((zoom): View => ({ image, rotation, zoom })));
const points: Point[] = [
  { x: 0, y: 0 },
  { x: 400, y: 300 },
  { x: 12.5, y: 299 },
  { x: 200, y: 150 },
];

describe('where a pixel of the image stands on the canvas', () => {
  test.each([
    [0, { x: 10, y: 20 }],
    [90, { x: 280, y: 10 }],
    [180, { x: 390, y: 280 }],
    [270, { x: 20, y: 390 }],
  ] as const)('turned clockwise by %i', (rotation, expected) => {
    expect(imageToCanvas({ image, rotation, zoom: 1 }, { x: 10, y: 20 })).toEqual(expected);
  });

  test.each(views)('there and back at rotation $rotation and zoom $zoom', (view) => {
    for (const point of points) {
      const back = canvasToImage(view, imageToCanvas(view, point));
      expect(back.x).toBeCloseTo(point.x, 9);
      expect(back.y).toBeCloseTo(point.y, 9);
    }
  });

  test.each(views)('every pixel lies on the canvas at rotation $rotation and zoom $zoom', (view) => {
    const { width, height } = canvasSize(view);
    for (const point of points) {
      const { x, y } = imageToCanvas(view, point);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(height);
    }
  });

  test.each(views)('drawing uses the same way at rotation $rotation and zoom $zoom', (view) => {
    const [a, b, c, d, e, f] = viewMatrix(view);
    for (const { x, y } of points) {
      const expected = imageToCanvas(view, { x, y });
      expect(a * x + c * y + e).toBeCloseTo(expected.x, 9);
      expect(b * x + d * y + f).toBeCloseTo(expected.y, 9);
    }
  });

  test('a quarter turn swaps width and height', () => {
    const turned = rotateMarkup(emptyMarkup);
    expect(canvasSize({ image, rotation: turned.rotation, zoom: 0.5 })).toEqual({ width: 150, height: 200 });
  });

  test('a click is found on a canvas that stands anywhere, also on a page that is pinched', () => {
    const view: View = { image, rotation: 90, zoom: 1 };
    const bounds = { left: 50, top: 20, width: 600, height: 800 };
    expect(screenToCanvas(view, bounds, { x: 350, y: 420 })).toEqual({ x: 150, y: 200 });
  });
});

describe('fitting', () => {
  test('a large image is scaled to fit the stage whichever way it is turned', () => {
    const stage = { width: 200, height: 200 };
    expect(fitZoom(image, 0, stage)).toBeCloseTo(0.5);
    expect(fitZoom(image, 90, stage)).toBeCloseTo(0.5);
    expect(fitZoom(image, 90, { width: 150, height: 1000 })).toBeCloseTo(0.5);
  });

  test('a small image is not blown up', () => {
    expect(fitZoom(image, 0, { width: 4000, height: 3000 })).toBe(1);
  });

  test('strokes have the size of section 9 on an image that fits, and grow with a larger one', () => {
    expect(boardUnit({ width: 1200, height: 700 })).toBe(1);
    expect(boardUnit({ width: 3600, height: 700 })).toBe(3);
    expect(boardUnit({ width: 2100, height: 2800 })).toBe(4);
  });

  test('a point beside the image is brought to its edge', () => {
    expect(clampToImage(image, { x: -5, y: 310 })).toEqual({ x: 0, y: 300 });
  });
});

describe('text', () => {
  const measure = (line: string) => line.length * 16;
  const text = (x: number, y: number, words: string): TextMark => ({ name: 'text', x, y, text: words });

  test('stands at its point, one line below the other', () => {
    const layout = layoutText({ image, rotation: 0, zoom: 0.5 }, text(100, 40, '对\n再想想'), measure);
    expect(layout.lines).toEqual(['对', '再想想']);
    expect(layout.canvas).toEqual({ x: 50, y: 20, w: 24, h: 20 });
    expect(layout.image).toEqual({ x: 100, y: 40, w: 48, h: 40 });
  });

  test.each(rotations)('is upright and covers what it shows at rotation %i', (rotation) => {
    const view: View = { image, rotation, zoom: 1 };
    const layout = layoutText(view, text(200, 150, '很好'), measure);
    expect([layout.canvas.w, layout.canvas.h]).toEqual([32, 20]);
    const middle = { x: layout.canvas.x + 16, y: layout.canvas.y + 10 };
    const pixel = canvasToImage(view, middle);
    expect(pixel).toEqual({ x: layout.image.x + layout.image.w / 2, y: layout.image.y + layout.image.h / 2 });
  });

  test.each(rotations)('never leaves the picture at rotation %i', (rotation) => {
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

  test('a line wider than the picture is broken', () => {
    const view: View = { image: { width: 50, height: 300 }, rotation: 0, zoom: 1 };
    expect(layoutText(view, text(0, 0, '一二三四五六七'), measure).lines).toEqual(['一二三', '四五六', '七']);
  });
});
