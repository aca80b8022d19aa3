/** Draws photographs on a canvas: upright, smaller, turned and cropped. */
import { fitPicture, postedPictureSize } from '#server/platform/files/rules.ts';

/** Photographs up to this size are sent unchanged. */
const smallBytes = 1024 * 1024;

/** Rejects if the browser does not know the format, such as HEIC. The browser applies the EXIF orientation. */
export async function openPhoto(photo: Blob): Promise<HTMLImageElement> {
  const image = new Image();
  const address = URL.createObjectURL(photo);
  try {
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Part of a photograph after turning, from 0 to 1. */
export interface Crop {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const whole: Crop = { left: 0, top: 0, right: 1, bottom: 1 };

/** Draws a part of a photograph. `turns`: quarters clockwise. `longer`: maximum pixels of the longer side. */
export function drawPhoto(
  canvas: HTMLCanvasElement,
  image: HTMLImageElement,
  { turns = 0, crop = whole, longer }: { turns?: number; crop?: Crop; longer?: number },
): void {
  const { naturalWidth, naturalHeight } = image;
  const [width, height] = turns % 2 === 0 ? [naturalWidth, naturalHeight] : [naturalHeight, naturalWidth];
  const [ownWidth, ownHeight] = [width * (crop.right - crop.left), height * (crop.bottom - crop.top)];
  const most = longer ?? fitPicture(ownWidth, ownHeight, postedPictureSize);
  const scale = Math.min(1, most / Math.max(ownWidth, ownHeight));
  canvas.width = Math.max(1, Math.round(ownWidth * scale));
  canvas.height = Math.max(1, Math.round(ownHeight * scale));
  const pen = canvas.getContext('2d');
  if (!pen) return;
  // JPEG has no transparency.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(scale, scale);
  pen.translate(width / 2 - crop.left * width, height / 2 - crop.top * height);
  pen.rotate((turns * Math.PI) / 2);
  pen.drawImage(image, -naturalWidth / 2, -naturalHeight / 2);
}

export const jpegOf = (canvas: HTMLCanvasElement): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));

/** Shrinks a photograph to the size that the server keeps. Returns the file unchanged if the browser cannot read it. */
export async function shrinkPhoto(photo: Blob): Promise<Blob> {
  // A GIF may move.
  if (photo.type === 'image/gif') return photo;
  const image = await openPhoto(photo).catch(() => undefined);
  if (!image) return photo;
  const { naturalWidth: width, naturalHeight: height } = image;
  const fits = Math.max(width, height) <= fitPicture(width, height, postedPictureSize);
  if (fits && photo.size <= smallBytes && !/hei[cf]/.test(photo.type)) return photo;
  const canvas = document.createElement('canvas');
  drawPhoto(canvas, image, {});
  return (await jpegOf(canvas)) ?? photo;
}
