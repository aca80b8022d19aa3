import { handle } from '#server/school/context.ts';
import { askForBackup } from './asked.ts';
import { showBackups, startBackup } from './contract.ts';
import { backups } from './state.ts';

export const backupCalls = [
  handle(showBackups, backups),
  handle(startBackup, { prepare: (context) => askForBackup(context) }),
];
