import { handle } from '#server/platform/calls/handle.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { downloadPdf } from './contract.ts';
import { pageAsPdf } from './posted-page.ts';

export const pdfCalls = [
  handle(downloadPdf, async ({ db, storage, log, actor, now, body }) => {
    const file = await pageAsPdf({ db, storage, log }, { staffId: actor.id, now }, body.html);
    return isRefusal(file) ? file : { path: file.url };
  }),
];
