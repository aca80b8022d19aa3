/**
 * The processes of one `npm start` where WEB_CONCURRENCY is more than one. They share the port. The first migrates and
 * makes what an empty school has, the others start when it listens. One that ends is started again, ever later where it
 * ends at once.
 */
import cluster, { type Worker } from 'node:cluster';
import { setting } from '#server/platform/configuration/setting.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { numberArgument } from '#server/platform/processes/siblings.ts';
import { servedProgram, servingFlags } from './server-process.mjs';

/** Milliseconds until one that has ended is started again: as long as nothing else happens it is at once. */
const firstPause = 100;
const longestPause = 30_000;
/** Milliseconds after which one that ran is no failed start any more. */
const steadyAfter = 60_000;
/** Milliseconds that they have for their end in order, and for keeping what they have compiled. */
const grace = 9_000;

// Whoever is free takes the next connection. Handed out by this process, one that is on its way to a process which is
// killed at that moment would stay open, unanswered.
cluster.schedulingPolicy = cluster.SCHED_NONE;

const count = setting('WEB_CONCURRENCY');
const log = openLog();
let ending = false;
let allStarted = false;

interface Place {
  number: number;
  /** Ends in a row without having run for long. */
  failures: number;
  worker: Worker | undefined;
}
const places: Place[] = Array.from({ length: count }, (_, at) => ({ number: at + 1, failures: 0, worker: undefined }));
const workers = () => places.flatMap(({ worker }) => worker ?? []);

function start(place: Place): void {
  if (ending) return;
  const [exec, ...args] = servedProgram;
  cluster.setupPrimary({
    exec,
    args: [...args, numberArgument(place.number)],
    execArgv: [...process.execArgv.filter((flag) => flag.startsWith('--max-http-header-size')), ...servingFlags],
  });
  const worker = cluster.fork();
  const since = performance.now();
  place.worker = worker;
  worker.on('listening', ({ port }) => {
    if (port === setting('PORT')) startOthers();
  });
  worker.on('message', (message) => {
    for (const other of workers()) if (other !== worker && other.isConnected()) other.send(message);
  });
  worker.once('exit', (code, signal) => {
    place.worker = undefined;
    if (ending) {
      endWhenAll();
      return;
    }
    // What cannot even begin would not by being tried again.
    if (!allStarted) {
      process.exitCode = signal ? 1 : code;
      end();
      return;
    }
    place.failures = performance.now() - since > steadyAfter ? 1 : place.failures + 1;
    const pause = Math.min(longestPause, firstPause * 4 ** (place.failures - 1));
    log.error(
      { process: place.number, pid: worker.process.pid, code, signal, pause },
      'a process has ended: it is started again',
    );
    setTimeout(start, pause, place);
  });
}

function startOthers(): void {
  if (allStarted || ending) return;
  allStarted = true;
  for (const place of places) if (!place.worker) start(place);
}

/** They are asked once: asked again, one that is ending would end at once. */
function end({ ask = true } = {}): void {
  if (ending) return;
  ending = true;
  if (ask) for (const worker of workers()) worker.process.kill('SIGTERM');
  setTimeout(
    () => {
      for (const worker of workers()) worker.process.kill('SIGKILL');
    },
    grace + setting('DRAIN_SECONDS') * 1_000,
  ).unref();
  endWhenAll();
}

function endWhenAll(): void {
  if (workers().length === 0) process.exit();
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end());
// From a terminal it reaches all of them by itself.
process.on('SIGINT', () => end({ ask: !(process.stdin.isTTY || process.stdout.isTTY) }));

const [first] = places;
if (first) start(first);
