/** The command `npm run demo -- …` fills an empty database with the demo school. */
import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import {
  type Help,
  noCommand,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import { type Database, type OpenDatabase, openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { analyzeAllTables } from '#server/platform/db/statistics.ts';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { migrate, schemaFault, stateOfSchema } from '#server/schema/migrate.ts';
import { wallClock } from '#server/school/calendar.ts';
import { exitCodeOf } from '#server/school/command-line.ts';
import { demoAccounts, isDemoSchool, isDemoUsername } from './accounts.ts';
import { type DemoSize, fillDemoSchool } from './school.ts';

const usage = `Usage: npm run demo -- [--size small|large] [--fresh]

Fills an empty database with the demo school: DATABASE_URL, or school.db in VAR_DIR (default var).

  --size    small (default), or large, which is the small one and beside it 200 classes, 20,000
            students, 2,000 homeworks with 1 million reports and 5 million answers, 24,000 lessons,
            200 exams with 50,000 reports, 2 million records of attendance, 11,000 posts, and a
            public bank of 1 million questions: some minutes and 1.7 GB
  --fresh   start again. Of VAR_DIR the file school.db is deleted, whatever it holds: stop the server
            first. A database of DATABASE_URL is emptied, but only if it holds a demo school.`;

export interface DemoCommand {
  name: 'fill';
  size: DemoSize;
  fresh: boolean;
}

const options = { size: { type: 'string', default: 'small' }, fresh: { type: 'boolean', default: false } } as const;

export const readDemoCommand = (args: string[]): DemoCommand | Help | WrongArgument =>
  parseArguments(args, options, ({ size, fresh }, [word]) => {
    if (word !== undefined) return noCommand(word);
    if (size !== 'small' && size !== 'large') return { wrong: 'The size is small or large.' };
    return { name: 'fill', size, fresh };
  });

/**
 * Runs the command; returns its exit code: 0 filled, 1 refused. `location`: as for `openDatabase`. `now`: unix seconds.
 */
export async function runDemoCommand(
  { size, fresh }: { size: DemoSize; fresh: boolean },
  {
    location,
    now,
    storage,
    print,
  }: { location: string; now: number; storage?: Storage; print: (line: string) => void },
): Promise<0 | 1> {
  const started = Date.now();
  if (fresh && !isPostgres(location)) removeFile(location);
  const database = openDatabase(location);
  try {
    // An empty database is migrated; any other one must be up to date already.
    const { done } = await stateOfSchema(database.db);
    const fault = done.length > 0 ? await schemaFault(database) : undefined;
    if (fault) {
      print(fault);
      return 1;
    }
    await migrate(database);
    const refusal = fresh ? await emptyDemoSchool(database) : await refuseInhabited(database.db);
    if (refusal) {
      print(`${describeLocation(location)} ${refusal}`);
      return 1;
    }
    if (!(await fillDemoSchool(database, { size, now, storage, report: print }))) {
      print(`${describeLocation(location)} has been filled by someone else meanwhile.`);
      return 1;
    }
    await analyzeAllTables(database);
  } finally {
    await database.destroy();
  }
  print(
    `${describeLocation(location)} holds the ${size} demo school, after ${((Date.now() - started) / 1000).toFixed(1)} s. Sign in as:`,
  );
  for (const { username, password, note } of demoAccounts) print(`  ${username}  ${password}  ${note}`);
  return 0;
}

const isPostgres = (location: string) => /^postgres(ql)?:/.test(location);

/** Name of the database for messages, without the password that its URL may contain. */
function describeLocation(location: string): string {
  if (!isPostgres(location)) return location;
  const { host, pathname } = new URL(location);
  return `The database ${host}${pathname}`;
}

/** Deletes the files of a SQLite database: the database itself, its WAL and its shared memory. */
function removeFile(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

async function staffNames(db: Database): Promise<string[]> {
  const staff = await db.selectFrom('staff').select('username').execute();
  return staff.map((person) => person.username);
}

async function refuseInhabited(db: Database): Promise<string | undefined> {
  const { length } = await staffNames(db);
  return length > 0 ? `is not empty, ${length} people are there. --fresh starts again.` : undefined;
}

/** Empties a database that holds the demo school; refuses any other. A new SQLite file is empty already. */
async function emptyDemoSchool({ db, engine }: OpenDatabase): Promise<string | undefined> {
  const names = await staffNames(db);
  if (names.length === 0) return undefined;
  const isDemo = engine === 'postgres' && (await isDemoSchool(db)) && names.every(isDemoUsername);
  if (!isDemo) return 'holds more than a demo school and is left as it is.';
  const tables = await sql<{ tablename: string }>`
    select tablename from pg_tables where schemaname = current_schema() and tablename not like 'kysely%'`.execute(db);
  const list = sql.join(tables.rows.map(({ tablename }) => sql.table(tablename)));
  await sql`truncate ${list} restart identity cascade`.execute(db);
  return undefined;
}

if (import.meta.main) {
  const command = readDemoCommand(process.argv.slice(2));
  process.exitCode = await exitCodeOf(
    runCommandLine(command, usage, async (fill) => {
      const storage = await createStorage(storageSettings());
      return runDemoCommand(fill, { location: databaseLocation(), now: wallClock(), storage, print: console.log });
    }),
  );
}
