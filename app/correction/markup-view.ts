// How an image stands on the screen, and the way from a point of the screen to a pixel of the image and back.
// Three spaces: the image (its own pixels, upright as the camera meant it), the canvas (CSS pixels from the canvas's
// upper left corner: the image turned clockwise, then scaled), and the screen (client coordinates of an event).
import { type Box, boxBetween, FONT_SIZE, type Point, type Rotation, type TextMark } from './markup-document.ts';

export interface Size {
  width: number;
  height: number;
}

export interface View {
  /** The image's own pixels, before the rotation. */
  image: Size;
  rotation: Rotation;
  /** CSS pixels for one image pixel. */
  zoom: number;
}

/**
 * The canvas for which the constants of document 2, section 9 (stroke 3, font 16px, arrow lengths) are meant. On a
 * photograph of 4000 pixels a stroke of 3 of them could not be seen, so all of them grow with the image. They depend
 * on nothing else, so a mark covers the same part of the image in every window and in the flattened picture.
 */
const REFERENCE_CANVAS: Size = { width: 1200, height: 700 };

/** Image pixels for one board unit: 1 for an image that fits the reference canvas, else how many times it is larger. */
export function boardUnit(image: Size): number {
  return Math.max(1, image.width / REFERENCE_CANVAS.width, image.height / REFERENCE_CANVAS.height);
}

/** The image's size once turned: a quarter turn swaps width and height. */
export function turnedSize(image: Size, rotation: Rotation): Size {
  return rotation % 180 === 0 ? image : { width: image.height, height: image.width };
}

/** The zoom at which the turned image fits the stage; a smaller image is not blown up. */
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

/** `bounds` is where the canvas stands on the screen; it differs from the canvas's size while the page is pinched. */
export function screenToCanvas(view: View, bounds: { left: number; top: number } & Size, screen: Point): Point {
  const canvas = canvasSize(view);
  return {
    x: ((screen.x - bounds.left) / bounds.width) * canvas.width,
    y: ((screen.y - bounds.top) / bounds.height) * canvas.height,
  };
}

/** The nearest point of the image, so that no mark begins or ends beside the picture. */
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

/** The width of one line in board units, at FONT_SIZE. */
export type MeasureText = (line: string) => number;

export const LINE_HEIGHT = FONT_SIZE * 1.25;

export interface TextLayout {
  lines: string[];
  /** In canvas pixels. */
  canvas: Box;
  /** In image pixels. */
  image: Box;
}

/**
 * Text always stands upright, however the image is turned, from its point to the right and down. A line as wide as
 * the picture is broken, and where the text would leave the picture it is moved in, so that it can always be read.
 */
export function layoutText(view: View, mark: TextMark, measure: MeasureText): TextLayout {
  const scale = boardUnit(view.image) * view.zoom;
  const size = canvasSize(view);
  const lines = mark.text.split('\n').flatMap((line) => breakLine(line, size.width / scale, measure));
  const w = Math.max(...lines.map(measure)) * scale;
  const h = lines.length * LINE_HEIGHT * scale;
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
