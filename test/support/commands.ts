/** Runs commands of the server, as `npm run` starts them. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs `server/….ts` with these arguments. `begun` is called with the process. `folder` is the folder of the product.
 */
export function runCommand(
  program: string,
  words: string[],
  environment: Record<string, string>,
  begun?: (child: ChildProcess) => void,
  folder = '.',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const load = '--import=./server/platform/configuration/load.mjs';
    const child = spawn(process.execPath, [load, program, ...words], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    begun?.(child);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}
