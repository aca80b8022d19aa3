/** Pool of worker threads for long or blocking work. Jobs wait in a queue while no thread is free. */
import { type Transferable, Worker } from 'node:worker_threads';
import { endThread } from './thread.ts';
import type { JobAnswer, JobRequest } from './worker.ts';

export interface PoolSettings {
  /** Maximum threads; started on demand. */
  workers: number;
  /** Maximum jobs in the queue, 100 by default; further jobs fail as `busy`. */
  queue?: number;
  /** Milliseconds that a job may run, 30,000 by default; waiting in the queue does not count. */
  timeLimit?: number;
  /** Megabytes of JavaScript heap per thread; 256 by default. */
  memoryLimit?: number;
  /** Milliseconds after which an idle thread ends; 60,000 by default. */
  idleTime?: number;
}

/** A job. Input and output are cloned between threads: plain data, typed arrays, Map, Set, Date. */
export interface Job {
  /** Module with the function: a package import such as `#server/platform/pdf/typeset.ts`, or a file URL. */
  module: `#server/${string}` | `file:${string}`;
  /** Name of an exported function that takes the input and returns the output, or a promise of it. */
  run: string;
  input: unknown;
  /** Buffers of the input that are transferred instead of copied; they are empty here afterwards. */
  transfer?: Transferable[];
  /** Milliseconds; takes the place of the pool's time limit. */
  timeLimit?: number;
  /** Cancels the job, whether queued or running. */
  signal?: AbortSignal;
}

export type JobFailure =
  /** Why a job has no result. `busy`: the queue is full; callers answer 503. */
  { failed: 'busy' } | { failed: 'time' } | { failed: 'memory' } | { failed: 'cancelled' };

export interface Pool {
  /**
   * Runs a job. Rejects with the Error that the function threw, or if its thread crashed. A buffer that the function
   * returns, alone or as a property, is transferred without copying.
   */
  run<Output>(job: Job): Promise<{ ok: Output } | JobFailure>;
  /** Ends every thread; queued and running jobs fail as `cancelled`. */
  close(): Promise<void>;
}

interface WaitingJob {
  job: Job;
  resolve(outcome: { ok: unknown } | JobFailure): void;
  reject(error: Error): void;
  leave(): void;
}

interface Thread {
  worker: Worker;
  current: WaitingJob | null;
  timer: NodeJS.Timeout | undefined;
}

const workerFile = new URL('worker.ts', import.meta.url);

export function createPool(settings: PoolSettings): Pool {
  const { workers, queue = 100, timeLimit = 30_000, memoryLimit = 256, idleTime = 60_000 } = settings;
  const line: WaitingJob[] = [];
  const threads = new Set<Thread>();
  let closed = false;

  function start(): Thread {
    const worker = new Worker(workerFile, {
      resourceLimits: { maxOldGenerationSizeMb: memoryLimit },
      // The thread starts without the flags of the process, which would load server modules first.
      execArgv: [],
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    const thread: Thread = { worker, current: null, timer: undefined };
    threads.add(thread);
    worker.on('message', (answer: JobAnswer) => finish(thread, answer));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      dismiss(thread, memory ? { failed: 'memory' } : error);
    });
    worker.on('exit', () => dismiss(thread, new Error('A worker thread ended in the middle of a job')));
    return thread;
  }

  function settle(thread: Thread): WaitingJob | null {
    const { current } = thread;
    clearTimeout(thread.timer);
    current?.leave();
    thread.current = null;
    return current;
  }

  function finish(thread: Thread, answer: JobAnswer): void {
    const done = settle(thread);
    thread.worker.unref();
    if ('thrown' in answer) done?.reject(answer.thrown);
    else done?.resolve({ ok: answer.value });
    advance();
    if (thread.current) return;
    thread.timer = setTimeout(() => dismiss(thread, { failed: 'cancelled' }), idleTime).unref();
  }

  /** Removes an unusable thread from the pool. Native code that runs in the thread goes on until it ends. */
  function dismiss(thread: Thread, reason: JobFailure | Error): void {
    if (!threads.delete(thread)) return;
    const lost = settle(thread);
    void endThread(thread.worker);
    if (reason instanceof Error) lost?.reject(reason);
    else lost?.resolve(reason);
    advance();
  }

  function advance(): void {
    while (line.length > 0) {
      const free = [...threads].find((thread) => !thread.current) ?? (threads.size < workers ? start() : null);
      const next = free && line.shift();
      if (!free || !next) return;
      give(free, next);
    }
  }

  function give(thread: Thread, next: WaitingJob): void {
    clearTimeout(thread.timer);
    thread.current = next;
    thread.timer = setTimeout(() => dismiss(thread, { failed: 'time' }), next.job.timeLimit ?? timeLimit);
    thread.worker.ref();
    const request: JobRequest = { module: next.job.module, run: next.job.run, input: next.job.input };
    try {
      thread.worker.postMessage(request, next.job.transfer ?? []);
    } catch (error) {
      // The input cannot be cloned, so only this job fails; the thread is still usable.
      finish(thread, { thrown: error as Error });
    }
  }

  function withdraw(waiting: WaitingJob): void {
    const place = line.indexOf(waiting);
    if (place >= 0) {
      line.splice(place, 1);
      waiting.leave();
      waiting.resolve({ failed: 'cancelled' });
      return;
    }
    for (const thread of threads) if (thread.current === waiting) dismiss(thread, { failed: 'cancelled' });
  }

  return {
    run<Output>(job: Job): Promise<{ ok: Output } | JobFailure> {
      if (closed || job.signal?.aborted) return Promise.resolve({ failed: 'cancelled' });
      if (line.length >= queue) return Promise.resolve({ failed: 'busy' });
      return new Promise((resolve, reject) => {
        const abort = () => withdraw(waiting);
        const waiting: WaitingJob = {
          job,
          resolve: resolve as WaitingJob['resolve'],
          reject,
          leave: () => job.signal?.removeEventListener('abort', abort),
        };
        job.signal?.addEventListener('abort', abort);
        line.push(waiting);
        advance();
      });
    },

    async close() {
      closed = true;
      for (const waiting of [...line]) withdraw(waiting);
      const running = [...threads];
      for (const thread of running) dismiss(thread, { failed: 'cancelled' });
      await Promise.all(running.map((thread) => endThread(thread.worker)));
    },
  };
}
