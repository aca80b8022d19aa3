import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { constants } from 'node:os';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** Milliseconds that a program has to end when it is asked to. */
const usualGrace = 10_000;

/**
 * Runs a program to its end, passes on the signals that this process gets, and returns the exit code (128 + the
 * signal's number when a signal ended it, as shells do).
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, onOutput?: (text: string) => void, leaving?: number }} options onOutput
 *   takes what the program prints instead of the terminal; leaving: milliseconds for which it goes on when asked to end
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
 * Ctrl-C reaches the child from the terminal itself, and npm passes it on to us once more. The child must hear of it
 * once only: a server that is closing takes the second one for "at once" and cuts off the answers under way. So from a
 * terminal it is passed on late, and only if the child has not ended by then. A second Ctrl-C by hand ends the child.
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
 * The first port from the wanted one upwards that nothing listens on, tried in the way the server will take it.
 *
 * @param {number} wanted 0 asks the system for any
 * @param {string} [host]
 * @returns {Promise<number | undefined>} undefined when none of the hundred is free, or this user may not have them
 */
export async function freePort(wanted, host) {
  for (let port = wanted; port < Math.min(wanted + 100, 65_536); port += 1) {
    const taken = await tryPort(port, host);
    if (taken !== undefined) return taken;
  }
  return undefined;
}

/**
 * @param {number} port 0 asks the system for any
 * @param {string} [host]
 * @returns {Promise<number | undefined>} the port; undefined when something listens on it, or this user may not have it
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
