/** Runs the product as `npm start` does, with a demo school of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { servingCommand, servingEnvironment } from '#server/platform/commands/server-process.mjs';
import { copyDemoFolder } from './demo-school.ts';
import { freePort } from './ports.ts';

export interface RunningServer {
  base: string;
  varDir: string;
  /** Returns the log that the process has printed. */
  printed(): string;
  /** Process id. */
  pid: number;
  /** Sends a signal, or without one waits for the end. Returns the exit code and the milliseconds until the end. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; took: number }>;
  stop(): Promise<void>;
  /** Sends SIGKILL. Rejects if the process has already ended. */
  kill(): Promise<void>;
}

/**
 * Starts the server, by default on a copy of the demo school; a given data folder (VAR_DIR) is not removed. @param
 * probe address that must answer before the server counts as started: readyz includes the database, healthz does not
 */
export async function startServer(
  environment: Record<string, string> = {},
  probe: 'readyz' | 'healthz' = 'readyz',
): Promise<RunningServer> {
  const varDir = mkdtempSync(path.join(tmpdir(), 'school-'));
  const { DATABASE_URL, DEMO, VAR_DIR } = environment;
  if (!DATABASE_URL && !VAR_DIR && DEMO !== '0') await copyDemoFolder(varDir);
  const command = ['--max-http-header-size=131072', ...servingCommand(Number(environment.WEB_CONCURRENCY ?? 1))];
  return started({ command, varDir, environment, probe });
}

/** Starts the API without screens. */
export function startApi(environment: Record<string, string>): Promise<RunningServer> {
  const varDir = mkdtempSync(path.join(tmpdir(), 'school-'));
  return started({ command: ['server/main.ts'], varDir, environment, probe: 'readyz' });
}

/** Resolves when the probe answers. `varDir` is deleted with the process. */
async function started({
  command,
  varDir,
  environment,
  probe,
}: {
  command: string[];
  varDir: string;
  environment: Record<string, string>;
  probe: string;
}): Promise<RunningServer> {
  const port = Number(environment.PORT) || (await freePort());
  const child = spawn(process.execPath, command, {
    env: {
      ...process.env,
      DATABASE_URL: '',
      ...servingEnvironment,
      LOG_LEVEL: 'warn',
      VAR_DIR: varDir,
      PORT: String(port),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stderr.pipe(process.stderr);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const base = `http://localhost:${port}`;
  for (let tries = 0; tries < 2_400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${output}`);
    if (
      await fetch(`${base}/${probe}`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    if (tries === 2_399) throw new Error(`the server does not answer /${probe}: ${output}`);
    await wait(50);
  }
  return {
    base,
    varDir,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the server ended by itself with ${child.exitCode ?? child.signalCode}`);
      }
      child.kill('SIGKILL');
      await ended;
      rmSync(varDir, { recursive: true, force: true });
    },
    printed: () => output,
    pid: child.pid as number,
    async end(signal) {
      const since = performance.now();
      if (signal) child.kill(signal);
      return { code: await ended, took: performance.now() - since };
    },
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(late);
      rmSync(varDir, { recursive: true, force: true });
    },
  };
}
