// Maps between screen points and image pixels. Three spaces: the image (its own pixels, upright), the canvas (CSS
// pixels from the canvas's upper left corner: the image rotated clockwise, then scaled), and the screen (client
// coordinates of an event).
import { type Box, boxBetween, type Point, type Rotation, type TextMark, textSize } from './markup-document.ts';

export interface Size {
  width: number;
  height: number;
}

export interface View {
  /** In pixels, before the rotation. */
  image: Size;
  rotation: Rotation;
  /** CSS pixels per image pixel. */
  zoom: number;
}

/**
 * The board's constants (stroke 3, font 16px, arrow lengths) are meant for an image of this size. On a photograph of
 * 4000 pixels they would be invisible, so they grow with the image alone. A mark covers the same part of the image in
 * every window and in the flattened picture.
 */
const referenceCanvas: Size = { width: 1200, height: 700 };

/** Image pixels per board unit: 1 if the image fits the reference canvas, else how many times larger it is. */
export function boardUnit(image: Size): number {
  return Math.max(1, image.width / referenceCanvas.width, image.height / referenceCanvas.height);
}

/** Size of the rotated image: a quarter turn swaps width and height. */
export function turnedSize(image: Size, rotation: Rotation): Size {
  return rotation % 180 === 0 ? image : { width: image.height, height: image.width };
}

/** Zoom at which the rotated image fits the stage; at most 1, so a small image is not enlarged. */
export function fitZoom(image: Size, rotation: Rotation, stage: Size): number {
  const turned = turnedSize(image, rotation);
  return Math.min(1, stage.width / turned.width, stage.height / turned.height);
}

/** In CSS pixels. */
export function canvasSize(view: View): Size {
  const turned = turnedSize(view.image, view.rotation);
  return { width: turned.width * view.zoom, height: turned.height * view.zoom };
}

export function imageToCanvas(view: View, point: Point): Point {
  const { width, height } = view.image;
  const turned = {
    0: { x: point.x, y: point.y },
    90: { x: height - point.y, y: point.x },
    180: { x: width - point.x, y: height - point.y },
    270: { x: point.y, y: width - point.x },
  }[view.rotation];
  return { x: turned.x * view.zoom, y: turned.y * view.zoom };
}

export function canvasToImage(view: View, point: Point): Point {
  const { width, height } = view.image;
  const x = point.x / view.zoom;
  const y = point.y / view.zoom;
  return {
    0: { x, y },
    90: { x: y, y: height - x },
    180: { x: width - x, y: height - y },
    270: { x: width - y, y: x },
  }[view.rotation];
}

/**
 * `pane` is the visible part of the canvas, `bounds` its rectangle on the screen. Their sizes differ while the page is
 * pinch-zoomed.
 */
export function screenToCanvas(pane: Box, bounds: { left: number; top: number } & Size, screen: Point): Point {
  return {
    x: pane.x + ((screen.x - bounds.left) / bounds.width) * pane.w,
    y: pane.y + ((screen.y - bounds.top) / bounds.height) * pane.h,
  };
}

/** Zoom and centre chosen by the grader. In image pixels, so that they survive a resize of the window. */
export interface Camera {
  /** Zoom relative to the fitted image; at least 1. */
  scale: number;
  /** Image pixel to show in the middle of the stage. */
  middle: Point;
}

export const wholeImage = (image: Size): Camera => ({
  scale: 1,
  middle: { x: image.width / 2, y: image.height / 2 },
});

/** The visible part of a canvas that may be larger than its stage. */
export interface StageView {
  view: View;
  stage: Size;
  /** The visible part, in canvas pixels. */
  pane: Box;
  /** Upper left corner of the canvas on the stage; negative when it is cut off. */
  origin: Point;
}

/** Zoom limits: CSS pixels per image pixel; for small images, times the fitted size. */
const maxPixelSize = 3;
const maxSmallImageScale = 4;

export function maxScale(image: Size, rotation: Rotation, stage: Size): number {
  return Math.max(maxSmallImageScale, maxPixelSize / fitZoom(image, rotation, stage));
}

