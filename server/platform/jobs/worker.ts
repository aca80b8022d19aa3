/** Entry of a pool's worker thread: runs one job at a time by calling a module's exported function. */
import { parentPort, type Transferable } from 'node:worker_threads';
import { exitOnRequest } from './thread.ts';

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

/**
 * Returns the buffers of a result that can be transferred: only buffers that own their memory. Small Buffers share
 * Node's 8 KB block and are copied.
 */
function transferableBuffers(value: unknown): Transferable[] {
  const candidates = typeof value === 'object' && value ? [value, ...Object.values(value)] : [];
  const buffers = candidates.filter(ArrayBuffer.isView).filter((view) => view.byteLength === view.buffer.byteLength);
  return [...new Set(buffers.map((view) => view.buffer))].filter((buffer) => buffer instanceof ArrayBuffer);
}

if (!parentPort) throw new Error('This module is the entry of a worker thread.');
exitOnRequest(parentPort);
parentPort.on('message', async (request: JobRequest | string) => {
  if (typeof request === 'string') return;
  const answer = await answerTo(request);
  try {
    parentPort?.postMessage(answer, 'value' in answer ? transferableBuffers(answer.value) : []);
  } catch (error) {
    // If the result cannot be cloned, the job fails but the thread goes on.
    parentPort?.postMessage({ thrown: error as Error } satisfies JobAnswer);
  }
});
