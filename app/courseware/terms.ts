import { acceptedExtensions, type MaterialType, materialTypes, type UploadPlace } from '#server/courseware/rules.ts';
import { formatBytes, mediaBytes } from '#server/platform/files/rules.ts';

export const materialTypeNames: Record<MaterialType, string> = { 1: '普通课件', 2: '动画课件', 3: '音视频课件' };

export const materialTypeChoices = materialTypes.map((type) => [type, materialTypeNames[type]] as const);

const materialTypeNotes: Record<MaterialType, string> = {
  1: 'WPS 文档请先转换为 PDF；文件不能设置密码。',
  2: '文件不能设置密码；网页动画请连同素材打包为 zip。',
  3: `音视频不能压缩打包，不超过 ${formatBytes(mediaBytes)}，上传后需要一段时间转码。`,
};

/** Returns the accepted file formats of a courseware type, and the note about the type. */
export function uploadNotes(type: MaterialType, place: UploadPlace): { formats: string; note: string } {
  return { formats: acceptedExtensions(type, place).join('、'), note: materialTypeNotes[type] };
}
