/** Restores a backup. Before that it saves the current data as a restore point. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { restoreSecret } from '#server/platform/auth/session-secret.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { isDatabaseDamaged } from '#server/platform/db/copy-sqlite.ts';
import { varFolder } from '#server/platform/db/location.ts';
import { contentType } from '#server/platform/files/accept.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import { BackupError, type Manifest } from './archive.ts';
import { isEncrypting } from './keys.ts';
import { type BackupSources, backupFolder, type MadeBackup, makeBackup, withScratchFolder } from './make.ts';
import { contentsFault, readBackup } from './read.ts';
import { archiveName } from './rules.ts';

export interface RestoreResult {
  manifest: Manifest;
  /** The saved copy of the previous data; undefined if there was no data, or the user wanted no copy. */
  restorePoint: MadeBackup | undefined;
  /** True if this server's session secret differs from the backup's, so that everybody must sign in again. */
  otherSecret: boolean;
}

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/**
 * Restores the stored files first: names never collide, and files added since the backup may stay. The database is
 * replaced atomically at the end; any earlier failure leaves it unchanged.
 */
export async function restoreBackup(
  file: string,
  { replace, restorePoint = true }: { replace: boolean; restorePoint?: boolean },
  sources: BackupSources & { migrationsHere: () => Promise<string[]> },
): Promise<RestoreResult> {
  const { copier, storage, keys, now } = sources;
  await mkdir(varFolder(), { recursive: true });
  return withScratchFolder(varFolder(), async (scratch) => {
    let point: MadeBackup | undefined;
    const { manifest, copy, secrets } = await readBackup(file, {
      keys,
      scratch,
      async begin({ engine }) {
        if (engine !== copier.engine)
          throw new BackupError(
            `${file} was made of ${engineNames[engine]}, and ${copier.title} is ${engineNames[copier.engine]}: it can be restored into ${engineNames[engine]} alone.`,
          );
        const isInhabited = await copier.holdsData();
        if (isInhabited && !replace)
          throw new BackupError(
            `${copier.title} holds a school. To put the backup in its place, give --replace: what is there is copied before.`,
          );
        const fault = await copier.replaceFault();
        if (fault) throw new BackupError(fault[0]?.toUpperCase() + fault.slice(1));
        if (!isInhabited || !restorePoint) return;
        const name = archiveName('restore_point', {
          at: now(),
          reason: 'before-restore',
          encrypted: isEncrypting(keys),
        });
        try {
          point = await makeBackup(sources, {
            file: path.join(backupFolder(), name),
            parts: 'database',
            migrations: await sources.migrationsHere(),
          });
        } catch (error) {
          if (!isDatabaseDamaged(error)) throw error;
          throw new BackupError(
            `${copier.title} is damaged and cannot be copied before. Put its file aside, or replace it without a copy by --no-restore-point.`,
            { cause: error },
          );
        }
      },
      async take(key, bytes, size) {
        const staged = await storage.stage(bytes, { limit: size });
        if (!('ok' in staged)) throw new BackupError(`${file} is cut off, or is damaged.`);
        await storage.putBack(staged.ok, { key, size, contentType: contentType(extensionOf(key)) });
      },
    });
    // A SQLite copy is compared before it replaces the database file. PostgreSQL is restored in one transaction and
    // compared inside it.
    if (copier.engine === 'sqlite') compare(await copier.read(copy, nothing));
    const fault = await copier.replaceFault();
    if (fault) throw new BackupError(fault);
    await copier.replace(copy);
    if (secrets[0]) restoreSecret(secrets[0]);
    if (copier.engine === 'postgres') compare(await copier.contents(nothing));
    const [signing] = setting('SESSION_SECRET');
    return {
      manifest,
      restorePoint: point,
      otherSecret: secrets.length > 0 && signing !== undefined && !setting('SESSION_SECRET').includes(secrets[0] ?? ''),
    };

    function compare(contents: Parameters<typeof contentsFault>[0]): void {
      const fault = contentsFault(contents, manifest);
      if (fault) throw new BackupError(`${file} cannot be trusted. ${fault}`);
    }
  });
}

const nothing = { pattern: '$^', found: () => undefined };
