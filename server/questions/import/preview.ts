import { Worker } from 'node:worker_threads';
import { endThread } from '#server/platform/jobs/thread.ts';
import { importBytes } from '#server/questions/rules.ts';
import type { ImportFormat, ImportPreview, SavePicture } from './imported.ts';
import type { FromWorker, ParsingTask, ToWorker } from './messages.ts';
import { previewRefusals } from './rules.ts';

/**
 * Files from outside are parsed in a thread of their own, with its own limits of memory and time: whatever is in them,
 * the server goes on answering.
 */

export interface PreviewOptions {
  /** 0 to 1. */
  onProgress?: (part: number) => void;
  /** Keeps a picture and answers its address; null refuses it. Without this, pictures are reported as lost. */
  savePicture?: SavePicture;
  /** Stops the parsing. */
  signal?: AbortSignal;
  /** Milliseconds; default 30,000. */
  timeLimit?: number;
}

const defaultTimeLimit = 30_000;

/** Megabytes. Heap only: what lies outside the heap is bounded by the limits of the zip guard. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/** At once; the others wait their turn. A parser at its limits costs 170 MB, a file of 500 questions half a second. */
const parsersMost = 1;
let parsers = 0;
const queue: (() => void)[] = [];

async function enter(): Promise<void> {
  if (parsers < parsersMost) parsers += 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
}

function leave(): void {
  const next = queue.shift();
  if (next) next();
  else parsers -= 1;
}

/**
 * What a .docx (format 1) or .xlsx (format 2) holds, or the sentence that refuses it.
 * @throws what `savePicture` throws
 */
export async function previewImport(
  format: ImportFormat,
  bytes: Uint8Array,
  options: PreviewOptions = {},
): Promise<ImportPreview | { refused: string }> {
  if (bytes.byteLength > importBytes) return { refused: previewRefusals.tooLarge };
  if (options.signal?.aborted) return { refused: previewRefusals.cancelled };
  await enter();
  try {
    return options.signal?.aborted ? { refused: previewRefusals.cancelled } : await parse(format, bytes, options);
  } finally {
    leave();
  }
}

async function parse(
  format: ImportFormat,
  bytes: Uint8Array,
  options: PreviewOptions,
): Promise<ImportPreview | { refused: string }> {
  const task: ParsingTask = { format, bytes, keepsPictures: options.savePicture !== undefined };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: task, resourceLimits });
  try {
    return await outcomeOf(worker, options);
  } finally {
    await endThread(worker);
  }
}

function outcomeOf(worker: Worker, options: PreviewOptions): Promise<ImportPreview | { refused: string }> {
  const preview: ImportPreview = { questions: [], errors: [] };
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    };
    const finish = (outcome: ImportPreview | { refused: string }) => {
      cleanUp();
      resolve(outcome);
    };
    const fail = (error: unknown) => {
      cleanUp();
      reject(error);
    };
    const timer = setTimeout(() => finish({ refused: previewRefusals.tooLong }), options.timeLimit ?? defaultTimeLimit);
    const onAbort = () => finish({ refused: previewRefusals.cancelled });
    options.signal?.addEventListener('abort', onAbort);

    const reply = (message: ToWorker) => worker.postMessage(message);
    const receive = async (message: FromWorker) => {
      switch (message.kind) {
        case 'progress':
          options.onProgress?.(message.part);
          return;
        case 'picture': {
          const url = (await options.savePicture?.(message.bytes, message.contentType)) ?? null;
          return reply({ ask: message.ask, url });
        }
        case 'questions':
          preview.questions.push(...message.questions);
          return reply({ ask: message.ask, url: null });
        case 'done':
          preview.errors.push(...message.errors);
          return finish(preview);
        case 'refused':
          return finish({ refused: message.message });
      }
    };
    worker.on('message', (message: FromWorker) => {
      receive(message).catch(fail);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish({ refused: previewRefusals.tooMuchMemory });
      else fail(error);
    });
    worker.on('exit', () => fail(new Error('The parsing thread ended without an outcome.')));
  });
}
