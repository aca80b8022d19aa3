/**
 * What a process that serves holds and has no use for. V8 keeps pages of memory for what comes next, for as long as
 * something comes; on the small machines of schools others want them. So it is asked for them: when nobody asks for a page,
 * and in between after many.
 */
import { subscribe } from 'node:diagnostics_channel';

/** Requests after which there is something to give back, and pages after which it is given back even while others wait. */
const worth = 1_000;
const most = 2_000;
/** Milliseconds without a request that are a rest. */
const rest = 5_000;
/** Milliseconds between two looks. */
const lookEvery = 1_000;
/** Bytes of the heap above which something large is in use: to go through it would take long, and bring little. */
const inUse = 192 * 1024 * 1024;

interface Giving {
  /** A request has been answered at this moment (milliseconds). */
  note(now: number, isPage: boolean): void;
  /** Whether now is the time to give back; from then on it counts anew. */
  isTime(now: number): boolean;
}

export function createGiving(): Giving {
  let requests = 0;
  let pages = 0;
  let last = 0;
  return {
    note(now, isPage) {
      requests += 1;
      if (isPage) pages += 1;
      last = now;
    },
    isTime(now) {
      const isResting = requests >= worth && now - last >= rest;
      if (!isResting && pages < most) return false;
      requests = 0;
      pages = 0;
      return true;
    },
  };
}

/** To be called once, before anything is served. Needs `--expose-gc`; without it nothing is given back. */
export function giveMemoryBack(): void {
  const { gc } = globalThis;
  if (!gc) return;
  const giving = createGiving();
  subscribe('http.server.response.finish', (message) => {
    const { request } = message as { request: { headers: { accept?: string } } };
    giving.note(performance.now(), request.headers.accept?.includes('text/html') ?? false);
  });
  setInterval(() => {
    if (!giving.isTime(performance.now()) || process.memoryUsage().heapUsed > inUse) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, lookEvery).unref();
}
