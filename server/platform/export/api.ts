import { handleFile } from '#server/platform/calls/handle.ts';
import { exportedFile } from './contract.ts';
import { fileResponse } from './export-file.ts';

export const exportCalls = [
  handleFile(exportedFile, ({ db, storage, actor, request, now, params }) =>
    fileResponse({ db, storage }, { token: params.token, actor, request, now }),
  ),
];
