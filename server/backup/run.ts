/** Makes, verifies and records one backup; used by the command and by the schedule. */
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Copier } from '#server/platform/db/copy.ts';
import { CopyError } from '#server/platform/db/copy.ts';
import { postgresCopier } from '#server/platform/db/copy-postgres.ts';
import { isDatabaseDamaged, sqliteCopier } from '#server/platform/db/copy-sqlite.ts';
import { isDatabaseAway, type OpenDatabase } from '#server/platform/db/engine.ts';
import { storageFault } from '#server/platform/files/storage.ts';
import { stateOfSchema } from '#server/schema/migrate.ts';
import { BackupError, canDecrypt } from './archive.ts';
import { isEncrypting } from './keys.ts';
import { type BackupSources, backupFolder, type MadeBackup, makeBackup } from './make.ts';
import { type BackupRecord, recordBackup } from './records.ts';
import {
  archiveName,
  type BackupFailure,
  type BackupKind,
  type BackupResult,
  type BackupRetention,
  failedSuffix,
  isInterruptedName,
  namesToRemove,
  unverifiedSuffix,
  verdictSuffix,
} from './rules.ts';
import { type VerifyResult, verifyBackup } from './verify.ts';

export const copierFor = (location: string): Copier =>
  /^postgres(ql)?:/.test(location) ? postgresCopier(location) : sqliteCopier(location);

/** Returns the message of an error that an administrator can act on; undefined for programming errors. */
export function actionableMessage(error: unknown): string | undefined {
  if (error instanceof BackupError || error instanceof CopyError) return error.message;
  if (storageFault(error)) return `The files cannot be read or written: ${causeOf(error)}.`;
  if (isDiskFull(error)) return 'The disk is full.';
  if (isDatabaseDamaged(error)) return 'The file of the database is damaged: restore a backup in its place.';
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return `It may not be written there: ${causeOf(error)}.`;
  return undefined;
}

/** True if the disk is full, as reported by the operating system (ENOSPC) or by SQLite (SQLITE_FULL). */
function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT' || (Number(errcode) & 0xff) === 13;
}

/** Classifies an error for the screens. */
function reasonOf(error: unknown): BackupFailure {
  // pg_dump and psql report a full disk only in their message.
  if (error instanceof CopyError && /No space left on device/.test(error.message)) return 'disk_full';
  if (error instanceof CopyError) return error.lacksProgram ? 'program' : 'database';
  if (isDatabaseDamaged(error)) return 'database';
  if (error instanceof BackupError) return 'damaged';
  if (storageFault(error)) return 'storage';
  if (isDiskFull(error)) return 'disk_full';
  const code = String((error as { code?: unknown } | null)?.code);
  return ['EACCES', 'EROFS', 'EPERM'].includes(code) ? 'forbidden' : 'other';
}

const causeOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

export interface BackupOutcome {
  record: BackupRecord;
  made: MadeBackup | undefined;
  verified: VerifyResult | undefined;
  error: unknown;
}

/**
 * Makes a backup, verifies it if this server has the key, and records the result. `file`: path chosen by the caller.
 * The archive gets its final name only after verification; if that fails, its name ends in `.failed`.
 */
export async function runBackup(
  database: OpenDatabase,
  sources: BackupSources,
  { kind, file, verify = true }: { kind: BackupKind; file?: string | undefined; verify?: boolean },
): Promise<BackupOutcome> {
  const { keys, now, copier } = sources;
  const started = now();
  const target = file ?? path.join(backupFolder(), archiveName(kind, { at: started, encrypted: isEncrypting(keys) }));
  const ran: BackupOutcome = {
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
  const draft = target + unverifiedSuffix;
  try {
    if (kind === 'scheduled') await removeBrokenOff(path.dirname(target));
    const { done } = await stateOfSchema(database.db);
    const { bytes, manifest } = await makeBackup(sources, { file: draft, parts: 'all', migrations: done });
    const { files } = manifest;
    Object.assign(record, { bytes, files: files.count });
    const isRead = verify && (await canDecrypt(draft, keys));
    if (isRead) ran.verified = await verifyBackup(draft, { keys, here: copier });
    if (files.missing_count > 0) {
      record.missing = files.missing_count;
      record.message = `${files.missing_count} files that the database names were not in the storage, such as ${files.missing[0]}.`;
    }
    await rename(draft, target);
    ran.made = { file: target, bytes, manifest };
    record.file = path.basename(target);
    record.verdict = files.missing_count > 0 ? 'incomplete' : isRead ? 'ok' : 'unread';
  } catch (error) {
    ran.error = error;
    record.reason = reasonOf(error);
    const failed = target + failedSuffix;
    // An archive that is complete but failed verification is kept under another name: it is better than none.
    const isThere = await rename(draft, failed).then(
      () => true,
      () => false,
    );
    if (isThere) record.file = path.basename(failed);
    record.message = (actionableMessage(error) ?? String(error)).replaceAll(draft, isThere ? failed : target);
  }
  record.ended_at = now();
  if (record.file) await noteVerdict(path.join(path.dirname(target), record.file), record);
  await retryNote(() => recordBackup(database.db, record));
  return ran;
}

/** Writes the verdict into a file beside the archive, for people who only have the folder. */
async function noteVerdict(
  file: string,
  { verdict, message }: { verdict: BackupResult; message: string },
): Promise<void> {
  await writeFile(file + verdictSuffix, `${verdict} ${message}`.trim().concat('\n'), { mode: 0o600 }).catch(
    () => undefined,
  );
}

/** Milliseconds between attempts to record the result. */
const noteEvery = 2_000;
/** Maximum attempts: a minute in all, enough for a database restart. */
const noteTries = 30;

async function retryNote(note: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await note();
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || tries >= noteTries) throw error;
      await pause(noteEvery);
    }
  }
}

async function removeBrokenOff(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(isInterruptedName)) await rm(path.join(folder, name), { force: true });
}

/** Deletes archives that the retention no longer keeps; returns their names. */
export async function removeOldBackups(folder: string, keep: BackupRetention, now: number): Promise<string[]> {
  const old = namesToRemove(await readdir(folder), keep, now);
  for (const name of old)
    for (const end of ['', verdictSuffix]) await rm(path.join(folder, name + end), { force: true });
  return old;
}
