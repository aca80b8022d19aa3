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
import { MoveError } from './stored-rows.ts';
import { moveSchool } from './transfer.ts';

const usage = `用法：npm run school -- move 编号 --to 数据库 [--files 文件夹 | --bucket 存储桶 | --same-files] [--remove]

  编号          学校的编号，在“学校”里该学校的页面上
  --to          另一个同版本的数据库：postgres://… 或 SQLite 文件；可以是空的，也可以已有别的学校
  --files       那边存放文件的文件夹
  --bucket      那边的存储桶，服务地址和密钥与这里相同
  --same-files  两边用同一个文件夹或存储桶
  --remove      核对以后，从这里删除已经迁走的学校；操作记录保留

所有编号都不变：那边已有别的记录用了同一编号时，什么也不做。属于别的学校而被这所学校用到的
（批改人、多所学校的考试、学科等）复制一份过去。管理全部学校的教务在那边也能用原来的密码登录：
那边还没有这样的教务时管理全部学校，否则只管理这一所。
退出码：0 完成，1 被拒绝，2 命令写得不对。`;

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
    if (!isId(id) || more.length > 0 || values.to === '') return { wrong: '请写明学校的编号，以及迁到哪里' };
    const places = [values.files, values.bucket, values['same-files'] || undefined].filter((one) => one !== undefined);
    if (places.length !== 1) return { wrong: '请写明那边的文件在哪里：--files、--bucket 或 --same-files' };
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
  if (!here.bucket) throw new MoveError('--bucket needs the settings S3_… of the service that has it.');
  return createStorage({ ...here, bucket: { ...here.bucket, name: files.bucket } });
}

/**
 * Moves the school and returns the lines to print. Throws a MoveError if the move is refused; nothing has then changed.
 */
export async function doMoveCommand(
  { schoolId, to, files, remove }: MoveCommand,
  { database, storage, now }: CommandServices,
): Promise<string[]> {
  const isUrl = /^postgres(ql)?:/.test(to);
  if (to === database.location || (!isUrl && path.resolve(to) === path.resolve(database.location)))
    throw new MoveError('That is the database in which the school is.');
  if (!isUrl && !existsSync(to)) throw new MoveError(`There is no database ${to}: npm run migrate makes one.`);
  const there = openDatabase(to);
  try {
    const fault = await schemaFault(there);
    if (fault) throw new MoveError(fault);
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
  if (error instanceof MoveError || isDatabaseAway(error))
    return { msg: error instanceof Error ? error.message : String(error) };
  throw error;
}

/** Runs the command; returns the exit code. */
export const runMoveCommand = (args: string[]): Promise<number> =>
  runCommandLine(readMoveCommand(args), usage, (command) =>
    runWithServices((atHand) => doMoveCommand(command, atHand).catch(refusal)),
  );
