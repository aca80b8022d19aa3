import type { Actor } from '#server/platform/auth/sign-in.ts';
import { createHandle } from '#server/platform/calls/bind.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { exportedFile } from './contract.ts';
import { fileResponse } from './export-file.ts';

const handle = createHandle<{ actor: Actor; now: number; storage: Storage }>();

export const exportCalls = [
  handle(exportedFile, ({ db, storage, actor, request, now, params }) =>
    fileResponse({ db, storage }, { token: params.token, actor, request, now }),
  ),
];
