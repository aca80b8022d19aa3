const megabyte = 1024 * 1024;

export const mediaExtensions: readonly string[] = [
  'mp3',
  'wav',
  'wma',
  'aac',
  'flac',
  'm4a',
  'oga',
  'opus',
  'mp4',
  '3gp',
  'mpg',
  'mpeg',
  '3g2',
  'avi',
  'flv',
  'wmv',
  'h264',
  'm4v',
  'mj2',
  'mov',
  'ogg',
  'ogv',
  'rm',
  'rmvb',
  'qt',
  'webm',
];

export const pictureExtensions: readonly string[] = ['jpg', 'jpeg', 'png', 'gif', 'webp'];

/** Types that every browser shows. They are listed one by one, because iPhones then convert HEIC to JPEG. */
export const pictureTypes = 'image/jpeg,image/png,image/gif,image/webp';

/** Other phones offer their HEIC photographs only if the list has them. */
export const photoTypes = `${pictureTypes},image/heic,image/heif,.heic,.heif`;

/** True for a file that a camera made. It may lie on its side, and says where it was taken. */
export const isPhotograph = ({ name, type }: { name: string; type: string }): boolean =>
  /^image\/(?:jpeg|hei[cf])$/.test(type) || /\.(?:jpe?g|hei[cf])$/i.test(name);

export const documentExtensions: readonly string[] = ['ppt', 'pptx', 'doc', 'docx', 'pdf'];

/** Extensions that `public/file` accepts: documents, pictures, archives, media and spreadsheets. */
export const fileExtensions: readonly string[] = [
  ...documentExtensions,
  ...pictureExtensions,
  'zip',
  ...mediaExtensions,
  'xlsx',
];

/** True for the address of a file in our storage. */
export const isStoredAddress = (address: string): boolean => /^\/files\/[^/]+\/[^/]+\/[^/]/.test(address);

/** Maximum characters of a file name. */
export const fileNameLimit = 255;

/** Maximum bytes of a file: 100 MB for audio and video, 200 MB for all others. */
export const mediaBytes = 100 * megabyte;

export const documentBytes = 200 * megabyte;

/** Maximum bytes, after decoding, of a picture sent as base64 text. */
export const drawnImageBytes = 20 * megabyte;

/** Maximum bytes of an uploaded picture. */
export const pictureBytes = 20 * megabyte;

/** Maximum pixels of the longer side. A long screenshot may exceed it if its shorter side is within `shorter`. */
export interface PictureSize {
  longer: number;
  shorter?: number;
  pixels?: number;
}

/** Size to which posted pictures are scaled down. */
export const postedPictureSize = { longer: 1600, shorter: 900, pixels: 12_000_000 } as const satisfies PictureSize;

/** Maximum pixels of a side in every format that we write; WebP allows 16,383. */
const maxSide = 16_000;

/** Returns the pixels of the longer side that a picture may have. */
export function fitPicture(width: number, height: number, { longer, shorter = 0, pixels = 0 }: PictureSize): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const legible = Math.min((long * shorter) / short, Math.sqrt((pixels * long) / short), maxSide);
  return Math.round(Math.max(longer, Math.min(long, legible)));
}

export const noFileMessage = '请选择要上传的文件';
export const emptyFileMessage = '文件内容为空';
export const uploadInterruptedMessage = '上传中断，请重新上传';
export const pictureNotFoundMessage = '图片不存在，请重新上传';
export const notAPictureMessage = '请上传 jpg、png、gif 或 webp 格式的图片';
/** Message of the places that convert photographs of phones. */
export const notAPhotoMessage = '请上传 jpg、png、gif、webp 或 heic 格式的图片';

/** Hint with the accepted picture formats. `most`: maximum bytes. */
export const pictureHint = (most: number): string => `支持 jpg、png、gif、webp，不超过 ${formatBytes(most)}`;

/** Shows a size as `1.5 MB` or `12 KB`. */
export function formatBytes(bytes: number): string {
  const megabytes = bytes / megabyte;
  return megabytes >= 1 ? `${Math.round(megabytes * 10) / 10} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`;
}

export const pictureTooLargeMessage = (most: number): string => `图片不能超过 ${formatBytes(most)}`;

export const fileTooLargeMessage = (most: number): string => `文件不能超过 ${formatBytes(most)}`;

/** Lower-case extension of a file name without the dot; '' if there is none. */
export const extensionOf = (name: string): string => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

export const packedMediaMessage = '音视频文件不能压缩，请直接上传音视频文件';

const isMedia = (name: string) => mediaExtensions.includes(extensionOf(name));

/** Returns why a file is refused by its name, or undefined. */
export function formatFault(name: string, extensions: readonly string[]): string | undefined {
  const extension = extensionOf(name);
  if (extensions.includes(extension)) return undefined;
  if (['wps', 'wpt', 'dps', 'dpt', 'et', 'ett'].includes(extension)) return 'WPS 文档请转换为 PDF 后再上传';
  const isPacked = ['zip', 'rar', '7z'].includes(extension);
  if (isPacked && extensions.every((one) => mediaExtensions.includes(one))) return packedMediaMessage;
  return `不支持的文件格式，请上传 ${extensions.join('、')} 格式的文件`;
}

/** Returns why a file is refused by its size, or undefined. */
export function sizeFault({ name, size }: { name: string; size: number }): string | undefined {
  const most = isMedia(name) ? mediaBytes : documentBytes;
  if (size <= most) return undefined;
  return isMedia(name) ? `音视频文件不能超过 ${formatBytes(most)}` : fileTooLargeMessage(most);
}
