import type { Actor } from '#server/platform/auth/sign-in.ts';
import { createHandle } from '#server/platform/calls/bind.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import type { Log } from '#server/platform/monitoring/log.ts';
import { downloadPdf } from './contract.ts';
import { pageAsPdf } from './page-pdf.ts';

const handle = createHandle<{ actor: Actor; now: number; storage: Storage; log: Log }>();

export const pdfCalls = [
  handle(downloadPdf, async ({ db, storage, log, actor, now, body }) => {
    const file = await pageAsPdf({ db, storage, log }, { staffId: actor.id, now }, body.html);
    return isRefusal(file) ? file : { path: file.url };
  }),
];
