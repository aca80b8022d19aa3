/** Courseware: the library, its files, and the material of lessons and of classes. */
import * as v from 'valibot';
import {
  FlagNumber,
  page,
  paging,
  SearchFlag,
  SearchId,
  SearchIds,
  SearchText,
  Seconds,
  searchOneOf,
} from '#server/platform/calls/fields.ts';
import { documentBytes } from '#server/platform/files/rules.ts';
import { call } from '#server/school/call.ts';
import { lessonTypes, materialTypes } from './rules.ts';

// ---- reading ----------------------------------------------------------------------------------------

const MaterialFile = {
  /** Id of the file. Several materials may share one. */
  fid: v.number(),
  /** Address of the screen that opens the file for users who may see it. */
  ware_url: v.string(),
  ware_filename: v.string(),
  /** Size in bytes. */
  file_size: v.number(),
};

/** Material of the library. `ware_id` repeats `id`. `classify_id` is 0 if the material has no category. */
export const MaterialRow = v.object({
  id: v.number(),
  ...MaterialFile,
  ware_id: v.number(),
  ware_name: v.string(),
  ware_desc: v.string(),
  classify_id: v.number(),
  classify_name: v.string(),
  ware_type: v.picklist(materialTypes),
  /** 1: the caller uploaded it, and may edit and remove it. 0: it is the school's. */
  is_owner: FlagNumber,
  updated_at: Seconds,
});
export type MaterialRow = v.InferOutput<typeof MaterialRow>;

export const MaterialFilter = v.object({
  ware_name: SearchText,
  classify_id: SearchId,
  ware_type: searchOneOf(materialTypes),
  /** 1: lists only the caller's uploads. */
  is_own: SearchFlag,
  ...paging(),
});
export type MaterialFilter = v.InferOutput<typeof MaterialFilter>;

/** Lists the school's material and the caller's uploads, newest first. */
export const listMaterials = call({
  method: 'GET',
  path: 'courseWare',
  title: '课件库',
  query: MaterialFilter,
  answer: page(MaterialRow),
});

export const MaterialClassify = v.object({ id: v.number(), classify_name: v.string() });
export type MaterialClassify = v.InferOutput<typeof MaterialClassify>;

export const listMaterialClassifies = call({
  method: 'GET',
  path: 'courseWareClassify',
  title: '课件分类',
  answer: v.array(MaterialClassify),
});

/** `url` opens the file in a signed-in browser. `inline` 1: the browser displays it; 0: it downloads it. */
export const MaterialPreview = v.object({
  url: v.string(),
  ware_filename: v.string(),
  file_size: v.number(),
  content_type: v.string(),
  inline: FlagNumber,
});
export type MaterialPreview = v.InferOutput<typeof MaterialPreview>;

export const previewMaterial = call({
  method: 'GET',
  path: 'courseWare/preview/info',
  title: '预览课件',
  query: v.object({ fid: SearchId }),
  answer: MaterialPreview,
});

/** Sends the bytes of a file; supports range requests. `download=1`: as a download. */
export const readMaterialFile = call({
  method: 'GET',
  path: 'courseWare/file/:fid',
  title: '读取课件文件',
  query: v.object({ download: SearchFlag }),
  file: true,
  answer: v.null(),
});

// ---- uploads to the library ----------------------------------------------------------------------------

// Lenient schemas: an invalid value counts as missing, so that the rules can refuse each field with its own message.
const Text = v.fallback(v.optional(v.string(), ''), '');
/** A choice, empty by default: an empty `is_sync` means 2, an empty `ware_type` 1. */
const Choice = v.fallback(v.optional(v.union([v.string(), v.number()]), ''), 'none');

export const showMaterial = call({
  method: 'GET',
  path: 'courseWare/library/:id',
  title: '课件信息',
  answer: MaterialRow,
});

export const EditedMaterial = v.object({ ware_name: Text, ware_desc: Text, classify_id: SearchId });
export type EditedMaterial = v.InferOutput<typeof EditedMaterial>;

export const editMaterial = call({
  method: 'PUT',
  path: 'courseWare/library/:id',
  title: '编辑课件',
  body: EditedMaterial,
  answer: v.null(),
  message: '编辑成功',
});

/** Removes material from the library. Lessons that have the material keep it. */
export const removeMaterial = call({
  method: 'DELETE',
  path: 'courseWare/library/:id',
  title: '从课件库移除',
  answer: v.null(),
  message: '移除成功',
});

// ---- uploading ---------------------------------------------------------------------------------------

const upload = { field: 'file', fileBytes: documentBytes };

/** Uploads a file only. The form of a lesson or a class then sends the file's `ware_url`. */
export const uploadMaterialFile = call({
  method: 'POST',
  path: 'courseWare/file',
  title: '上传课件文件',
  upload,
  body: v.object({ ware_type: Choice }),
  answer: v.object(MaterialFile),
  message: '上传成功',
});

/**
 * Uploads a file and creates its material in one call: both or neither. With `times_id` the material is for that lesson
 * (`is_sync` 1: also for the library). Without `times_id` it is for the library, and a category is required. The name
 * defaults to the file's name.
 */
export const uploadMaterial = call({
  method: 'POST',
  path: 'courseWare/upload',
  title: '上传课件',
  upload,
  body: v.object({
    ware_type: Choice,
    ware_name: Text,
    ware_desc: Text,
    classify_id: SearchId,
    is_sync: Choice,
    times_id: v.fallback(v.optional(v.string()), undefined),
    times_type: v.fallback(v.optional(v.string()), undefined),
  }),
  answer: v.object(MaterialFile),
  message: '上传成功',
});

export const LessonQuery = v.object({ times_id: SearchId, times_type: searchOneOf(lessonTypes) });

