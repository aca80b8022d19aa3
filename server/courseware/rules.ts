import {
  emptyFileMessage,
  fileNameLimit,
  formatFault,
  mediaExtensions,
  sizeFault,
} from '#server/platform/files/rules.ts';
import { lengthOf } from '#server/platform/text/rules.ts';

/** Types of material: 1 ordinary, 2 animated, 3 audio or video. */
export const materialTypes = [1, 2, 3] as const;

export type MaterialType = (typeof materialTypes)[number];

/** Maximum characters of a name, the same as of a file name: material is named after its file. */
export const materialNameLimit = fileNameLimit;

export const materialDescLimit = 500;

/** Maximum material added to a lesson or class at once. */
export const materialsAddedLimit = 200;

/** Destination of an upload. The library allows fewer formats than a lesson. */
export type UploadPlace = 'library' | 'lesson';

/** Allowed extensions by type of material; `local` lists those that the library allows. */
export const coursewareExtensions: Record<MaterialType | 'local', readonly string[]> = {
  1: ['ppt', 'pptx', 'doc', 'docx', 'jpg', 'jpeg', 'pdf', 'png', 'gif'],
  2: ['ppt', 'pptx', 'zip'],
  3: mediaExtensions,
  local: ['ppt', 'pptx', 'doc', 'docx', 'jpg', 'jpeg', 'pdf', 'png', 'gif', 'zip', 'mp3', 'mp4'],
};

/** Returns the allowed extensions, lower case, without the dot. */
export function acceptedExtensions(type: MaterialType, place: UploadPlace): readonly string[] {
  const all = coursewareExtensions[type];
  return place === 'lesson' ? all : all.filter((extension) => coursewareExtensions.local.includes(extension));
}

export const coursewareMessages = {
  choose: '请选择',
  enter: '请输入',
  none: '请选择课件',
  lesson: '请选择课次',
  nameLength: `课件名称不能超过${materialNameLimit}个字`,
  descLength: `课件描述不能超过${materialDescLimit}个字`,
  wrongType: '文件格式与课件类型不符，请重新选择文件',
  tooMany: `一次最多添加 ${materialsAddedLimit} 个课件`,
} as const;

/** Why a name is refused; the name was tidied by `tidyName`. */
export function materialNameFault(name: string): string | undefined {
  if (name === '') return coursewareMessages.enter;
  return lengthOf(name) > materialNameLimit ? coursewareMessages.nameLength : undefined;
}

/** Why this number of materials cannot be added at once. */
export function addCountFault(count: number): string | undefined {
  if (count === 0) return coursewareMessages.none;
  return count > materialsAddedLimit ? coursewareMessages.tooMany : undefined;
}

// ---- lessons ------------------------------------------------------------------------------------------

/** Types of lessons. The type is accepted but not needed, because `times_id` is unique across types (see lesson.ts). */
export const lessonTypes = [1, 2, 3, 4] as const;

export const missingMaterial = '课件不存在';
export const missingMaterialFile = '课件文件不存在';

/** Why material cannot be edited: only the user who uploaded it (`is_owner` 1) may edit and remove it. */
export const editFault = (material: { is_owner: number }): string | undefined =>
  material.is_owner === 1 ? undefined : '只能编辑自己上传的课件';

export const removeFault = (material: { is_owner: number }): string | undefined =>
  material.is_owner === 1 ? undefined : '只能移除自己上传的课件';

export const detachFault = (material: { is_owner: number }): string | undefined =>
  material.is_owner === 1 ? undefined : '只能移除自己添加的课件';

/** Why a file is refused, as far as its name and size tell before it is uploaded. */
export function fileFault(
  file: { name: string; size: number },
  type: MaterialType,
  place: UploadPlace,
): string | undefined {
  const fault = formatFault(file.name, acceptedExtensions(type, place));
  return fault ?? (file.size === 0 ? emptyFileMessage : sizeFault(file));
}
