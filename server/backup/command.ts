/** The command `npm run backup -- …`: makes, verifies, restores and lists backups. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  type Help,
  parseArguments,
  runCommandLine,
  type WrongArgument,
} from '#server/platform/configuration/command-line.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { openDatabase } from '#server/platform/db/engine.ts';
import { databaseLocation } from '#server/platform/db/location.ts';
import { createStorage, storageSettings } from '#server/platform/files/storage.ts';
import { schemaFault, stateOfSchema } from '#server/schema/migrate.ts';
import { wallClock } from '#server/school/calendar.ts';
import { exitCodeOf } from '#server/school/command-line.ts';
import type { Manifest } from './archive.ts';
import { type BackupKeys, keysOfSettings } from './keys.ts';
import { type BackupSources, backupFolder } from './make.ts';
import { restoreBackup } from './restore.ts';
import { type BackupResult, backupResults, failedSuffix, isArchiveName, parseKeep, verdictSuffix } from './rules.ts';
import { actionableMessage, copierFor, removeOldBackups, runBackup } from './run.ts';
import { verifyBackup } from './verify.ts';

const usage = `用法：npm run backup [-- 命令]

  make [文件]      不停服务，备份整个学校：数据库、文件和登录签名的密钥；不写文件时存到 BACKUP_DIR，
                   没有设置则是 VAR_DIR 里的 backups。备份完立即核对。不写命令时也是这样
  verify 文件      恢复到临时位置，逐表清点比较，并读取每个文件
  restore 文件     恢复到 DATABASE_URL 和 VAR_DIR 所指的位置，那里还没有学校
  list             列出 BACKUP_DIR（或 VAR_DIR 里的 backups）中的备份和核对结果

  --replace        恢复到已有学校的位置：先复制原来的数据库。须先停止服务
  --no-restore-point
                   替换时不保留原来的
  --no-verify      备份后不核对
  --recipient 公钥 用这个 age 公钥加密，代替 BACKUP_RECIPIENT 或 BACKUP_PASSPHRASE

加密的备份用 BACKUP_IDENTITY 或 BACKUP_PASSPHRASE 读取。
退出码：0 完成，1 被拒绝或失败，2 命令写得不对。`;

export type BackupCommand =
  | { name: 'list' }
  | { name: 'scheduled' }
  | { name: 'make'; file: string | undefined; recipient: string; verify: boolean }
  | { name: 'verify'; file: string }
  | { name: 'restore'; file: string; replace: boolean; restorePoint: boolean };

const options = {
  replace: { type: 'boolean' },
  'no-restore-point': { type: 'boolean' },
  'no-verify': { type: 'boolean' },
  recipient: { type: 'string' },
} as const;

/** Parses the arguments; returns a usage error if they are wrong. */
export const readBackupCommand = (args: string[]): BackupCommand | Help | WrongArgument =>
  parseArguments(args, options, (values, [name = 'make', file, ...more]) => {
    if (more.length > 0) return { wrong: '只能写一个文件' };
    const fit: Record<string, string[]> = {
      make: ['no-verify', 'recipient'],
      restore: ['replace', 'no-restore-point'],
    };
    const unfit = Object.keys(values).find((option) => !(fit[name] ?? []).includes(option));
    if (unfit) return { wrong: `“${name}”不能用 --${unfit}` };
    switch (name) {
      case 'make': {
        const { recipient = '' } = values;
        if (recipient && !/^age1[a-z0-9]{20,}$/.test(recipient)) return { wrong: 'age 的公钥以 age1 开头' };
        return { name, file, recipient, verify: !values['no-verify'] };
      }
      case 'list':
      case 'scheduled':
        return file === undefined ? { name } : { wrong: `“${name}”后面不写别的` };
      case 'verify':
        return file === undefined ? { wrong: '请写明是哪个文件' } : { name, file };
      case 'restore':
        return file === undefined
          ? { wrong: '请写明是哪个文件' }
          : { name, file, replace: values.replace ?? false, restorePoint: !values['no-restore-point'] };
      default:
        return { wrong: `没有“${name}”这个命令` };
    }
  });

