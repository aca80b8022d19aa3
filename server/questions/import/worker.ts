import { parentPort, workerData } from 'node:worker_threads';
import { leaveWhenAsked } from '#server/platform/jobs/thread.ts';
import { readExcelQuestions } from './excel.ts';
import type { FromWorker, ParsingTask, ToWorker } from './messages.ts';
import { readWordQuestions } from './word.ts';

/** The thread in which files from outside are parsed; started by preview.ts. */

const port = parentPort;
if (!port) throw new Error('This module is the entry of a worker thread.');

const { format, bytes, keepsPictures } = workerData as ParsingTask;

/** Questions handed over at once: few enough that taking them in never holds up the server's event loop. */
const batchSize = 100;

const waiting = new Map<number, (url: string | null) => void>();
let asked = 0;

leaveWhenAsked(port);
port.on('message', (reply: ToWorker | string) => {
  if (typeof reply === 'string') return;
  waiting.get(reply.ask)?.(reply.url);
  waiting.delete(reply.ask);
});

const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

function ask(make: (number: number) => FromWorker, transfer: ArrayBuffer[] = []): Promise<string | null> {
  asked += 1;
  const number = asked;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    send(make(number), transfer);
  });
}

async function savePicture(picture: Uint8Array, contentType: string): Promise<string | null> {
  // Its own copy, which can be given away: the bytes may be a view into something larger.
  const own = Uint8Array.from(picture);
  return await ask((number) => ({ kind: 'picture', ask: number, bytes: own, contentType }), [own.buffer]);
}

let reported = 0;
function onProgress(part: number): void {
  const rounded = Math.floor(Math.min(part, 1) * 100) / 100;
  if (rounded <= reported) return;
  reported = rounded;
  send({ kind: 'progress', part: rounded });
}

const read = format === 1 ? readWordQuestions : readExcelQuestions;
const preview = await read(bytes, { savePicture: keepsPictures ? savePicture : undefined, onProgress });
if ('refused' in preview) {
  send({ kind: 'refused', message: preview.refused });
} else {
  for (let at = 0; at < preview.questions.length; at += batchSize) {
    const questions = preview.questions.slice(at, at + batchSize);
    await ask((number) => ({ kind: 'questions', ask: number, questions }));
  }
  send({ kind: 'done', errors: preview.errors });
}
port.close();
