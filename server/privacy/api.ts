import { createReadableStreamFromReadable } from '@react-router/node';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { contentDisposition } from '#server/platform/files/serve.ts';
import { handle } from '#server/school/context.ts';
import { eraseStudent, exportStudent, showErasurePreview } from './contract.ts';
import { erase, previewErasure } from './erase.ts';
import { exportedData } from './export.ts';
import { deleteErasedFilesSoon } from './removal.ts';

/** Calls of administrators for data subject requests: exporting or erasing all data of one student. */
export const personalCalls = [
  handle(showErasurePreview, ({ params, ...context }) => previewErasure(context, params.id)),
  handle(exportStudent, async ({ params, ...context }) => {
    const file = await exportedData(context, params.id);
    if (isRefusal(file)) return file;
    return new Response(createReadableStreamFromReadable(file.bytes), {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': contentDisposition('attachment', file.name),
        'cache-control': 'private, no-store',
      },
    });
  }),
  handle(eraseStudent, async ({ params, body, ...context }) => {
    const outcome = await erase(context, params.id, body.confirmation);
    if (!isRefusal(outcome)) deleteErasedFilesSoon({ ...context, db: context.database.db });
    return outcome;
  }),
];
