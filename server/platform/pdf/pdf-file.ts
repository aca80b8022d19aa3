/** A PDF as a file of the person who asked for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '#server/platform/calls/outcome.ts';
import { type FileServices, makeFile } from '#server/platform/export/export-file.ts';
import type { JobFailure } from '#server/platform/jobs/pool.ts';

export interface Requester {
  staffId: number;
  /** Unix seconds. */
  now: number;
}

type Rendered = { ok: Uint8Array<ArrayBuffer> } | JobFailure;

/**
 * The address under which the PDF is or will be: one that takes long, or waits in line behind others, is handed out
 * when it is ready. Refused (503) only where the line itself is full. `name` is without its ending.
 */
export async function pdfFile(
  services: FileServices,
  { staffId, now }: Requester,
  name: string,
  rendering: Promise<Rendered>,
): Promise<{ url: string } | Refusal> {
  // Settled, so that a breakdown before the file is asked for is noted in the file and ends no process.
  const settled: Promise<Rendered | { broken: unknown }> = rendering.catch((broken: unknown) => ({ broken }));
  const first = await Promise.race([settled, nextTurn(undefined)]);
  if (first && 'failed' in first && first.failed === 'busy') {
    return new Refusal('away', '下载的人较多，请稍后再试', { retryAfter: 10 });
  }
  return makeFile(services, {
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
