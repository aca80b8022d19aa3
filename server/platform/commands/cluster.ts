/**
 * Runs several server processes that share the port (WEB_CONCURRENCY above 1). The first one migrates the database, or
 * fills an empty one; the others start once it listens. A process that ends is started again, with backoff if it failed
 * soon after its start.
 */
import cluster, { type Worker } from 'node:cluster';
import { setting } from '#server/platform/configuration/setting.ts';
import { openLog } from '#server/platform/monitoring/log.ts';
import { numberArgument } from '#server/platform/processes/siblings.ts';
import { servedProgram, servingFlags } from './server-process.mjs';

/** Restart backoff in milliseconds. */
const firstPause = 100;
const longestPause = 30_000;
/** A process that ran for this many milliseconds has not failed at its start. */
const stableAfter = 60_000;
/** Milliseconds for a graceful shutdown, including writing the compile cache. */
const grace = 9_000;

// Each worker accepts its own connections. With round robin, a connection handed to a process that is being killed
// would hang.
cluster.schedulingPolicy = cluster.SCHED_NONE;

const count = setting('WEB_CONCURRENCY');
const log = openLog();
let ending = false;
let allStarted = false;

interface Place {
  number: number;
  /** Failed starts in a row. */
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
    // If the first start fails, a retry would fail too, so all processes end.
    if (!allStarted) {
      process.exitCode = signal ? 1 : code;
      end();
      return;
    }
    place.failures = performance.now() - since > stableAfter ? 1 : place.failures + 1;
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

/** Sends each process only one signal: a second would kill it before its graceful shutdown is over. */
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
// In a terminal, Ctrl-C reaches all processes by itself.
process.on('SIGINT', () => end({ ask: !(process.stdin.isTTY || process.stdout.isTTY) }));

const [first] = places;
if (first) start(first);
