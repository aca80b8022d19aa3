import { setting } from '#server/platform/configuration/setting.ts';

/** Keys that encrypt and decrypt backups. */
export interface BackupKeys {
  recipient: string;
  passphrase: string;
  identity: string;
}

export const keysOfSettings = (): BackupKeys => ({
  recipient: setting('BACKUP_RECIPIENT'),
  passphrase: setting('BACKUP_PASSPHRASE'),
  identity: setting('BACKUP_IDENTITY'),
});

export const isEncrypting = ({ recipient, passphrase }: BackupKeys): boolean => recipient !== '' || passphrase !== '';
