/** Verifies a backup by a trial restore into a scratch folder or database: counts every table and reads every file. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Copier } from '#server/platform/db/copy.ts';
import { sqliteCopier } from '#server/platform/db/copy-sqlite.ts';
import { varFolder } from '#server/platform/db/location.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import { BackupError, type Manifest } from './archive.ts';
import type { BackupKeys } from './keys.ts';
import { withScratchFolder } from './make.ts';
import { contentsFault, readBackup } from './read.ts';

export interface VerifyResult {
  manifest: Manifest;
  /** Number of files whose first bytes do not match their extension; they were so in the storage already. */
  unopened: number;
}

/** Number of bytes needed to detect a file's type, and the extensions whose type can be detected. */
const headBytes = 4_100;
const recognised = /^(?:jpe?g|png|gif|webp|pdf|docx|xlsx|pptx|zip|mp3|mp4)$/;

/** `here`: copier of the current database; a PostgreSQL archive is restored for trial on its server. */
export async function verifyBackup(
  file: string,
  { keys, here }: { keys: BackupKeys; here: Copier },
): Promise<VerifyResult> {
  const { fileTypeFromBuffer } = await import('file-type');
  const folder = varFolder();
  await mkdir(folder, { recursive: true });
  return withScratchFolder(folder, async (scratch) => {
    let copier = here;
    let unopened = 0;
    const { manifest, copy } = await readBackup(file, {
      keys,
      scratch,
      async begin({ engine }) {
        if (engine === 'sqlite') copier = sqliteCopier(path.join(scratch, 'unused'));
        else if (here.engine !== 'postgres')
          throw new BackupError(
            `${file} was made of PostgreSQL: to verify it, give the address of a PostgreSQL server as DATABASE_URL.`,
          );
      },
      async take(key, bytes) {
        const head: Uint8Array[] = [];
        let held = 0;
        for await (const chunk of bytes) {
          if (held < headBytes) head.push(chunk.slice(0, headBytes - held));
          held += chunk.length;
        }
        if (recognised.test(extensionOf(key)) && !(await fileTypeFromBuffer(Buffer.concat(head)))) unopened += 1;
      },
    });
    const contents = await copier.read(copy, { pattern: '$^', found: () => undefined });
    const fault = contentsFault(contents, manifest);
    if (fault) throw new BackupError(`${file} cannot be trusted. ${fault}`);
    return { manifest, unopened };
  });
}
