/** The codes of the API in the words of the screens. */
import {
  acceptedExtensions,
  byteLimit,
  type UploadPlace,
  type WareType,
  wareTypes,
} from '#server/courseware/contract.ts';

export const wareTypeNames: Record<WareType, string> = { 1: '普通课件', 2: '动画课件', 3: '音视频课件' };

export const wareTypeChoices = wareTypes.map((type) => [type, wareTypeNames[type]] as const);

/** What to mind of each type, besides its formats. */
const wareTypeNotes: Record<WareType, string> = {
  1: 'WPS 文档请先转换为 PDF；文件不能设置密码。',
  2: '文件不能设置密码；网页动画请连同素材打包为 zip。',
  3: '音视频不能压缩打包，不超过 100 MB，上传后需要一段时间转码。',
};

/** The formats of a type and what to mind, as sentences. */
export function uploadNotes(type: WareType, place: UploadPlace): { formats: string; note: string } {
  return { formats: acceptedExtensions(type, place).join('、'), note: wareTypeNotes[type] };
}

/** `1.5 MB`, `12 KB`. */
export function fileSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${Math.round(megabytes * 10) / 10} MB` : `${Math.max(1, Math.round(bytes / 1024))} KB`;
}

/** The ending of a file name, lower case, without its dot. */
const endingOf = (name: string) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** What can be told of a file before it is sent; undefined when nothing speaks against it. The server decides. */
export function fileFault(
  file: { name: string; size: number },
  type: WareType,
  place: UploadPlace,
): string | undefined {
  const extensions = acceptedExtensions(type, place);
  if (!extensions.includes(endingOf(file.name))) return `不支持的文件格式，请上传 ${extensions.join('、')} 格式的文件`;
  if (file.size === 0) return '文件内容为空';
  const limit = byteLimit(type);
  return file.size > limit ? `文件不能超过 ${fileSize(limit)}` : undefined;
}
