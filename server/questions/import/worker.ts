import { readQuestions } from './formats.ts';
import type { FromWorker, ParsingTask, ToWorker } from './messages.ts';

/** The child process that reads uploaded files; preview.ts starts and ends it. */

/** Questions per message; so few that the server's event loop is not held up. */
const batchSize = 100;

const waiting = new Map<number, (url: string | null) => void>();
let asked = 0;

process.on('message', (message: ToWorker) => {
  if ('files' in message) {
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

async function parse({ files, keepsPictures, mapping }: ParsingTask): Promise<void> {
  const preview = await readQuestions(files, {
    savePicture: keepsPictures ? savePicture : undefined,
    mapping,
    onProgress,
  });
  if ('refused' in preview) return send({ kind: 'refused', message: preview.refused });
  const { questions, ...rest } = preview;
  for (let at = 0; at < questions.length; at += batchSize) {
    const batch = questions.slice(at, at + batchSize);
    await ask((number) => ({ kind: 'questions', ask: number, questions: batch }));
  }
  send({ kind: 'done', preview: rest });
}
