import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { importBytes } from '#server/questions/import.rules.ts';
import type { ColumnMapping } from './column-names.ts';
import type { ImportedQuestion, ImportPreview, QuestionsFile, SavePicture } from './imported-question.ts';
import type { FromWorker, ParsingTask, ToWorker } from './messages.ts';
import { previewRefusals } from './rules.ts';

/**
 * Reads uploaded files in a child process with limits of memory and time, so that no file can stop the server. A thread
 * is not enough: an allocation beyond V8's limit ends the whole process.
 */

export interface PreviewOptions {
  /** Progress from 0 to 1. */
  onProgress?: (part: number) => void;
  /** Stores a picture; returns its URL, or null to refuse it. Without this function, pictures are reported as lost. */
  savePicture?: SavePicture;
  /** Chosen columns of a spreadsheet. */
  mapping?: ColumnMapping | undefined;
  /** Aborts the parsing. */
  signal?: AbortSignal;
  /** Milliseconds; 30,000 by default. */
  timeLimit?: number;
}

const defaultTimeLimit = 30_000;

const program = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** Names one of our fonts for the text of drawings, because servers often have none. */
const fonts = fileURLToPath(new URL('./fonts.conf', import.meta.url));

/** Maximum megabytes of the child's heap. Memory outside the heap is limited by the limits on zip files. */
const limits = ['--max-old-space-size=128', '--max-semi-space-size=8'];

/**
 * Maximum number of child processes at a time; further files wait. At its limits a child takes 170 MB; a file of 500
 * questions takes half a second.
 */
const maxParsers = 1;
let parsers = 0;
const queue: (() => void)[] = [];

async function enter(): Promise<void> {
  if (parsers < maxParsers) parsers += 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
}

function leave(): void {
  const next = queue.shift();
  if (next) next();
  else parsers -= 1;
}

/**
 * Reads a file of questions, or a Word paper with its answer key; returns the preview, or the sentence that refuses it.
 * @throws errors of `savePicture`
 */
export async function previewImport(
  files: readonly QuestionsFile[],
  options: PreviewOptions = {},
): Promise<ImportPreview | { refused: string }> {
  if (files.some(({ bytes }) => bytes.byteLength > importBytes)) return { refused: previewRefusals.tooLarge };
  if (options.signal?.aborted) return { refused: previewRefusals.cancelled };
  await enter();
  try {
    return options.signal?.aborted ? { refused: previewRefusals.cancelled } : await parse(files, options);
  } finally {
    leave();
  }
}

async function parse(
  files: readonly QuestionsFile[],
  options: PreviewOptions,
): Promise<ImportPreview | { refused: string }> {
  const task: ParsingTask = { files, keepsPictures: options.savePicture !== undefined, mapping: options.mapping };
  // The child gets no environment but its fonts, so that it knows no settings and no secrets.
  const worker = fork(program, {
    execArgv: limits,
    env: { FONTCONFIG_FILE: fonts },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = once(worker, 'exit');
  try {
    return await awaitWorker(worker, task, options);
  } finally {
    worker.kill('SIGKILL');
    await gone;
  }
}

function awaitWorker(
  worker: ChildProcess,
  task: ParsingTask,
  options: PreviewOptions,
): Promise<ImportPreview | { refused: string }> {
  const questions: ImportedQuestion[] = [];
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

    // Errors of sending are ignored, because the end of the process is reported anyway.
    const send = (message: ToWorker) => void worker.send(message, () => {});
    const receive = async (message: FromWorker) => {
      switch (message.kind) {
        case 'progress':
          options.onProgress?.(message.part);
          return;
        case 'picture': {
          const url = (await options.savePicture?.(message.bytes, message.contentType)) ?? null;
          return send({ ask: message.ask, url });
        }
        case 'questions':
          questions.push(...message.questions);
          return send({ ask: message.ask, url: null });
        case 'done':
          return finish({ ...message.preview, questions });
        case 'refused':
          return finish({ refused: message.message });
        case 'thrown':
          return fail(message.error);
      }
    };
    worker.on('message', (message) => {
      receive(message as FromWorker).catch(fail);
    });
    worker.on('error', fail);
    worker.on('exit', (code, signal) => {
      const isOutOfMemory = signal === 'SIGABRT' || code === 134;
      if (isOutOfMemory) finish({ refused: previewRefusals.tooMuchMemory });
      else fail(new Error(`The parsing process ended without an outcome: ${signal ?? code}.`));
    });
    send(task);
  });
}
