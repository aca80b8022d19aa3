import path from 'node:path';
import { setting } from '#server/platform/configuration/setting.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { isEncrypting, keysOfSettings } from './keys.ts';
import { backupFolder, type MadeBackup, makeBackup } from './make.ts';
import { archiveName, parseKeep } from './rules.ts';
import { actionableMessage, copierFor, removeOldBackups } from './run.ts';

/**
 * Copies the database before a migration. Returns undefined if the database holds no data, or a sentence if the copy
 * failed.
 */
export async function makeRestorePoint(
  { location, storage, now }: { location: string; storage: Storage; now: () => number },
  { done, toDo }: { done: string[]; toDo: string[] },
): Promise<MadeBackup | { fault: string } | undefined> {
  const copier = copierFor(location);
  const keys = keysOfSettings();
  const reason = `before-${toDo[0]}`;
  const name = archiveName('restore_point', { at: now(), reason, encrypted: isEncrypting(keys) });
  try {
    if (!(await copier.holdsData())) return undefined;
    const file = path.join(backupFolder(), name);
    const made = await makeBackup({ copier, storage, keys, now }, { file, parts: 'database', migrations: done });
    await removeOldBackups(backupFolder(), parseKeep(setting('BACKUP_KEEP')), now());
    return made;
  } catch (error) {
    const fault = actionableMessage(error);
    if (!fault) throw error;
    return { fault };
  }
}
