import { readExcelQuestions } from './excel.ts';
import type { FromWorker, ParsingTask, ToWorker } from './messages.ts';
import { readWordQuestions } from './word.ts';

/** The child process that reads uploaded files; preview.ts starts and ends it. */

/** Questions per message; so few that the server's event loop is not held up. */
const batchSize = 100;

const waiting = new Map<number, (url: string | null) => void>();
let asked = 0;

process.on('message', (message: ToWorker) => {
  if ('format' in message) {
    parse(message).catch((error: Error) => send({ kind: 'thrown', error }));
    return;
  }
  waiting.get(message.ask)?.(message.url);
  waiting.delete(message.ask);
});
// The child ends when the server disconnects.
process.on('disconnect', () => process.exit());

const send = (message: FromWorker) => void process.send?.(message);

function ask(make: (number: number) => FromWorker): Promise<string | null> {
  asked += 1;
  const number = asked;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    send(make(number));
  });
}

const savePicture = (bytes: Uint8Array, contentType: string): Promise<string | null> =>
  ask((number) => ({ kind: 'picture', ask: number, bytes, contentType }));

let reported = 0;
function onProgress(part: number): void {
  const rounded = Math.floor(Math.min(part, 1) * 100) / 100;
  if (rounded <= reported) return;
  reported = rounded;
  send({ kind: 'progress', part: rounded });
}

async function parse({ format, bytes, keepsPictures }: ParsingTask): Promise<void> {
  const read = format === 1 ? readWordQuestions : readExcelQuestions;
  const preview = await read(bytes, { savePicture: keepsPictures ? savePicture : undefined, onProgress });
  if ('refused' in preview) return send({ kind: 'refused', message: preview.refused });
  for (let at = 0; at < preview.questions.length; at += batchSize) {
    const questions = preview.questions.slice(at, at + batchSize);
    await ask((number) => ({ kind: 'questions', ask: number, questions }));
  }
  send({ kind: 'done', errors: preview.errors });
}