/** Centres the canvas where it fits. A larger one always covers the stage. */
export function showImage(image: Size, rotation: Rotation, stage: Size, { scale, middle }: Camera): StageView {
  const view: View = { image, rotation, zoom: fitZoom(image, rotation, stage) * scale };
  const size = canvasSize(view);
  const at = imageToCanvas(view, middle);
  const origin = {
    x: placeOnStage(stage.width / 2 - at.x, size.width, stage.width),
    y: placeOnStage(stage.height / 2 - at.y, size.height, stage.height),
  };
  const pane = {
    x: Math.max(0, -origin.x),
    y: Math.max(0, -origin.y),
    w: Math.min(size.width, stage.width),
    h: Math.min(size.height, stage.height),
  };
  return { view, stage, pane, origin };
}

const placeOnStage = (wanted: number, length: number, room: number): number =>
  length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, wanted));

/**
 * Zooms by `factor` and keeps the image pixel at `at` there, or moves it to `to` (two fingers). One step does both: the
 * fitted image cannot be panned, so panning separately would lose the movement.
 */
export function zoomAt(shown: StageView, { scale }: Camera, factor: number, at: Point, to = at): Camera {
  const { view, stage, origin } = shown;
  const next = Math.min(maxScale(view.image, view.rotation, stage), Math.max(1, scale * factor));
  const still = canvasToImage(view, { x: at.x - origin.x, y: at.y - origin.y });
  const closer = { ...view, zoom: (view.zoom / scale) * next };
  const stillAt = imageToCanvas(closer, still);
  const middle = { x: stillAt.x + stage.width / 2 - to.x, y: stillAt.y + stage.height / 2 - to.y };
  return settle(view, stage, { scale: next, middle: canvasToImage(closer, middle) });
}

/** Pans the image by `by` CSS pixels. */
export function panBy({ view, stage, origin }: StageView, { scale }: Camera, by: Point): Camera {
  const middle = { x: stage.width / 2 - origin.x - by.x, y: stage.height / 2 - origin.y - by.y };
  return settle(view, stage, { scale, middle: canvasToImage(view, middle) });
}

/** Clamps the camera, so that panning beyond the edge need not be undone first. */
function settle({ image, rotation }: View, stage: Size, wanted: Camera): Camera {
  const { view, origin } = showImage(image, rotation, stage, wanted);
  const middle = { x: stage.width / 2 - origin.x, y: stage.height / 2 - origin.y };
  return { scale: wanted.scale, middle: canvasToImage(view, middle) };
}

/** Returns the nearest point within the image, so that marks begin and end on it. */
export function clampToImage(image: Size, point: Point): Point {
  return { x: Math.min(image.width, Math.max(0, point.x)), y: Math.min(image.height, Math.max(0, point.y)) };
}

/** imageToCanvas as the six numbers of a canvas transform. */
export function viewMatrix(view: View): [number, number, number, number, number, number] {
  const origin = imageToCanvas(view, { x: 0, y: 0 });
  const right = imageToCanvas(view, { x: 1, y: 0 });
  const down = imageToCanvas(view, { x: 0, y: 1 });
  return [right.x - origin.x, right.y - origin.y, down.x - origin.x, down.y - origin.y, origin.x, origin.y];
}

/** Returns the width of a line in board units, at textSize. */
export type MeasureText = (line: string) => number;

export const lineHeight = textSize * 1.25;

export interface TextLayout {
  lines: string[];
  /** In canvas pixels. */
  canvas: Box;
  /** In image pixels. */
  image: Box;
}

/**
 * Lays out a text upright at any rotation, to the right of and below its point. Wraps lines wider than the image and
 * moves the text in where it would leave the image.
 */
export function layoutText(view: View, mark: TextMark, measure: MeasureText): TextLayout {
  const scale = boardUnit(view.image) * view.zoom;
  const size = canvasSize(view);
  const lines = mark.text.split('\n').flatMap((line) => breakLine(line, size.width / scale, measure));
  const w = Math.max(...lines.map(measure)) * scale;
  const h = lines.length * lineHeight * scale;
  const at = imageToCanvas(view, mark);
  const canvas = {
    x: Math.max(0, Math.min(at.x, size.width - w)),
    y: Math.max(0, Math.min(at.y, size.height - h)),
    w,
    h,
  };
  const image = boxBetween(
    canvasToImage(view, canvas),
    canvasToImage(view, { x: canvas.x + canvas.w, y: canvas.y + canvas.h }),
  );
  return { lines, canvas, image };
}

function breakLine(line: string, width: number, measure: MeasureText): string[] {
  if (measure(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const character of line) {
    if (current !== '' && measure(current + character) > width) {
      lines.push(current);
      current = '';
    }
    current += character;
  }
  return [...lines, current];
}
