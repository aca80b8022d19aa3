/**
 * Watches the folder IMPORT_DIR, where other systems drop files. They are checked like uploads, and applied unless they
 * are held. A file is processed once it has stopped changing, then moved to `done`, `held` or `refused`. An unreadable
 * file may still be in transfer, so it is tried again minutes later.
 */

import { createReadStream, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { emitImportEvent } from '#server/learners/events.ts';
import type { BackgroundWork } from '#server/platform/background/work.ts';
import { conflict, type Refusal } from '#server/platform/calls/outcome.ts';
import { setting } from '#server/platform/configuration/setting.ts';
import { extensionOf } from '#server/platform/files/rules.ts';
import type { Services } from '#server/school/context.ts';
import { schoolSettings } from '#server/school/settings.ts';
import { holdSentence } from './hold-rules.ts';
import { claimImport, startJob } from './jobs.ts';
import { importersByKind } from './kinds.ts';
import { readUpload } from './read-upload.ts';
import { type ImportJob, importBytes, importMessages, sourceNameLimit } from './rules.ts';
import { sourceOfImporter } from './source.ts';
import { isWhollyRefused } from './source-record.ts';
import { hashOfFile } from './store-file.ts';
import { commandLineActor, storedImport } from './stored-import.ts';
import { storeUploadRows, uploadFaults } from './upload.ts';

type WatchServices = Pick<Services, 'database' | 'storage' | 'now' | 'log'>;

/** Subfolders for processed files: applied, waiting for a person, unreadable. */
const endings = ['done', 'held', 'refused'] as const;
type FileExtension = (typeof endings)[number];

/** Seconds without a change before a file is read; `truncatedSettleTime`: before a file is read that looks truncated. */
const settleTime = 30;
const truncatedSettleTime = 600;
/** Seconds after which processed files are deleted. */
const processedLifetime = 30 * 24 * 60 * 60;

/** True for temporary files and files of the operating system. */
const isTemporaryFile = (name: string): boolean =>
  /^[.~]|~$|\.(?:tmp|temp|part|partial|filepart|crdownload|download|swp|lock)$|^(?:thumbs\.db|desktop\.ini)$/i.test(
    name,
  );

interface FoundFile {
  source: string;
  /** Path relative to the folder. */
  name: string;
  path: string;
  size: number;
  changedAt: number;
}

interface SeenFile {
  size: number;
  changedAt: number;
  /** Since when the file has not changed, in unix seconds of our own clock; the other machine's clock may be wrong. */
  since: number;
  /** True if the file looks truncated. */
  isDoubtful: boolean;
}

/** Name of the source of a file: its subfolder, or the file name without a date. */
export function sourceOf(name: string): string {
  const [folder, file] = name.includes('/') ? name.split('/', 2) : [undefined, name];
  const plain = folder ?? (file ?? '').replace(/\.[^.]*$/, '').replace(/[-_ .()（）]*\d[\d\-_.: T()（）年月日]*$/, '');
  return [...(plain.trim() || '文件夹')].slice(0, sourceNameLimit).join('');
}

export interface Watch {
  /** Processes the files that are ready; returns their number. */
  look(): Promise<number>;
}

/** Creates a watch. It keeps its observations in memory, so only one process may watch at a time. */
export function watchFolder(services: WatchServices, folder: string): Watch {
  const { database, now, log } = services;
  const { db } = database;
  const seen = new Map<string, SeenFile>();

  /** True if the file has stopped changing. A file that looks truncated has to wait longer. */
  async function isReady(file: FoundFile): Promise<boolean> {
    const before = seen.get(file.path);
    if (!before || before.size !== file.size || before.changedAt !== file.changedAt) {
      seen.set(file.path, { size: file.size, changedAt: file.changedAt, since: now(), isDoubtful: false });
      return false;
    }
    const lain = now() - before.since;
    if (lain >= truncatedSettleTime) return true;
    if (before.isDoubtful || lain < settleTime) return false;
    before.isDoubtful = file.size === 0 || !(await endsInLine(file));
    return !before.isDoubtful;
  }

  /** Processes a file; returns undefined if it should be tried again later. */
  async function take(file: FoundFile): Promise<FileExtension | undefined> {
    const source = sourceOfImporter(file.source, commandLineActor);
    const at = now();
    const { timezone } = await schoolSettings(db, at);
    const fileName = path.basename(file.name);
    const hash = file.size > importBytes ? '' : await hashOfFile(file.path);
    const importer = commandLineActor;
    const reader = { db, source, importer, timezone, now: at, hash };
    const reading = await readUpload({ name: fileName, path: file.path }, reader);
    if (hasChanged(file, await lstat(file.path))) return undefined;
    const isUnread = isWhollyRefused(reading);
    const state = seen.get(file.path);
    if (isUnread && !reading.list && state && at - state.since < truncatedSettleTime) {
      state.isDoubtful = true;
      return undefined;
    }
    const owners = importersByKind({ timezone, now: at });
    const fileKey = isUnread && !reading.list ? '' : await keptKey(file);
    const upload = { source, fileName, hash, reading, fileKey, found: 1 as const };
    const importId = await storeUploadRows({ db, importer, now: at, owners }, upload);
    const tell = async (kind: 'import.held' | 'import.refused', reason: string) =>
      emitImportEvent(db, { kind, importId, details: { source: source.name, file: fileName, reason } }, now());
    if (isUnread) {
      const reasons = uploadFaults(reading).map(({ file: at, row, field, message }) =>
        [at, row > 0 && `第${row}行`, field, message].filter(Boolean).join('：'),
      );
      await tell(reading.list ? 'import.held' : 'import.refused', reasons[0] ?? importMessages.unreadable);
      if (!reading.list) await writeReasons(file, reasons);
      return reading.list ? 'held' : 'refused';
    }
    if (reading.list?.isGuessed) {
      await db.updateTable('import').set({ failure: importMessages.guessed }).where('id', '=', importId).execute();
      await tell('import.held', importMessages.guessed);
      return 'held';
    }
    const run = async (job: ImportJob): Promise<Refusal | null> => {
      if (!(await claimImport(db, importId, job))) return conflict(importMessages.busy);
      const order = { importId, job, importer, now: now(), timezone, departures: true };
      return startJob({ database, log }, order, { whole: true });
    };
    const refusal = (await run('check')) ?? (await applyUnlessHeld());
    if (refusal) {
      // The import is discarded, and the file is tried again later.
      await db.updateTable('import').set({ state: 'discarded' }).where('id', '=', importId).execute();
      throw new Error(refusal.msg);
    }
    const { state: ended, holds, counts } = await storedImport(db, importId);
    if (ended === 'held') {
      await tell('import.held', holdSentence(holds));
      return 'held';
    }
    const rows = Object.values(counts).reduce((sum, own) => sum + (own?.refused ?? 0), reading.refused.length);
    if (rows > 0) await tell('import.refused', importMessages.rowsRefused(rows));
    return 'done';

    async function applyUnlessHeld(): Promise<Refusal | null> {
      const { state: checked } = await storedImport(db, importId);
      return checked === 'checked' ? run('apply') : null;
    }
  }

  async function keptKey({ path: at, name }: FoundFile): Promise<string> {
    const extension = extensionOf(name) || 'csv';
    const storedFile = await services.storage.put(createReadStream(at), { extension, limit: importBytes });
    return 'ok' in storedFile ? storedFile.ok.key : '';
  }

  /** Writes a text file with the reasons next to a refused file. */
  async function writeReasons({ name }: FoundFile, reasons: readonly string[]): Promise<void> {
    const at = path.join(folder, 'refused', `${name}.原因.txt`);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, `\uFEFF${reasons.join('\r\n')}\r\n`);
  }

  async function move({ name, path: at }: FoundFile, ending: FileExtension): Promise<void> {
    const { dir, name: stem, ext } = path.parse(path.join(folder, ending, name));
    await mkdir(dir, { recursive: true });
    for (let count = 1; ; count += 1) {
      const target = path.join(dir, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
      if (await lstat(target).catch(() => undefined)) continue;
      await rename(at, target);
      return;
    }
  }

  /**
   * Selects imports for which further files of a source must wait, so that they are applied in order. An import that
   * waits for a person blocks later files, an unreadable one does not.
   */
  const waitsFor = (source: string) =>
    db
      .selectFrom('import')
      .innerJoin('import_source', 'import_source.id', 'import.source_id')
      .select('import.id')
      .where('import_source.name', '=', source)
      .where('import_source.owner', '=', '')
      .where('import.found', '=', 1)
      .where('import.mode', '=', 'delta')
      .where('import.state', 'in', ['uploaded', 'held'])
      .where((eb) => eb.or([eb('import.kinds', '!=', '[]'), eb('import.list', '!=', '')]))
      .limit(1)
      .executeTakeFirst();

  async function takeAll(source: string, files: readonly FoundFile[]): Promise<number> {
    let taken = 0;
    for (const file of files) {
      // Later files of the same source must not overtake this one.
      if (!(await isReady(file)) || (await waitsFor(source))) break;
      try {
        const ending = await take(file);
        if (!ending) break;
        await move(file, ending);
        seen.delete(file.path);
        taken += 1;
        log.info({ file: file.name, ending }, 'a file of the watched folder was taken');
      } catch (error) {
        log.error({ err: error, file: file.name }, 'a file of the watched folder was not imported');
        const state = seen.get(file.path);
        if (state) Object.assign(state, { since: now(), isDoubtful: true });
        break;
      }
    }
    return taken;
  }

  return {
    async look() {
      const files = await filesIn(folder);
      for (const known of seen.keys()) if (!files.some(({ path: at }) => at === known)) seen.delete(known);
      let taken = 0;
      for (const source of new Set(files.map((file) => file.source))) {
        taken += await takeAll(
          source,
          files.filter((file) => file.source === source),
        );
      }
      await removeOld(folder, now() - processedLifetime);
      return taken;
    },
  };
}

/** Lists the files of the folder and its subfolders, oldest first. */
async function filesIn(folder: string): Promise<FoundFile[]> {
  const names: string[] = [];
  for (const one of await readdir(folder, { withFileTypes: true })) {
    if (isTemporaryFile(one.name)) continue;
    if (one.isFile()) names.push(one.name);
    if (!one.isDirectory() || endings.some((ending) => ending === one.name)) continue;
    for (const file of await readdir(path.join(folder, one.name), { withFileTypes: true }))
      if (file.isFile() && !isTemporaryFile(file.name)) names.push(`${one.name}/${file.name}`);
  }
  const files: FoundFile[] = [];
  for (const name of names) {
    const at = path.join(folder, name);
    const stats = await lstat(at).catch(() => undefined);
    if (stats) files.push({ source: sourceOf(name), name, path: at, size: stats.size, changedAt: stats.mtimeMs });
  }
  return files.sort((one, other) => one.changedAt - other.changedAt || (one.name < other.name ? -1 : 1));
}

const hasChanged = (file: FoundFile, stats: Stats): boolean =>
  stats.size !== file.size || stats.mtimeMs !== file.changedAt;

/**
 * False for a text file that does not end with a line break, and so may be truncated. In other formats the reader
 * notices that.
 */
async function endsInLine({ path: at, size }: FoundFile): Promise<boolean> {
  if (!['csv', 'txt'].includes(extensionOf(at))) return true;
  const handle = await open(at, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, Math.max(0, size - 2));
    return /[\r\n]/.test(buffer.toString('latin1'));
  } finally {
    await handle.close();
  }
}

async function removeOld(folder: string, before: number): Promise<void> {
  for (const ending of endings) {
    const names = await readdir(path.join(folder, ending), { recursive: true }).catch(() => []);
    for (const name of names) {
      const at = path.join(folder, ending, name);
      const stats = await lstat(at).catch(() => undefined);
      // ctime is when the file arrived on this machine; mtime comes from the other system.
      if (stats?.isFile() && stats.ctimeMs < before * 1000) await rm(at, { force: true });
    }
  }
}

/**
 * Background job that watches IMPORT_DIR. It is sticky (stays with one process), because its observations are in
 * memory.
 */
export function watchFolderJobs(services: WatchServices, folder = setting('IMPORT_DIR')): BackgroundWork[] {
  if (folder === '') return [];
  const watch = watchFolder(services, folder);
  return [
    {
      kind: 'import-watch',
      every: 15,
      stays: true,
      async run() {
        await watch.look();
      },
    },
  ];
}
