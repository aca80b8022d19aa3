/**
 * Ends a serving process after SIGTERM, SIGINT, SIGHUP or an uncaught error: answers received requests, then closes
 * connections and database, within three seconds. Before that it drains for DRAIN_SECONDS: it serves on, and `/readyz`
 * answers 503.
 */
import { subscribe } from 'node:diagnostics_channel';
import { Server, type ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { startDraining } from '#server/platform/calls/draining.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { describeRequest } from '#server/platform/monitoring/current-request.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { closeTraces } from '#server/platform/monitoring/traces.ts';
import { closeServices } from '#server/services.ts';

/** Milliseconds: to read sent requests, at least and at most; to finish responses; to send traces; in all. */
const times = { arriving: 100, reading: 1_000, answering: 2_300, telling: 400, all: 2_800 };
/** Turns of the loop without a new connection or request, after which all sent requests are read. */
const quietTurns = 10;

const servers = new Set<Server>();
let stopping: Promise<void> | undefined;
/** Resolves when draining is over. */
let left: Promise<void> | undefined;

/** Call before anything listens. */
export function installGracefulShutdown(): void {
  subscribe('tracing:net.server.listen:asyncStart', (message) => {
    const { server } = message as { server: unknown };
    if (server instanceof Server) closeWhenRead(server);
  });
  subscribe('http.server.request.start', (message) => {
    if (stopping) (message as { response: ServerResponse }).response.setHeader('connection', 'close');
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => void stop(0));
  process.on('uncaughtException', (error, origin) => {
    openLog().fatal({ err: error, origin, ...describeRequest() }, 'uncaught: the process ends');
    void stop(1);
  });
}

/**
 * Delays `server.close` until all sent requests are read. Node itself cuts off a connection whose request it has not read
 * yet.
 */
function closeWhenRead(server: Server): void {
  const close = server.close.bind(server);
  let closing: Promise<void> | undefined;
  servers.add(server);
  server.close = (closed) => {
    closing ??= (async () => {
      await left;
      await read(server);
      const ended = new Promise<void>((resolve) => close(() => resolve()));
      // Closes keep-alive connections that have their response.
      const letGo = setInterval(() => server.closeIdleConnections(), 20);
      await ended;
      clearInterval(letGo);
      servers.delete(server);
    })();
    if (closed) void closing.then(() => closed());
    return server;
  };
}

/** Resolves when sent requests are read. A busy loop accepts one connection per turn, so waiting alone is not enough. */
async function read(server: Server): Promise<void> {
  const since = performance.now();
  let quiet = 0;
  const heard = () => {
    quiet = 0;
  };
  server.on('connection', heard).on('request', heard);
  await wait(times.arriving);
  while (quiet < quietTurns && performance.now() - since < times.reading) {
    quiet += 1;
    await turn();
  }
  server.off('connection', heard).off('request', heard);
}

function stop(code: number): Promise<void> {
  if (code === 0 && setting('DRAIN_SECONDS') > 0) {
    startDraining();
    left ??= wait(setting('DRAIN_SECONDS') * 1_000);
  }
  stopping ??= (async () => {
    await left;
    setTimeout(() => process.exit(code), times.all);
    const closed = [...servers].map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    await Promise.race([Promise.all(closed), wait(times.answering)]);
    for (const server of servers) server.closeAllConnections();
    await closeServices().catch((error) => openLog().error({ err: error }, 'not closed in order'));
    await Promise.race([closeTraces().catch(() => undefined), wait(times.telling)]);
    process.exit(code);
  })();
  return stopping;
}
