/** The started product with a demo school of its own, as `npm start` serves it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { servingEnvironment, servingFlags } from '#server/commands/serving.mjs';

export interface RunningServer {
  base: string;
  varDir: string;
  stop(): Promise<void>;
}

export async function startServer(environment: Record<string, string> = {}): Promise<RunningServer> {
  const varDir = mkdtempSync(path.join(tmpdir(), 'school-'));
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...servingFlags,
      '--max-http-header-size=131072',
      'node_modules/@react-router/serve/bin.cjs',
      'build/server/index.js',
    ],
    {
      env: {
        ...process.env,
        DATABASE_URL: '',
        ...servingEnvironment,
        LOG_LEVEL: 'warn',
        VAR_DIR: varDir,
        PORT: String(port),
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const base = `http://localhost:${port}`;
  for (let tries = 0; tries < 400; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    if (
      await fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break;
    await wait(50);
  }
  return {
    base,
    varDir,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await Promise.race([ended, wait(5_000).then(() => child.kill('SIGKILL'))]);
      rmSync(varDir, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
