/**
 * What a process that serves holds and has no use for. V8 keeps pages of memory for what comes next, for as long as
 * something comes; on the small machines of schools others want them. So it is asked for them: when hardly anybody asks for
 * anything, and in between after many pages.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Requests and connections after which there is something to give back, and pages after which it is given back even while others wait. */
const worth = 1_000;
const most = 2_000;
/** Bytes that came with one request, after which there is as much. */
const largeBody = 4 * 1024 * 1024;
/** Milliseconds between two looks. */
const lookEvery = 1_000;
/** Looks in a row that are a rest, and requests between two of them that are none of work: probes, and pages left open. */
const rest = 5;
const few = 10;
/** Bytes of the heap above which something large is in use: to go through it would take long, and bring little. */
const inUse = 192 * 1024 * 1024;

interface Giving {
  /** A request or a connection has come. */
  note(isPage: boolean): void;
  /** So many bytes have come with a request. */
  noteBody(bytes: number): void;
  /** Asked at each look: whether now is the time to give back; from then on it counts anew. */
  isTime(): boolean;
}

export function createGiving(): Giving {
  let requests = 0;
  let pages = 0;
  let sinceLook = 0;
  let quiet = 0;
  return {
    note(isPage) {
      requests += 1;
      sinceLook += 1;
      if (isPage) pages += 1;
    },
    noteBody(bytes) {
      if (bytes >= largeBody) requests = Math.max(requests, worth);
    },
    isTime() {
      quiet = sinceLook > few ? 0 : quiet + 1;
      sinceLook = 0;
      const isResting = requests >= worth && quiet >= rest;
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
  // As they come: who breaks off, or sends a head that never ends, leaves something behind as well.
  subscribe('net.server.socket', () => giving.note(false));
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: { headers: { accept?: string } } };
    giving.note(request.headers.accept?.includes('text/html') ?? false);
  });
  const readBefore = new WeakMap<Socket, number>();
  subscribe('http.server.response.finish', (message) => {
    const { socket } = message as { socket: Socket };
    giving.noteBody(socket.bytesRead - (readBefore.get(socket) ?? 0));
    readBefore.set(socket, socket.bytesRead);
  });
  setInterval(() => {
    if (!giving.isTime() || process.memoryUsage().heapUsed > inUse) return;
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, lookEvery).unref();
}
