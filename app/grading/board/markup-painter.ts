// Draws marks on a canvas. The board on the screen and the saved picture share this code, so they look the same.
import type { Drawable, Options } from 'roughjs/bin/core';
import type { RoughGenerator } from 'roughjs/bin/generator';
import {
  type ArrowMark,
  arrowLength,
  type Mark,
  type Markup,
  type Point,
  stampSize,
  strokeWidth,
  type TextMark,
  textSize,
} from './markup-document.ts';
import {
  boardUnit,
  canvasSize,
  imageToCanvas,
  layoutText,
  lineHeight,
  type MeasureText,
  type TextLayout,
  type View,
  viewMatrix,
} from './markup-view.ts';

export const strokeColor = 'red';
export const textFont = 'Arial';

/** Sizes of an arrow's head, in board units. Arrows shorter than `fullHeadFrom` get a proportionally smaller head. */
const fullHeadFrom = 100;
const fullHead = 26;
const headAngle = Math.PI / 7;

/**
 * One random seed for all sketched lines, so that a mark looks the same after each move, reload and save. The saved
 * form has no field for a seed per mark.
 */
const seed = 7;
// Settings of sketched lines. With the default curve fitting of 0.95 a large ellipse misses its handles by several
// pixels.
const stroke: Options = { seed, roughness: 0.9, bowing: 0.8, curveFitting: 0.99 };
const calm: Options = { seed, roughness: 0.5, bowing: 0.6, preserveVertices: true };
const exact: Options = { seed, roughness: 0, disableMultiStroke: true };

/** Lines of the stamps (tick, cross, half tick) relative to their centre, in board units. */
const half = stampSize / 2;
const tick: [number, number][] = [
  [-half * 0.8, half * 0.05],
  [-half * 0.25, half * 0.7],
  [half * 0.9, -half * 0.75],
];
const stamps: Record<'right' | 'wrong' | 'half', [number, number][][]> = {
  right: [tick],
  wrong: [
    [
      [-half * 0.75, -half * 0.75],
      [half * 0.75, half * 0.75],
    ],
    [
      [half * 0.75, -half * 0.75],
      [-half * 0.75, half * 0.75],
    ],
  ],
  half: [
    tick,
    [
      [half * 0.1, -half * 0.36],
      [half * 0.66, half * 0.1],
    ],
  ],
};

export type Canvas = CanvasRenderingContext2D;

/** `paint` draws one mark in CSS pixels of the view. `layout` returns where a text is drawn in the view. */
export interface Painter {
  paint(canvas: Canvas, mark: Mark, view: View): void;
  layout(mark: TextMark, view: View): TextLayout;
}

/**
 * Creates a painter. `measuring` is any canvas; only its measureText is used. Line paths are cached per mark, so that
 * an unchanged mark costs one stroke() per frame.
 */
export function createPainter(generator: RoughGenerator, measuring: Canvas): Painter {
  const strokes = new WeakMap<Mark, { unit: number; path: Path2D }>();

  const strokesOf = (mark: Exclude<Mark, TextMark>, unit: number): Path2D => {
    const known = strokes.get(mark);
    if (known?.unit === unit) return known.path;
    const path = new Path2D();
    for (const drawable of drawablesOf(generator, mark, unit)) addTo(path, drawable);
    strokes.set(mark, { unit, path });
    return path;
  };

  const measure: MeasureText = (line) => {
    measuring.font = `${textSize}px ${textFont}`;
    return measuring.measureText(line).width;
  };

  return {
    layout: (mark, view) => layoutText(view, mark, measure),
    paint(canvas, mark, view) {
      const unit = boardUnit(view.image);
      canvas.save();
      if (mark.name === 'text') {
        paintText(canvas, layoutText(view, mark, measure), unit * view.zoom);
      } else {
        if (mark.name === 'right' || mark.name === 'wrong' || mark.name === 'half') {
          // Stamps stay upright when the image is rotated, as texts do.
          const { x, y } = imageToCanvas(view, mark);
          canvas.translate(x, y);
          canvas.scale(unit * view.zoom, unit * view.zoom);
        } else {
          canvas.transform(...viewMatrix(view));
          canvas.translate(mark.x, mark.y);
          canvas.scale(unit, unit);
        }
        canvas.strokeStyle = strokeColor;
        canvas.lineWidth = strokeWidth;
        canvas.lineCap = 'round';
        canvas.lineJoin = 'round';
        canvas.stroke(strokesOf(mark, unit));
      }
      canvas.restore();
    },
  };
}

function paintText(canvas: Canvas, layout: TextLayout, scale: number): void {
  canvas.translate(layout.canvas.x, layout.canvas.y);
  canvas.scale(scale, scale);
  canvas.font = `${textSize}px ${textFont}`;
  canvas.fillStyle = strokeColor;
  canvas.textBaseline = 'middle';
  for (const [index, line] of layout.lines.entries()) canvas.fillText(line, 0, (index + 0.5) * lineHeight);
}

