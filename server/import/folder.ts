/**
 * The watched folder (IMPORT_DIR): what other systems put there each night is checked like an upload, and applied where it
 * is not held. A file goes to `done`, `held` or `refused` beside it, whatever came of it. It is taken when it is whole and
 * has lain still: what cannot be read may still be on its way, and is looked at once more, minutes later.
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
import { claim, startJob } from './jobs.ts';
import { ownersOf } from './kinds.ts';
import { readUpload } from './read-upload.ts';
import { holdSentence, type ImportJob, importBytes, importMessages, sourceNameLimit } from './rules.ts';
import { sourceOfImporter } from './source.ts';
import { isRefusedWhole } from './source-record.ts';
import { hashOfFile } from './store-file.ts';
import { atCommandLine, storedImport } from './stored-import.ts';
import { keepUpload, wholeFaults } from './upload.ts';

type Watching = Pick<Services, 'database' | 'storage' | 'now' | 'log'>;

/** Where files go, whatever came of them: applied, waiting for somebody, not to be read. */
const endings = ['done', 'held', 'refused'] as const;
type Ending = (typeof endings)[number];

/** Seconds for which a file has not changed when it is taken; and when it is taken although it seems to be cut off. */
const stillFor = 30;
const patience = 600;
/** Seconds after which what was taken is thrown away. */
const keptFor = 30 * 24 * 60 * 60;

/** Names under which programs write what is not whole yet, or keep things of their own. */
const isPassing = (name: string): boolean =>
  /^[.~]|~$|\.(?:tmp|temp|part|partial|filepart|crdownload|download|swp|lock)$|^(?:thumbs\.db|desktop\.ini)$/i.test(
    name,
  );

interface Found {
  source: string;
  /** Below the folder. */
  name: string;
  path: string;
  size: number;
  changedAt: number;
}

interface Seen {
  size: number;
  changedAt: number;
  /** Since when it has been so, in unix seconds of our own clock: that of the other machine may be wrong. */
  since: number;
  /** Why it waits for so long. */
  isDoubtful: boolean;
}

/** What a source is called whose files lie there without a folder of their own: without the day that their names end in. */
export function sourceOf(name: string): string {
  const [folder, file] = name.includes('/') ? name.split('/', 2) : [undefined, name];
  const plain = folder ?? (file ?? '').replace(/\.[^.]*$/, '').replace(/[-_ .()（）]*\d[\d\-_.: T()（）年月日]*$/, '');
  return [...(plain.trim() || '文件夹')].slice(0, sourceNameLimit).join('');
}

export interface Watch {
  /** Takes whatever is ready; answers how many files. */
  look(): Promise<number>;
}

