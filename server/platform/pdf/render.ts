/** Renders PDFs with Typst in worker threads: a paper of 60 questions takes 0.2 seconds. */
import { availableParallelism } from 'node:os';
import { createPool, type Job, type JobFailure, type Pool } from '#server/platform/jobs/pool.ts';
import type { typesetHtml } from './typeset.ts';

/** HTML. Only its text, layout, formulas and pictures are used. */
export type Html = string;

/** Picture bytes by `src`, from storedPictures(). */
export type Pictures = Record<string, Uint8Array>;

/** Time limit in milliseconds; the largest paper in the tests takes two seconds. */
const timeLimit = 30_000;

let shared: Pool | undefined;

/** At most two threads, because each holds the fonts while in use, about 100 MB. */
function pool(): Pool {
  shared ??= createPool({ workers: Math.min(2, availableParallelism()), queue: 50, timeLimit, idleTime: 120_000 });
  return shared;
}

/** Runs the function of a module in a worker thread. A failure means that the machine is busy (503). */
export const renderPdf = (
  job: Pick<Job, 'module' | 'run' | 'input'>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> =>
  pool().run<Uint8Array<ArrayBuffer>>({ ...job, ...(signal ? { signal } : {}) });

export interface HtmlDocument {
  html: Html;
  /** Title of the PDF and header of the pages after the first. */
  title?: string;
  pictures?: Pictures;
}

/** Renders a posted page: text, tables, formulas and pictures, without styles, scripts, frames or links. */
export async function renderHtmlPdf(
  document: HtmlDocument,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  const input = document satisfies Parameters<typeof typesetHtml>[0];
  return renderPdf({ module: '#server/platform/pdf/typeset.ts', run: 'typesetHtml', input }, options);
}

/** Loads the compiler and the fonts before the first request needs them. */
export async function warmUp(): Promise<void> {
  await renderHtmlPdf({ html: '预热 <span class="math" data-latex="x^2"></span>' });
}