/** Runs a command and returns its exit code; `print` receives the output. */
export async function runBackupCommand(
  command: BackupCommand,
  print: { line: (text: string) => void; fault: (text: string) => void },
): Promise<0 | 1> {
  if (command.name === 'list') {
    for (const line of await listArchives(backupFolder())) print.line(line);
    return 0;
  }
  const began = performance.now();
  const took = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const location = databaseLocation();
  const copier = copierFor(location);
  const keys: BackupKeys = keysOfSettings();
  if (command.name === 'make' && command.recipient)
    Object.assign(keys, { recipient: command.recipient, passphrase: '' });
  try {
    if (command.name === 'verify') {
      const { manifest, unopened } = await verifyBackup(command.file, { keys, here: copier });
      print.line(`${command.file} is whole, after ${took()}: ${summary(manifest)}.`);
      if (unopened > 0) print.line(`${unopened} of its files do not begin as their names say; they are as they were.`);
      return warnOfMissingFiles(manifest, print.fault);
    }
    const sources: BackupSources = { copier, storage: await createStorage(storageSettings()), keys, now: wallClock };
    if (command.name === 'restore') {
      const wanted = { replace: command.replace, restorePoint: command.restorePoint && setting('RESTORE_POINTS') };
      const { manifest, restorePoint, otherSecret } = await restoreBackup(command.file, wanted, {
        ...sources,
        migrationsHere: () => withDatabase(location, async (database) => (await stateOfSchema(database.db)).done),
      });
      if (restorePoint) print.line(`What was there before is in ${restorePoint.file}.`);
      print.line(`${copier.title} is as it was at ${timeOf(manifest.made_at)}, after ${took()}: ${summary(manifest)}.`);
      if (otherSecret)
        print.line(
          'SESSION_SECRET is not the one of the backup: everybody has to sign in again. Give it the one it had, and nobody has to.',
        );
      return 0;
    }
    return await withDatabase(location, async (database) => {
      const fault = await schemaFault(database);
      if (fault) {
        print.fault(fault);
        return 1;
      }
      const { record, made, verified, error } = await runBackup(
        database,
        sources,
        command.name === 'scheduled'
          ? { kind: 'scheduled' }
          : { kind: 'manual', file: command.file, verify: command.verify },
      );
      if (command.name === 'scheduled')
        await removeOldBackups(backupFolder(), parseKeep(setting('BACKUP_KEEP')), wallClock());
      if (error) {
        if (!actionableMessage(error)) throw error;
        print.fault(record.message);
        return 1;
      }
      if (made) {
        const read = verified ? 'read again and compared' : 'not read again';
        print.line(`${made.file} (${sizeOf(made.bytes)}, ${read}), after ${took()}: ${summary(made.manifest)}.`);
        return warnOfMissingFiles(made.manifest, print.fault);
      }
      return 0;
    });
  } catch (error) {
    const sentence = actionableMessage(error);
    if (!sentence) throw error;
    print.fault(sentence);
    return 1;
  }
}

function warnOfMissingFiles({ files }: Manifest, fault: (text: string) => void): 0 {
  if (files.missing_count > 0)
    fault(`${files.missing_count} files that the database names were not in the storage: ${files.missing.join(', ')}`);
  return 0;
}

async function withDatabase<T>(
  location: string,
  work: (database: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const database = openDatabase(location);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

const timeOf = (at: number) => new Date(at * 1000).toISOString();

function sizeOf(bytes: number): string {
  const steps = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0);
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${steps[step]}`;
}

function summary({ tables, files, parts, version, migrations, database }: Manifest): string {
  const rows = Object.values(tables).reduce((all, table) => all + table.rows, 0);
  const kept = parts === 'all' ? `${files.count} files (${sizeOf(files.bytes)})` : 'no files';
  return `${rows} rows in ${Object.keys(tables).length} tables (${sizeOf(database.bytes)}), ${kept}, of version ${version} with ${migrations.at(-1)}`;
}

async function listArchives(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isArchiveName).sort();
  if (names.length === 0) return [`There are no backups in ${folder}.`];
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      return `${name}\t${sizeOf((await stat(file)).size)}\t${await verdictOf(file)}`;
    }),
  );
}

const verdictNames: Record<BackupResult, string> = {
  ok: 'read again and compared',
  unread: 'not read again',
  incomplete: 'read again and compared, incomplete',
  failed: 'FAILED',
};

/** Reads the verdict from the file beside an archive. */
async function verdictOf(file: string): Promise<string> {
  const verdictText = await readFile(file + verdictSuffix, 'utf8').catch(() => '');
  const [, word, message = ''] = /^(\w+) ?(.*)$/m.exec(verdictText) ?? [];
  const verdict = backupResults.find((one) => one === word) ?? (file.endsWith(failedSuffix) ? 'failed' : 'unread');
  return message ? `${verdictNames[verdict]}: ${message}` : verdictNames[verdict];
}

if (import.meta.main) {
  const command = readBackupCommand(process.argv.slice(2));
  const print = { line: console.log, fault: console.error };
  process.exitCode = await exitCodeOf(
    runCommandLine(command, usage, (understood) => runBackupCommand(understood, print)),
  );
}
