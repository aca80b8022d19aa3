/**
 * Loaded before a measured server: it says how much processor time it has used, finer than the ticks that /proc counts in,
 * and how long the calls of learners, or what else it is told to note, took it since it was asked last, as it sees them: what
 * is still on the line is not. Plain JavaScript: what strips types would be measured with it, 20 MB that no school loads.
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
// Listening alone keeps no process from its end.
process.channel?.unref();
