/**
 * Ends worker threads gracefully. Node crashes if a thread is terminated while it opens a zlib stream, so the thread is
 * asked to exit first.
 */
import type { MessagePort, Worker } from 'node:worker_threads';

const leave = 'leave';

/** Milliseconds until a thread that did not exit is terminated. */
const stopTimeout = 1_000;

/** Call this in the thread: the thread then exits on request, even if work is unfinished. */
export function exitOnRequest(port: MessagePort): void {
  port.on('message', (message) => {
    if (message === leave) process.exit();
  });
}

/** Resolves when the thread has exited. Its module must have called `exitOnRequest`. */
export function endThread(worker: Worker): Promise<void> {
  // The id is -1 once a thread has exited.
  if (worker.threadId === -1) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate(), stopTimeout).unref();
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.postMessage(leave);
  });
}
