/**
 * Pages as PDF, by Typst in worker threads: a paper of 60 questions takes a fifth of a second, none of it on the
 * request loop.
 */
import { availableParallelism } from 'node:os';
import { createPool, type Job, type JobFailure, type Pool } from '#server/platform/jobs/pool.ts';
import type { typesetHtml } from './typeset.ts';

/** What is not text, layout, formula or picture is left out. */
export type Html = string;

/** Bytes of the pictures of a text by their `src`, as storedPictures() reads them. */
export type Pictures = Record<string, Uint8Array>;

/** Renders at most this long; the largest paper of the tests takes two seconds. */
const timeLimit = 30_000;

let shared: Pool | undefined;

/** Two threads: each holds the fonts, about 100 MB, while it is in use. */
function pool(): Pool {
  shared ??= createPool({ workers: Math.min(2, availableParallelism()), queue: 50, timeLimit, idleTime: 120_000 });
  return shared;
}

/**
 * What a function of a module makes of its input in one of the threads. The failures are those of a busy machine (503).
 */
export const renderPdf = (
  job: Pick<Job, 'module' | 'run' | 'input'>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> =>
  pool().run<Uint8Array<ArrayBuffer>>({ ...job, ...(signal ? { signal } : {}) });

export interface HtmlDocument {
  html: Html;
  /** Title of the PDF and of the pages after the first. */
  title?: string;
  pictures?: Pictures;
}

/**
 * The PDF of a posted page: its text, tables, formulas and pictures, without its styles, scripts, frames or addresses.
 */
export async function renderHtmlPdf(
  document: HtmlDocument,
  options: { signal?: AbortSignal } = {},
): Promise<{ ok: Uint8Array<ArrayBuffer> } | JobFailure> {
  const input = document satisfies Parameters<typeof typesetHtml>[0];
  return renderPdf({ module: '#server/platform/pdf/typeset.ts', run: 'typesetHtml', input }, options);
}

/** Loads the compiler and the fonts, so that the first paper is as quick as the next. */
export async function warmUp(): Promise<void> {
  await renderHtmlPdf({ html: '预热 <span class="math" data-latex="x^2"></span>' });
}
