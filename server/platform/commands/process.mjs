import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { constants } from 'node:os';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** Milliseconds for a program to end when asked. */
const usualGrace = 10_000;

/**
 * Runs a program to its end and forwards signals. Returns the exit code (128 + signal number if a signal ended it, as
 * in shells). `onOutput` receives the output instead of the terminal; `leaving` is how many milliseconds the program
 * may need to shut down.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void, leaving?: number }} options
 * @returns {Promise<number>}
 */
export function run(file, args, { cwd, env = process.env, onOutput, leaving = 0 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput ?? (() => {}));
    const letGo = passSignalsOn(child, usualGrace + leaving);
    child.once('error', (error) => {
      letGo();
      reject(error);
    });
    child.once('close', (code, signal) => {
      letGo();
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });
}

/**
 * Forwards signals to a child process. Ctrl-C reaches the child twice: from the terminal, and from npm by way of this
 * process. A server that is shutting down would take the second one as “stop now” and cut off open answers. So a signal
 * from a terminal is forwarded late, and only if the child still runs. A second Ctrl-C by the user kills the child.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} grace milliseconds
 * @returns {() => void} stops listening
 */
function passSignalsOn(child, grace) {
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  /** @type {number | undefined} */
  let asked;
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    if (asked !== undefined) {
      if (Date.now() - asked > 1_000) child.kill('SIGKILL');
      return;
    }
    asked = Date.now();
    if (signal === 'SIGINT' && terminal) timers.push(setTimeout(() => child.kill('SIGTERM'), grace / 3));
    else child.kill(signal);
    timers.push(setTimeout(() => child.kill('SIGKILL'), grace));
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.removeListener(signal, onSignal);
    for (const timer of timers) clearTimeout(timer);
  };
}

/**
 * Finds the first free port from `wanted` on, by listening as the server will.
 *
 * @param {number} wanted 0 for any free port
 * @param {string} [host]
 * @returns {Promise<number | undefined>} undefined if none of a hundred ports is free or allowed
 */
export async function freePort(wanted, host) {
  for (let port = wanted; port < Math.min(wanted + 100, 65_536); port += 1) {
    const taken = await tryPort(port, host);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/**
 * @param {number} port 0 for any free port
 * @param {string} [host]
 * @returns {Promise<number | undefined>} the port; undefined if it is in use or not allowed
 */
export function tryPort(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
