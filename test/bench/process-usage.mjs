/**
 * Loaded before a measured server. Reports its CPU time, finer than the ticks of /proc, and the durations of learner
 * calls since the last report, without network time. Plain JavaScript: type stripping would add 20 MB to the measured
 * memory.
 */
import { subscribe } from 'node:diagnostics_channel';

const noted = process.env.BENCH_NOTED ?? '/api/app/';
/** @type {number[]} */
let took = [];
subscribe('http.server.request.start', (message) => {
  const { request, response } =
    /** @type {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse }} */ (
      message
    );
  if (!request.url?.startsWith(noted)) return;
  const since = performance.now();
  response.once('finish', () => took.push(performance.now() - since));
});

process.on('message', (word) => {
  if (word === 'usage') process.send?.(process.cpuUsage());
  else {
    process.send?.(took);
    took = [];
  }
});
// Lets the process end although it still listens for messages.
process.channel?.unref();
