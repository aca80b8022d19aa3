import { createHandle } from '#server/platform/calls/bind.ts';
import { missing } from '#server/platform/calls/outcome.ts';
import { readFile, uploadFile, uploadImage } from './contract.ts';
import { missingStoredFile, sendStored } from './send-file.ts';
import type { Storage } from './storage.ts';
import { storeDrawnImage, storeFile, storePicture } from './store-file.ts';
import type { UploadedFile } from './upload.ts';

const handle = createHandle<{ storage: Storage }, UploadedFile>();

export const fileCalls = [
  handle(uploadFile, ({ files, body, storage }) =>
    body.tidy === 1 ? storePicture(storage, files[0]) : storeFile(storage, files[0]),
  ),
  handle(uploadImage, ({ files, body, storage }) => storeDrawnImage(storage, files[0] ?? body.base64_image)),
  handle(readFile, async ({ params, query, storage, request }) => {
    const response = await sendStored(storage, params, { ...query, request });
    return response ?? missing(missingStoredFile);
  }),
];