/** Only one process looks at a time, and what has lain still it alone remembers. */
export function watchFolder(services: Watching, folder: string): Watch {
  const { database, now, log } = services;
  const { db } = database;
  const seen = new Map<string, Seen>();

  /** Whether it has lain still for long enough; of one that seems to be cut off, for minutes. */
  async function isReady(file: Found): Promise<boolean> {
    const before = seen.get(file.path);
    if (!before || before.size !== file.size || before.changedAt !== file.changedAt) {
      seen.set(file.path, { size: file.size, changedAt: file.changedAt, since: now(), isDoubtful: false });
      return false;
    }
    const lain = now() - before.since;
    if (lain >= patience) return true;
    if (before.isDoubtful || lain < stillFor) return false;
    before.isDoubtful = file.size === 0 || !(await endsInLine(file));
    return !before.isDoubtful;
  }

  /** What becomes of a file; undefined: it is left where it is for now. */
  async function take(file: Found): Promise<Ending | undefined> {
    const source = sourceOfImporter(file.source, atCommandLine);
    const at = now();
    const { timezone } = await schoolSettings(db, at);
    const fileName = path.basename(file.name);
    const hash = file.size > importBytes ? '' : await hashOfFile(file.path);
    const reading = await readUpload({ name: fileName, path: file.path }, { db, source, timezone, hash });
    if (hasChanged(file, await lstat(file.path))) return undefined;
    const isUnread = isRefusedWhole(reading);
    const state = seen.get(file.path);
    if (isUnread && !reading.list && state && at - state.since < patience) {
      state.isDoubtful = true;
      return undefined;
    }
    const importer = atCommandLine;
    const owners = ownersOf({ timezone, now: at });
    const fileKey = isUnread && !reading.list ? '' : await keptKey(file);
    const upload = { source, fileName, hash, reading, fileKey, found: 1 as const };
    const importId = await keepUpload({ db, importer, now: at, owners }, upload);
    const tell = async (kind: 'import.held' | 'import.refused', reason: string) =>
      emitImportEvent(db, { kind, importId, details: { source: source.name, file: fileName, reason } }, now());
    if (isUnread) {
      const reasons = wholeFaults(reading).map(({ file: at, row, field, message }) =>
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
      if (!(await claim(db, importId, job))) return conflict(importMessages.busy);
      const order = { importId, job, importer, now: now(), timezone, departures: true };
      return startJob({ database, log }, order, { whole: true });
    };
    const refusal = (await run('check')) ?? (await applyUnlessHeld());
    if (refusal) {
      // It is tried again from its file.
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

  async function keptKey({ path: at, name }: Found): Promise<string> {
    const extension = extensionOf(name) || 'csv';
    const kept = await services.storage.put(createReadStream(at), { extension, limit: importBytes });
    return 'ok' in kept ? kept.ok.key : '';
  }

  /** Beside a file that could not be read, for whoever put it there. */
  async function writeReasons({ name }: Found, reasons: readonly string[]): Promise<void> {
    const at = path.join(folder, 'refused', `${name}.原因.txt`);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, `\uFEFF${reasons.join('\r\n')}\r\n`);
  }

  async function move({ name, path: at }: Found, ending: Ending): Promise<void> {
    const { dir, name: stem, ext } = path.parse(path.join(folder, ending, name));
    await mkdir(dir, { recursive: true });
    for (let count = 1; ; count += 1) {
      const target = path.join(dir, count === 1 ? `${stem}${ext}` : `${stem}-${count}${ext}`);
      if (await lstat(target).catch(() => undefined)) continue;
      await rename(at, target);
      return;
    }
  }

  /** Changes of a source are not taken past others that wait for somebody; what cannot be read keeps nobody waiting. */
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

  async function takeAll(source: string, files: readonly Found[]): Promise<number> {
    let taken = 0;
    for (const file of files) {
      // Those behind it say what came later.
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
      await removeOld(folder, now() - keptFor);
      return taken;
    },
  };
}

/** Files of the folder and of the folders in it, the oldest first. */
async function filesIn(folder: string): Promise<Found[]> {
  const names: string[] = [];
  for (const one of await readdir(folder, { withFileTypes: true })) {
    if (isPassing(one.name)) continue;
    if (one.isFile()) names.push(one.name);
    if (!one.isDirectory() || endings.some((ending) => ending === one.name)) continue;
    for (const file of await readdir(path.join(folder, one.name), { withFileTypes: true }))
      if (file.isFile() && !isPassing(file.name)) names.push(`${one.name}/${file.name}`);
  }
  const files: Found[] = [];
  for (const name of names) {
    const at = path.join(folder, name);
    const stats = await lstat(at).catch(() => undefined);
    if (stats) files.push({ source: sourceOf(name), name, path: at, size: stats.size, changedAt: stats.mtimeMs });
  }
  return files.sort((one, other) => one.changedAt - other.changedAt || (one.name < other.name ? -1 : 1));
}

const hasChanged = (file: Found, stats: Stats): boolean => stats.size !== file.size || stats.mtimeMs !== file.changedAt;

/** A list whose last line has no end may have been cut off; of all else its reader sees whether it is whole. */
async function endsInLine({ path: at, size }: Found): Promise<boolean> {
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
      // When it came here: its own day is that of the other system.
      if (stats?.isFile() && stats.ctimeMs < before * 1000) await rm(at, { force: true });
    }
  }
}

/** Looks now and then into IMPORT_DIR. What has lain still is remembered by the process that looks. */
export function watching(services: Watching, folder = setting('IMPORT_DIR')): BackgroundWork[] {
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
