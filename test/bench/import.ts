/**
 * Measures reading, checking and applying a large school's data into an empty database, and importing it again
 * unchanged.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '#server/platform/db/engine.ts';
import { migrate } from '#server/schema/migrate.ts';
import { largePackage } from './import-package.ts';
import { connectionSeconds, emptyBeside } from './postgres.ts';

type Note = (measure: string, value: string, goal: string, met: boolean) => void;

interface Run {
  /** Wall-clock seconds. */
  seconds: number;
  /** CPU time of the command, and of the database server. */
  own: number;
  database: number;
  megabytes: number;
}

/** CPU time of the command and the database processes. */
async function run(file: string, varDir: string, databaseUrl: string | undefined): Promise<Run> {
  const begin = performance.now();
  // Same command line as `npm run school`.
  const args = [
    'server/platform/commands/run.mjs',
    '--max-semi-space-size=16',
    '--max-old-space-size=160',
    '--import',
    './test/bench/reported-usage.ts',
    'server/school-command.ts',
    'apply',
    file,
    '--json',
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, VAR_DIR: varDir, DATABASE_URL: databaseUrl ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let database = 0;
  const before = databaseUrl ? connectionSeconds(databaseUrl) : 0;
  const watch = setInterval(() => {
    if (databaseUrl) database = Math.max(database, connectionSeconds(databaseUrl) - before);
  }, 250);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  const seconds = (performance.now() - begin) / 1000;
  const used = /used (\{.*\})/.exec(errors);
  const outcome = JSON.parse(said.trim() || '{}');
  if (code !== 0 || outcome.state !== 'applied') throw new Error(`not applied: ${said.slice(0, 500)} ${errors}`);
  const { seconds: own, megabytes } = JSON.parse(used?.[1] ?? '{}');
  return { seconds, own, database, megabytes };
}

const inSeconds = (run: Run) =>
  `${run.seconds.toFixed(1)} s, processor ${run.own.toFixed(1)} s + database ${run.database.toFixed(1)} s, ${run.megabytes} MB`;

/** `share`: fraction of the large school. The goals apply to the whole school only. */
export async function measureImport(
  note: Note,
  { share = 1, databaseUrl }: { share?: number; databaseUrl?: string | undefined },
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-import-'));
  const file = path.join(folder, 'school.zip');
  writeFileSync(file, largePackage({ share }));
  const own = databaseUrl ? await emptyBeside(databaseUrl, 'import') : undefined;
  const made = own?.url;
  try {
    // The database must be migrated first, because the command does not migrate.
    const database = openDatabase(made ?? path.join(folder, 'school.db'));
    await migrate(database).finally(() => database.destroy());
    const first = await run(file, folder, made);
    note(
      `import of ${share} of a school of 66,109 people`,
      inSeconds(first),
      '≤ 60 s, ≤ 300 MB',
      first.seconds <= 60 && first.megabytes <= 300,
    );
    const again = await run(file, folder, made);
    note('the same again', inSeconds(again), '≤ 10 s', again.seconds <= 10);
  } finally {
    await own?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
