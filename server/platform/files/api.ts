import { binder } from '#server/platform/calls/bind.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { contentType } from './accept.ts';
import { readFile, uploadFile, uploadImage } from './contract.ts';
import { keepDrawnImage, keepFile, keepTidyPicture } from './keep.ts';
import { extensionOf } from './rules.ts';
import { serveFile } from './serve.ts';
import type { Storage } from './storage.ts';
import { displayName, type UploadedFile } from './upload.ts';

const handle = binder<{ storage: Storage }, UploadedFile>();

export const fileCalls = [
  handle(uploadFile, ({ files, body, storage }) =>
    body.tidy === 1 ? keepTidyPicture(storage, files[0]) : keepFile(storage, files[0]),
  ),
  handle(uploadImage, ({ files, body, storage }) => keepDrawnImage(storage, files[0] ?? body.base64_image)),
  handle(readFile, async ({ params, query, storage, request }) => {
    const key = `${params.year}/${params.month}/${params.name}`;
    const response = await serveFile(storage, key, {
      name: query.name ? displayName(query.name) : params.name,
      contentType: contentType(extensionOf(params.name)),
      request,
      disposition: query.download ? 'attachment' : 'inline',
    });
    return response.status === 404 ? missing('文件不存在') : response;
  }),
];
