/** Schools for the benchmarks, kept in the data folder. The first run creates them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { varFolder } from '#server/platform/db/location.ts';

export const smallSchool = path.join(varFolder(), 'bench-small');

export function fillSchool(size: 'small' | 'large', folder: string): void {
  if (existsSync(path.join(folder, 'school.db'))) return;
  console.log(`filling the ${size} school …`);
  const filled = spawnSync(process.execPath, ['server/demo/command.ts', '--size', size], {
    env: { ...process.env, VAR_DIR: folder, DATABASE_URL: '' },
    stdio: 'inherit',
  });
  if (filled.status !== 0) process.exit(filled.status ?? 1);
}
