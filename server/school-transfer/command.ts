/** `npm run school -- move …`: moves one school with its files to another database. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type Help,
  isId,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import { isDatabaseAway, openDatabase } from '#server/platform/db/engine.ts';
import { analyzeAllTables } from '#server/platform/db/statistics.ts';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { schemaFault } from '#server/schema/migrate.ts';
import { type CommandServices, runWithServices } from '#server/school/command-line.ts';
import { removeMovedSchool } from './remove.ts';
import { MoveFault } from './stored-rows.ts';
import { moveSchool } from './transfer.ts';

const usage = `Usage: npm run school -- move ID --to DATABASE [--files FOLDER | --bucket NAME | --same-files] [--remove]

  ID            of the school, as its page under 学校 shows it
  --to          the other database, of this version: postgres://… or a file of SQLite; empty, or with other schools
  --files       its folder of files
  --bucket      its bucket, at the service and with the keys of this installation
  --same-files  both have the same folder or bucket
  --remove      takes away here what was moved before, after it was compared; its history stays

Everything keeps its id: where one is somebody else's there, nothing is done. What the school names and is another's
(who graded, an exam of several schools, subjects) goes along as a copy. Administrators of all schools sign in there as
well, with the same passwords: of all schools where nobody is that yet, else of this one.
Exit code: 0 done, 1 refused, 2 not understood.`;

export interface MoveCommand {
  schoolId: number;
  to: string;
  files: { folder: string } | { bucket: string } | 'same';
  remove: boolean;
}

const options = {
  to: { type: 'string', default: '' },
  files: { type: 'string' },
  bucket: { type: 'string' },
  'same-files': { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
} as const;

/** Parses the arguments; returns a usage error if they are wrong. */
export const readMoveCommand = (args: string[]): MoveCommand | Help | WrongArgument =>
  parseArguments(args, options, (values, [id = '', ...more]) => {
    if (!isId(id) || more.length > 0 || values.to === '') return { wrong: 'Say which school by its id, and where to.' };
    const places = [values.files, values.bucket, values['same-files'] || undefined].filter((one) => one !== undefined);
    if (places.length !== 1) return { wrong: 'Say where the files are there: --files, --bucket or --same-files.' };
    const files =
      values.files !== undefined
        ? { folder: values.files }
        : values.bucket !== undefined
          ? { bucket: values.bucket }
          : 'same';
    return { schoolId: Number(id), to: values.to, files, remove: values.remove };
  });

async function storageThere(files: MoveCommand['files']): Promise<Storage | undefined> {
  if (files === 'same') return undefined;
  const here = storageSettings();
  if ('folder' in files) return createStorage({ directory: files.folder });
  if (!here.bucket) throw new MoveFault('--bucket needs the settings S3_… of the service that has it.');
  return createStorage({ ...here, bucket: { ...here.bucket, name: files.bucket } });
}

/**
 * Moves the school and returns the lines to print. Throws a MoveFault if the move is refused; nothing has then changed.
 */
export async function doMoveCommand(
  { schoolId, to, files, remove }: MoveCommand,
  { database, storage, now }: CommandServices,
): Promise<string[]> {
  const isUrl = /^postgres(ql)?:/.test(to);
  if (to === database.location || (!isUrl && path.resolve(to) === path.resolve(database.location)))
    throw new MoveFault('That is the database in which the school is.');
  if (!isUrl && !existsSync(to)) throw new MoveFault(`There is no database ${to}: npm run migrate makes one.`);
  const there = openDatabase(to);
  try {
    const fault = await schemaFault(there);
    if (fault) throw new MoveFault(fault);
    if (remove) {
      const { tables, left, keys } = await removeMovedSchool(schoolId, { from: database, to: there, now });
      const unnamed = files === 'same' ? [] : keys;
      for (const key of unnamed) await storage.delete(key);
      return [
        ...tables.map(({ table, rows }) => `removed ${rows} ${table}`),
        ...left.map(({ table, rows }) => `left ${rows} ${table}, which others here name`),
        `deleted ${unnamed.length} files`,
      ];
    }
    const storing = await storageThere(files);
    const moved = await moveSchool(schoolId, {
      from: database,
      to: there,
      files: storing && { from: storage, to: storing },
    });
    await analyzeAllTables(there);
    return [
      ...moved.tables.map(
        ({ table, rows, along, fingerprint }) =>
          `${rows} ${table}${along > 0 ? ` and ${along} along` : ''} (${fingerprint.slice(-12)})`,
      ),
      `${moved.files} files`,
      ...moved.missing.map((key) => `missing already: ${key}`),
      `${moved.name} is there, row for row. Here it is as it was: --remove takes it away.`,
      moved.administrators.length > 0
        ? `There it is administered by ${moved.administrators.join(', ')}, with the passwords that they have here.`
        : `Nobody administers it there yet. With the settings of that installation: npm run staff -- add admin USERNAME NAME --school ${moved.name}`,
    ];
  } finally {
    await there.destroy();
  }
}

/** Turns an expected error into a message. */
function refusal(error: unknown): { msg: string } {
  if (error instanceof MoveFault || isDatabaseAway(error))
    return { msg: error instanceof Error ? error.message : String(error) };
  throw error;
}

/** Runs the command; returns the exit code. */
export const runMoveCommand = (args: string[]): Promise<number> =>
  runCommandLine(readMoveCommand(args), usage, (command) =>
    runWithServices((atHand) => doMoveCommand(command, atHand).catch(refusal)),
  );
