/** One backup from its beginning to its verdict, as the command and the schedule make it. */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Copier } from '#server/platform/db/copy.ts';
import { CopyFault } from '#server/platform/db/copy.ts';
import { postgresCopier } from '#server/platform/db/copy-postgres.ts';
import { isDamaged, sqliteCopier } from '#server/platform/db/copy-sqlite.ts';
import type { OpenDatabase } from '#server/platform/db/engine.ts';
import { storageAway } from '#server/platform/files/storage.ts';
import { stateOfSchema } from '#server/school/migrate.ts';
import { BackupFault, canOpen } from './archive.ts';
import { isEncrypting } from './keys.ts';
import { backupFolder, type Made, makeBackup, type Sources } from './make.ts';
import { type BackupRecord, recordBackup } from './records.ts';
import { archiveName, type BackupKind, type Failure, type Keep, namesToRemove } from './rules.ts';
import { type Verified, verifyBackup } from './verify.ts';

export const copierOf = (location: string): Copier =>
  /^postgres(ql)?:/.test(location) ? postgresCopier(location) : sqliteCopier(location);

/** The sentence of what went wrong, where it is one that its reader can do something about. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof BackupFault || error instanceof CopyFault) return error.message;
  if (storageAway(error)) return `The files cannot be read or written: ${causeOf(error)}.`;
  if (isDiskFull(error)) return 'The disk is full.';
  if (isDamaged(error)) return 'The file of the database is damaged: restore a backup in its place.';
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `It may not be written there: ${causeOf(error)}.`;
  return undefined;
}

/** As the system says it, or SQLite (SQLITE_FULL), which keeps the lists of a backup and its copy. */
function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || (Number(errcode) & 0xff) === 13;
}

/** The same in a word, for the screens. */
function reasonOf(error: unknown): Failure {
  if (error instanceof CopyFault) return error.lacksProgram ? 'program' : 'database';
  if (isDamaged(error)) return 'database';
  if (error instanceof BackupFault) return 'damaged';
  if (storageAway(error)) return 'storage';
  if (isDiskFull(error)) return 'disk_full';
  const code = String((error as { code?: unknown } | null)?.code);
  return ['EACCES', 'EROFS', 'EPERM'].includes(code) ? 'forbidden' : 'other';
}

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

export interface Ran {
  record: BackupRecord;
  made: Made | undefined;
  verified: Verified | undefined;
  /** What was thrown. */
  error: unknown;
}

/** Makes a backup, verifies it where it can be read here, and notes what came of it. `file`: where somebody wants it. */
export async function runBackup(
  database: OpenDatabase,
  sources: Sources,
  { kind, file, verify = true }: { kind: BackupKind; file?: string | undefined; verify?: boolean },
): Promise<Ran> {
  const { keys, now, copier } = sources;
  const started = now();
  const target = file ?? path.join(backupFolder(), archiveName(kind, { at: started, encrypted: isEncrypting(keys) }));
  const ran: Ran = {
    record: {
      kind,
      file: '',
      bytes: 0,
      files: 0,
      verdict: 'failed',
      reason: '',
      missing: 0,
      message: '',
      started_at: started,
      ended_at: started,
    },
    made: undefined,
    verified: undefined,
    error: undefined,
  };
  const { record } = ran;
  try {
    const { done } = await stateOfSchema(database);
    const made = await makeBackup(sources, { file: target, parts: 'all', migrations: done });
    ran.made = made;
    const { files } = made.manifest;
    Object.assign(record, { file: path.basename(target), bytes: made.bytes, files: files.count, verdict: 'unread' });
    if (verify && (await canOpen(target, keys))) {
      ran.verified = await verifyBackup(target, { keys, here: copier });
      record.verdict = 'ok';
    }
    if (files.missing_count > 0) {
      record.verdict = 'incomplete';
      record.missing = files.missing_count;
      record.message = `${files.missing_count} files that the database names were not in the storage, such as ${files.missing[0]}.`;
    }
  } catch (error) {
    ran.error = error;
    record.verdict = 'failed';
    record.reason = reasonOf(error);
    record.message = sentenceOf(error) ?? String(error);
  }
  record.ended_at = now();
  await recordBackup(database.db, record);
  return ran;
}

/** Takes away what is not kept any longer; answers the names. */
export async function removeOld(folder: string, keep: Keep, now: number): Promise<string[]> {
  const old = namesToRemove(await readdir(folder), keep, now);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}
