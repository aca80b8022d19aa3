/** Calls for administrators of all schools: lists backups and starts one. */
import * as v from 'valibot';
import { adminCall } from '#server/school/call.ts';
import { backupFailures, backupKinds, backupResults } from './rules.ts';

export const Backup = v.object({
  id: v.number(),
  kind: v.picklist(backupKinds),
  /** File name; '' if there is no file. */
  file: v.string(),
  /** Size of the archive. */
  bytes: v.number(),
  /** Number of stored files in the archive. */
  files: v.number(),
  verdict: v.picklist(backupResults),
  reason: v.picklist(backupFailures),
  /** Number of files that the database names but the storage lacked. */
  missing: v.number(),
  started_at: v.number(),
  ended_at: v.number(),
});
export type Backup = v.InferOutput<typeof Backup>;

export const backupStates = ['none', 'ok', 'failed', 'overdue'] as const;

export const Backups = v.object({
  /** Schedule as in BACKUP_EVERY; '' if there is none. */
  every: v.string(),
  /** Retention as in BACKUP_KEEP: days, weeks, months. */
  keep: v.string(),
  is_encrypted: v.picklist([0, 1]),
  /** State of scheduled backups. `none`: no schedule is set, or no backup was due yet. */
  state: v.picklist(backupStates),
  is_running: v.picklist([0, 1]),
  /** The latest backups, newest first. */
  list: v.array(Backup),
});
export type Backups = v.InferOutput<typeof Backups>;

export const showBackups = adminCall({
  method: 'GET',
  path: 'backups',
  title: '备份',
  needs: 'settings',
  answer: Backups,
});

/** Starts a backup in the background; its result appears in the list. */
export const startBackup = adminCall({
  method: 'POST',
  path: 'backups',
  title: '立即备份',
  needs: 'settings',
  answer: v.null(),
  message: '已开始备份，完成后会出现在列表中',
});
