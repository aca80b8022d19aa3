import { handle } from '#server/school/context.ts';
import { showBackups, startBackup } from './contract.ts';
import { askForBackup } from './request.ts';
import { backups } from './state.ts';

export const backupCalls = [
  handle(showBackups, backups),
  handle(startBackup, { prepare: (context) => askForBackup(context) }),
];
