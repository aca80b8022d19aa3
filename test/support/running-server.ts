/** The started product with a demo school of its own, as `npm start` serves it. */
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
  /** What the process has printed: its log. */
  printed(): string;
  /** Of the process. */
  pid: number;
  /** Asks it to end, or waits until it has: its exit code, and the milliseconds that it took. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; took: number }>;
  stop(): Promise<void>;
  /** As the system ends a process without asking. Rejects where it has ended by itself before. */
  kill(): Promise<void>;
}

/**
 * Without other wishes on a copy of the demo school; a data folder of the test's own (VAR_DIR) is left as it is.
 * @param probe what must answer before the server counts as started: the process alone, or with its database
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

/** The API alone. */
export function startApi(environment: Record<string, string>): Promise<RunningServer> {
  const varDir = mkdtempSync(path.join(tmpdir(), 'school-'));
  return started({ command: ['server/main.ts'], varDir, environment, probe: 'readyz' });
}

/** A process that has answered the probe. `varDir` goes with it. */
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
