/** Backups as administrators of all schools see them, and one that they ask for. */
import * as v from 'valibot';
import { adminCall } from '#server/school/call.ts';
import { backupKinds, failures, verdicts } from './rules.ts';

export const Backup = v.object({
  id: v.number(),
  kind: v.picklist(backupKinds),
  /** The name of its file; empty where there is none. */
  file: v.string(),
  /** Of the archive. */
  bytes: v.number(),
  /** Files of the school in it. */
  files: v.number(),
  verdict: v.picklist(verdicts),
  reason: v.picklist(failures),
  /** Files that the database names and that were not in the storage. */
  missing: v.number(),
  started_at: v.number(),
  ended_at: v.number(),
});
export type Backup = v.InferOutput<typeof Backup>;

export const backupStates = ['none', 'ok', 'failed', 'overdue'] as const;

export const Backups = v.object({
  /** When they are made by themselves, as BACKUP_EVERY is written; empty: they are not. */
  every: v.string(),
  /** As BACKUP_KEEP is written: days, weeks, months. */
  keep: v.string(),
  is_encrypted: v.picklist([0, 1]),
  /** Of those that are made by themselves; `none`: they are not, or none was due yet. */
  state: v.picklist(backupStates),
  /** 1: one is being made. */
  is_running: v.picklist([0, 1]),
  /** The last ones, the newest first. */
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

/** Goes on behind the call; what comes of it stands in the list. */
export const startBackup = adminCall({
  method: 'POST',
  path: 'backups',
  title: '立即备份',
  needs: 'settings',
  answer: v.null(),
  message: '已开始备份，完成后会出现在列表中',
});