/**
 * Returns the lines of a mark relative to its origin in board units, so that neither position nor zoom changes them.
 */
function drawablesOf(generator: RoughGenerator, mark: Exclude<Mark, TextMark>, unit: number): Drawable[] {
  switch (mark.name) {
    case 'rect':
      return [generator.rectangle(0, 0, mark.w / unit, mark.h / unit, stroke)];
    case 'ellipse': {
      const [w, h] = [mark.w / unit, mark.h / unit];
      return [generator.ellipse(w / 2, h / 2, w, h, stroke)];
    }
    case 'arrow':
      return arrowStrokes(mark, unit).map((points) => generator.linearPath(points, calm));
    case 'line': {
      const points = mark.data.map((point): [number, number] => [(point.x - mark.x) / unit, (point.y - mark.y) / unit]);
      // Two points are a ruled line, drawn with a sketchy stroke. Freehand lines are drawn exactly.
      return [generator.linearPath(points, points.length > 2 ? exact : calm)];
    }
    default:
      return stamps[mark.name].map((points) => generator.linearPath(points, calm));
  }
}

function arrowStrokes(arrow: ArrowMark, unit: number): [number, number][][] {
  const length = arrowLength(arrow) / unit;
  const head: Point = { x: (arrow.ox - arrow.x) / unit, y: (arrow.oy - arrow.y) / unit };
  const direction = Math.atan2(head.y, head.x);
  const size = fullHead * Math.min(1, length / fullHeadFrom);
  const barb = (angle: number): [number, number] => [
    head.x - size * Math.cos(direction + angle),
    head.y - size * Math.sin(direction + angle),
  ];
  return [
    [
      [0, 0],
      [head.x, head.y],
    ],
    [barb(headAngle), [head.x, head.y], barb(-headAngle)],
  ];
}

function addTo(path: Path2D, drawable: Drawable): void {
  for (const { op, data } of drawable.sets.flatMap((set) => set.ops)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = data;
    if (op === 'move') path.moveTo(a, b);
    else if (op === 'lineTo') path.lineTo(a, b);
    else path.bezierCurveTo(a, b, c, d, e, f);
  }
}

/** Draws the image with the same rotation and scale as its marks. */
export function paintImage(canvas: Canvas, image: CanvasImageSource, view: View): void {
  canvas.save();
  canvas.imageSmoothingQuality = 'high';
  canvas.transform(...viewMatrix(view));
  canvas.drawImage(image, 0, 0, view.image.width, view.image.height);
  canvas.restore();
}

/** Upload limit of the call public/imgBase64, in bytes. */
const maxFileBytes = 5 * 1024 * 1024;
/** Maximum pixels of a canvas. Browsers refuse a larger canvas, or leave it empty. */
const maxPixels = 64_000_000;
const smallestZoom = 0.02;
const qualities = [0.92, 0.8, 0.65];

/**
 * Renders the rotated image with its marks as one JPEG of at most 5 MB. Lowers the quality first, then the size, until
 * it fits. Null if the browser cannot encode it.
 */
export async function flattenToJpeg(
  painter: Painter,
  image: CanvasImageSource,
  size: View['image'],
  markup: Markup,
): Promise<Blob | null> {
  for (let zoom = Math.min(1, Math.sqrt(maxPixels / (size.width * size.height))); zoom > smallestZoom; zoom *= 0.7) {
    const sheet = flatSheet(painter, image, { image: size, rotation: markup.rotation, zoom }, markup.marks);
    for (const quality of qualities) {
      const blob = sheet && (await encode(sheet, quality));
      if (!blob || blob.size <= maxFileBytes) return blob;
    }
  }
  return null;
}

/**
 * Encodes a canvas as JPEG. Chromium encodes in idle time between frames and, without animation, may find none for
 * seconds. Requesting frames until the JPEG is ready avoids the wait.
 */
function encode(sheet: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => {
    let frame = requestAnimationFrame(function next() {
      frame = requestAnimationFrame(next);
    });
    const done = (blob: Blob | null) => {
      cancelAnimationFrame(frame);
      resolve(blob);
    };
    sheet.toBlob(done, 'image/jpeg', quality);
  });
}

function flatSheet(
  painter: Painter,
  image: CanvasImageSource,
  view: View,
  marks: readonly Mark[],
): HTMLCanvasElement | null {
  const sheet = document.createElement('canvas');
  const { width, height } = canvasSize(view);
  sheet.width = Math.max(1, Math.round(width));
  sheet.height = Math.max(1, Math.round(height));
  const canvas = sheet.getContext('2d');
  if (!canvas) return null;
  // JPEG has no transparency: transparent areas would turn black.
  canvas.fillStyle = 'white';
  canvas.fillRect(0, 0, sheet.width, sheet.height);
  paintImage(canvas, image, view);
  for (const mark of marks) painter.paint(canvas, mark, view);
  return sheet;
}
