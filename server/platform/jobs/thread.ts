/**
 * How a thread ends. Node ends the whole process when a thread is terminated while it opens a stream of node:zlib, so a
 * thread is asked first and leaves between two turns of its own loop.
 */
import type { MessagePort, Worker } from 'node:worker_threads';

const leave = 'leave';

/** Milliseconds that a thread has to leave by itself; one that never comes back to its loop is terminated. */
const patience = 1_000;

/** In the thread: leaves when asked, whatever work is still open. */
export function leaveWhenAsked(port: MessagePort): void {
  port.on('message', (message) => {
    if (message === leave) process.exit();
  });
}

/** Resolves when the thread has gone. Its module must have called `leaveWhenAsked`. */
export function endThread(worker: Worker): Promise<void> {
  // A thread that has gone has no id.
  if (worker.threadId === -1) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => void worker.terminate(), patience).unref();
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    worker.postMessage(leave);
  });
}
