import { handle } from '#server/school/context.ts';
import { showBackups, startBackup } from './contract.ts';
import { requestBackup } from './request.ts';
import { backups } from './state.ts';

export const backupCalls = [
  handle(showBackups, backups),
  handle(startBackup, { prepare: (context) => requestBackup(context) }),
];
