// Maps between screen points and image pixels. There are three coordinate spaces: the image (its own pixels, upright),
// the canvas (CSS pixels from the canvas's upper left corner: the image rotated clockwise, then scaled), and the screen
// (client coordinates of an event).
import { type Box, boxBetween, type Point, type Rotation, type TextMark, textSize } from './markup-document.ts';

export interface Size {
  width: number;
  height: number;
}

export interface View {
  /** Size in image pixels, before the rotation. */
  image: Size;
  rotation: Rotation;
  /** CSS pixels per image pixel. */
  zoom: number;
}

/**
 * The board's constants (stroke 3, font 16px, arrow lengths) fit an image of this size. On a photograph of 4000 pixels
 * they would be too small to see, so they grow with the image. A mark therefore covers the same part of the image in
 * every window and in the saved picture.
 */
const referenceCanvas: Size = { width: 1200, height: 700 };

/** Image pixels per board unit: 1 if the image fits `referenceCanvas`, else how many times larger the image is. */
export function boardUnit(image: Size): number {
  return Math.max(1, image.width / referenceCanvas.width, image.height / referenceCanvas.height);
}

/** Size of the rotated image: a quarter turn swaps width and height. */
export function turnedSize(image: Size, rotation: Rotation): Size {
  return rotation % 180 === 0 ? image : { width: image.height, height: image.width };
}

/** Zoom at which the rotated image fits the stage. At most 1, so that a small image is not enlarged. */
export function fitZoom(image: Size, rotation: Rotation, stage: Size): number {
  const turned = turnedSize(image, rotation);
  return Math.min(1, stage.width / turned.width, stage.height / turned.height);
}

/** Size of the rotated and scaled image in CSS pixels. */
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
 * Maps a screen point to the canvas. `pane` is the visible part of the canvas and `bounds` its rectangle on the screen.
 * Their sizes differ while the page is pinch-zoomed.
 */
export function screenToCanvas(pane: Box, bounds: { left: number; top: number } & Size, screen: Point): Point {
  return {
    x: pane.x + ((screen.x - bounds.left) / bounds.width) * pane.w,
    y: pane.y + ((screen.y - bounds.top) / bounds.height) * pane.h,
  };
}

/** Zoom and centre that the grader chose, in image pixels, so that they survive a resize of the window. */
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

/** The visible part of the canvas. The canvas may be larger than its stage. */
export interface StageView {
  view: View;
  stage: Size;
  /** The visible part, in canvas pixels. */
  pane: Box;
  /** Upper left corner of the canvas on the stage. Negative if the canvas is cut off there. */
  origin: Point;
}

/**
 * Zoom limits. `maxPixelSize` is in CSS pixels per image pixel. `maxSmallImageScale` is a multiple of the fitted size,
 * for small images.
 */
const maxPixelSize = 3;
const maxSmallImageScale = 4;

export function maxScale(image: Size, rotation: Rotation, stage: Size): number {
  return Math.max(maxSmallImageScale, maxPixelSize / fitZoom(image, rotation, stage));
}

/** Positions the canvas on the stage: centred where it fits. A larger canvas always covers the stage. */
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
 * Zooms by `factor`. The image pixel at stage point `at` stays there, or moves to `to` (pinch with two fingers). Zoom
 * and movement are one step: a fitted image cannot be panned, so a separate pan would be lost.
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

/** Keeps the camera within the image, so that the grader never pans into nothing and has to pan back. */
function settle({ image, rotation }: View, stage: Size, wanted: Camera): Camera {
  const { view, origin } = showImage(image, rotation, stage, wanted);
  const middle = { x: stage.width / 2 - origin.x, y: stage.height / 2 - origin.y };
  return { scale: wanted.scale, middle: canvasToImage(view, middle) };
}

/** Returns the nearest point within the image, so that marks begin and end on it. */
export function clampToImage(image: Size, point: Point): Point {
  return { x: Math.min(image.width, Math.max(0, point.x)), y: Math.min(image.height, Math.max(0, point.y)) };
}

/** Returns the mapping of imageToCanvas as the six numbers of a canvas transform. */
export function viewMatrix(view: View): [number, number, number, number, number, number] {
  const origin = imageToCanvas(view, { x: 0, y: 0 });
  const right = imageToCanvas(view, { x: 1, y: 0 });
  const down = imageToCanvas(view, { x: 0, y: 1 });
  return [right.x - origin.x, right.y - origin.y, down.x - origin.x, down.y - origin.y, origin.x, origin.y];
}

/** Measures a line of text: its width in board units, at font size textSize. */
export type MeasureText = (line: string) => number;

export const lineHeight = textSize * 1.25;

export interface TextLayout {
  lines: string[];
  /** Box of the text in canvas pixels. */
  canvas: Box;
  /** Box of the text in image pixels. */
  image: Box;
}

/**
 * Lays out a text to the right of and below its point, upright at any rotation. Wraps lines wider than the image and
 * moves the text inwards where it would leave the image.
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
