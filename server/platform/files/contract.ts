/** Calls that upload and read the files of texts and answers. */
import * as v from 'valibot';
import { call } from '#server/platform/calls/call.ts';
import { SearchFlag, TypedText } from '#server/platform/calls/fields.ts';
import { documentBytes, drawnImageBytes } from './rules.ts';

/**
 * Stores a file; returns `path`, the address `/files/…` that texts refer to. Only signed-in staff can read it. `tidy`
 * 1, only for pictures: the picture is rotated upright, scaled to at most 1600 pixels, and loses its EXIF data (place,
 * time, device).
 */
export const uploadFile = call({
  method: 'POST',
  path: 'public/file',
  title: '上传文件',
  upload: { field: 'file', fileBytes: documentBytes },
  body: v.object({ tidy: SearchFlag }),
  answer: v.object({ originalName: v.string(), path: v.string() }),
  message: '上传成功',
});
const drawnImageText = Math.ceil(drawnImageBytes / 3) * 4 + 1024;

/** Stores a drawn picture: PNG, JPEG or WebP as base64, with or without a data URL prefix. */
export const uploadImage = call({
  method: 'POST',
  path: 'public/imgBase64',
  title: '上传图片（base64）',
  upload: { field: 'base64_image', fileBytes: drawnImageText, fieldBytes: drawnImageText },
  body: v.object({ base64_image: v.fallback(v.string(), '') }),
  answer: v.object({ path: v.string() }),
  message: '上传成功',
});

/** `name`: name of the downloaded file. `download=1`: download the file instead of showing it. */
export const FileQuery = v.object({ name: TypedText, download: v.fallback(v.optional(v.literal('1')), undefined) });

/** Returns the bytes of a stored file; supports range requests. */
export const readFile = call({
  method: 'GET',
  path: 'files/:year/:month/:name',
  title: '读取文件',
  params: {
    year: v.pipe(v.string(), v.regex(/^\d{4}$/)),
    month: v.pipe(v.string(), v.regex(/^\d{2}$/)),
    name: v.pipe(v.string(), v.regex(/^[a-z0-9]{1,40}\.[a-z0-9]{1,8}$/)),
  },
  query: FileQuery,
  file: true,
  answer: v.null(),
});
