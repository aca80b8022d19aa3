/** Dialog that turns and crops a photograph. Loaded when it is first opened. */
import './photo-editor.script.css';
import { type Crop, drawPhoto, jpegOf, openPhoto, whole } from './photo-drawing.ts';

/** Pixels of the preview's longer side. */
const previewSide = 1200;
/** Smallest side of the crop, and the step of an arrow key, from 0 to 1. */
const minSide = 0.05;
const step = 0.02;

const corners = [
  ['left', 'top', '左上角'],
  ['right', 'top', '右上角'],
  ['left', 'bottom', '左下角'],
  ['right', 'bottom', '右下角'],
] as const;
const arrows: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
};

/**
 * Returns the edited photograph, `photo` itself if nothing was changed, and undefined if cancelled. Rejects if the
 * browser cannot read the photograph.
 */
export async function editPhoto(photo: Blob, place: HTMLElement): Promise<Blob | undefined> {
  const image = await openPhoto(photo);
  let turns = 0;
  let crop: Crop = whole;
  const canvas = document.createElement('canvas');
  const frame = document.createElement('div');
  frame.dataset.crop = '';

  const show = () => {
    frame.style.left = `${crop.left * 100}%`;
    frame.style.top = `${crop.top * 100}%`;
    frame.style.width = `${(crop.right - crop.left) * 100}%`;
    frame.style.height = `${(crop.bottom - crop.top) * 100}%`;
  };
  const move = (side: 'left' | 'right', edge: 'top' | 'bottom', x: number, y: number) => {
    const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
    crop = {
      ...crop,
      [side]: side === 'left' ? within(x, 0, crop.right - minSide) : within(x, crop.left + minSide, 1),
      [edge]: edge === 'top' ? within(y, 0, crop.bottom - minSide) : within(y, crop.top + minSide, 1),
    };
    show();
  };
  for (const [side, edge, label] of corners) {
    const corner = buttonOf('');
    corner.dataset.corner = `${side} ${edge}`;
    corner.setAttribute('aria-label', `裁剪的${label}，用方向键移动`);
    corner.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      corner.setPointerCapture(event.pointerId);
    });
    corner.addEventListener('pointermove', (event) => {
      if (!corner.hasPointerCapture(event.pointerId)) return;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      move(side, edge, (event.clientX - left) / width, (event.clientY - top) / height);
    });
    corner.addEventListener('keydown', (event) => {
      const [x, y] = arrows[event.key] ?? [];
      if (x === undefined || y === undefined) return;
      event.preventDefault();
      move(side, edge, crop[side] + x, crop[edge] + y);
    });
    frame.append(corner);
  }

  const turn = (quarters: number) => {
    const { left, top, right, bottom } = crop;
    turns = (turns + quarters + 4) % 4;
    crop =
      quarters === 1
        ? { left: 1 - bottom, top: left, right: 1 - top, bottom: right }
        : { left: top, top: 1 - right, right: bottom, bottom: 1 - left };
    drawPhoto(canvas, image, { turns, longer: previewSide });
    show();
  };
  const dialog = document.createElement('dialog');
  dialog.dataset.photoEditor = '';
  dialog.setAttribute('aria-label', '旋转和裁剪照片');
  const stage = document.createElement('div');
  stage.dataset.stage = '';
  stage.append(canvas, frame);
  const tools = document.createElement('div');
  tools.dataset.tools = '';
  const words = Object.assign(document.createElement('p'), { textContent: '拖动四角裁剪' });
  dialog.append(words, stage, tools);
  place.append(dialog);
  drawPhoto(canvas, image, { longer: previewSide });
  show();
  try {
    const isDone = await new Promise<boolean>((resolve) => {
      tools.append(
        buttonOf('左转', () => turn(-1)),
        buttonOf('右转', () => turn(1)),
        buttonOf('取消', () => resolve(false)),
        buttonOf('完成', () => resolve(true)),
      );
      dialog.addEventListener('close', () => resolve(false));
      dialog.showModal();
    });
    if (!isDone) return undefined;
    if (turns === 0 && crop === whole) return photo;
    drawPhoto(canvas, image, { turns, crop });
    return (await jpegOf(canvas)) ?? undefined;
  } finally {
    dialog.remove();
  }
}

function buttonOf(words: string, press?: () => void): HTMLButtonElement {
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: words });
  if (press) button.addEventListener('click', press);
  return button;
}
