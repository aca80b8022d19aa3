/** Stores a PDF as an export file of the requester. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '#server/platform/calls/outcome.ts';
import { type FileServices, startExportFile } from '#server/platform/export/export-file.ts';
import type { JobFailure } from '#server/platform/jobs/pool.ts';

export interface Requester {
  staffId: number;
  /** Unix seconds. */
  now: number;
}

type RenderResult = { ok: Uint8Array<ArrayBuffer> } | JobFailure;

/**
 * Starts to render a PDF; returns its address, although it may still be rendering or queued. 503: the queue is full.
 * `name`: without extension.
 */
export async function pdfFile(
  services: FileServices,
  { staffId, now }: Requester,
  name: string,
  rendering: Promise<RenderResult>,
): Promise<{ url: string } | Refusal> {
  // A failure is caught here, so that it is recorded with the file instead of becoming an unhandled rejection.
  const settled: Promise<RenderResult | { broken: unknown }> = rendering.catch((broken: unknown) => ({ broken }));
  const first = await Promise.race([settled, nextTurn(undefined)]);
  if (first && 'failed' in first && first.failed === 'busy') {
    return new Refusal('away', '下载的人较多，请稍后再试', { retryAfter: 10 });
  }
  return startExportFile(services, {
    staffId,
    now,
    name: `${name}.pdf`,
    contentType: 'application/pdf',
    extension: 'pdf',
    total: 1,
    write: () =>
      new ReadableStream<Uint8Array>({
        async start(controller) {
          const outcome = await settled;
          if (!('ok' in outcome)) throw new Error('PDF not made', { cause: outcome });
          controller.enqueue(outcome.ok);
          controller.close();
        },
      }),
  });
}