/** Material of a lesson. `ware_id` is 0 if the material is not in the library, or no longer. */
export const LessonMaterial = v.object({
  id: v.number(),
  ...MaterialFile,
  ware_id: v.number(),
  ware_name: v.string(),
  ware_type: v.picklist(materialTypes),
  is_sync: v.picklist([1, 2]),
  times_id: v.number(),
  /** Type of the lesson: 1 one-to-one, 3 of a group class. */
  times_type: v.number(),
  /** 1: the caller added the material to the lesson and may remove it. */
  is_owner: FlagNumber,
  /** Name of the user who added the material to the lesson. */
  nickname: v.string(),
  created_at: Seconds,
});
export type LessonMaterial = v.InferOutput<typeof LessonMaterial>;

export const listLessonMaterials = call({
  method: 'GET',
  path: 'courseWare/lesson',
  title: '课次的课件',
  query: LessonQuery,
  answer: v.array(LessonMaterial),
});

/** Schema for a list that is sent as such or as JSON text. */
const listOf = <const S extends v.GenericSchema<unknown, unknown>>(item: S) =>
  v.fallback(
    v.pipe(
      v.optional(v.union([v.array(v.unknown()), v.pipe(v.string(), v.parseJson(), v.array(v.unknown()))]), []),
      v.array(item),
    ),
    [],
  );

const SentMaterial = v.object({
  ware_name: Text,
  ware_type: Choice,
  ware_url: Text,
  is_sync: Choice,
});
export type SentMaterial = v.InferOutput<typeof SentMaterial>;

const AttachBody = v.object({
  times_id: SearchId,
  times_type: searchOneOf(lessonTypes),
  ware_info: listOf(v.fallback(SentMaterial, () => v.parse(SentMaterial, {}))),
  /** Ids of library material, as `1,2,3`. */
  ware_id: v.fallback(v.pipe(v.optional(v.union([v.string(), v.number()]), ''), v.transform(String)), ''),
});
export type AttachBody = v.InferOutput<typeof AttachBody>;

/** Adds uploads (`ware_info`), material of the library (`ware_id`), or both to one of the caller's lessons. */
export const attachMaterials = call({
  method: 'POST',
  path: 'courseWare',
  title: '添加课次课件',
  body: AttachBody,
  answer: v.null(),
  message: '添加成功',
});

export const detachMaterial = call({
  method: 'DELETE',
  path: 'courseWare/:id',
  title: '移除课次课件',
  answer: v.null(),
  message: '移除成功',
});

// ---- classes ----------------------------------------------------------

/** Material of a class. `ware_id` is 0 if the material is not from the library, or no longer in it. */
export const ClassMaterial = v.object({
  id: v.number(),
  ...MaterialFile,
  ware_id: v.number(),
  ware_name: v.string(),
  ware_desc: v.string(),
  classify_id: v.number(),
  classify_name: v.string(),
  ware_type: v.picklist(materialTypes),
  class_id: v.number(),
  /** Name of the user who added the material. */
  nickname: v.string(),
  updated_at: Seconds,
});
export type ClassMaterial = v.InferOutput<typeof ClassMaterial>;

export const ClassMaterialFilter = v.object({ class_id: SearchId, ...paging() });
export type ClassMaterialFilter = v.InferOutput<typeof ClassMaterialFilter>;

export const listClassMaterials = call({
  method: 'GET',
  path: 'stateschoolcourseware',
  title: '班级课件',
  query: ClassMaterialFilter,
  answer: page(ClassMaterial),
});

export const showClassMaterial = call({
  method: 'GET',
  path: 'stateschoolcourseware/:id',
  title: '班级课件信息',
  answer: ClassMaterial,
});

const classMaterialFields = {
  ware_name: Text,
  ware_desc: Text,
  classify_id: SearchId,
  ware_type: Choice,
  ware_url: Text,
};
export const SentClassMaterial = v.object(classMaterialFields);
export type SentClassMaterial = v.InferOutput<typeof SentClassMaterial>;

export const addClassMaterial = call({
  method: 'POST',
  path: 'stateschoolcourseware',
  title: '添加班级课件',
  body: v.object({ class_id: SearchId, ...classMaterialFields }),
  answer: v.null(),
  message: '添加成功',
});

export const editClassMaterial = call({
  method: 'PUT',
  path: 'stateschoolcourseware/:id',
  title: '编辑班级课件',
  body: SentClassMaterial,
  answer: v.null(),
  message: '编辑成功',
});

/**
 * Stores the form that adds or edits material with its file in one call, all or nothing. Without `id` it adds material
 * to `class_id`. With `id` it changes that material, which keeps its file if none is sent.
 */
export const uploadClassMaterial = call({
  method: 'POST',
  path: 'stateschoolcourseware/upload',
  title: '上传班级课件',
  upload,
  body: v.object({
    id: SearchId,
    class_id: SearchId,
    ware_name: Text,
    ware_desc: Text,
    classify_id: SearchId,
    ware_type: Choice,
  }),
  answer: v.null(),
  message: '添加成功',
});

/** Removes material from a class. It stays in the library. */
export const removeClassMaterial = call({
  method: 'DELETE',
  path: 'stateschoolcourseware/:id',
  title: '移除班级课件',
  answer: v.null(),
  message: '移除成功',
});

/** Adds material of the library to a class. `ware_ids`: ids, as a list or as `1,2,3`. */
export const chooseClassMaterials = call({
  method: 'POST',
  path: 'stateschoolcourseware/selectware',
  title: '从课件库添加到班级',
  body: v.object({ class_id: SearchId, ware_ids: SearchIds }),
  answer: v.null(),
  message: '添加成功',
});
