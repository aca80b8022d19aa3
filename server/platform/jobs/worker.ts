/** The thread of a pool: one job after the other, each by the exported function of a module. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { leaveWhenAsked } from './thread.ts';

export interface JobRequest {
  module: string;
  run: string;
  input: unknown;
}

export type JobAnswer = { value: unknown } | { thrown: Error };

type Run = (input: unknown) => unknown;

async function answerTo({ module, run, input }: JobRequest): Promise<JobAnswer> {
  try {
    const exported = ((await import(module)) as Record<string, unknown>)[run];
    if (typeof exported !== 'function') throw new Error(`${module} exports no function ${run}`);
    return { value: await (exported as Run)(input) };
  } catch (error) {
    return { thrown: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Buffers of a result that belong to it alone. A Buffer out of Node's shared 8 KB block cannot move; it is copied. */
function movable(value: unknown): Transferable[] {
  const candidates = typeof value === 'object' && value ? [value, ...Object.values(value)] : [];
  const buffers = candidates.filter(ArrayBuffer.isView).filter((view) => view.byteLength === view.buffer.byteLength);
  return [...new Set(buffers.map((view) => view.buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

if (!parentPort) throw new Error('This module is the entry of a worker thread.');
leaveWhenAsked(parentPort);
parentPort.on('message', async (request: JobRequest | string) => {
  if (typeof request === 'string') return;
  const answer = await answerTo(request);
  try {
    parentPort?.postMessage(answer, 'value' in answer ? movable(answer.value) : []);
  } catch (error) {
    // A result that cannot cross between threads is the job's fault, not the end of the thread.
    parentPort?.postMessage({ thrown: error as Error } satisfies JobAnswer);
  }
});
