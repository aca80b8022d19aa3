/** Content of a backup while files are added and deleted, and the archive format. */
import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it, test } from 'vitest';
import { BackupError, entryNames, entryOf, readArchive, writeArchive } from '#server/backup/archive.ts';
import { makeBackup } from '#server/backup/make.ts';
import { readBackup } from '#server/backup/read.ts';
import type { Copier } from '#server/platform/db/copy.ts';
import { sqliteCopier } from '#server/platform/db/copy-sqlite.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { ArchiveDamaged, packTar, readTar, type TarEntry } from '#server/platform/files/tar.ts';
import { storageForTest, temporaryFolder } from './samples.ts';

const noKeys = { recipient: '', passphrase: '', identity: '' };

/** A database that names files, with hooks before and after each copy of it. */
async function namingSchool() {
  const folder = await temporaryFolder();
  const { storage } = await storageForTest();
  const location = path.join(folder, 'school.db');
  const database = new DatabaseSync(location);
  database.exec('create table text (id integer primary key, content text not null) strict');
  const putFile = async (content: string): Promise<string> => {
    const kept = await storage.put(Readable.from([Buffer.from(content)]), { extension: 'png', limit: 100 });
    if (!('ok' in kept)) throw new Error('not kept');
    return kept.ok.key;
  };
  const name = (key: string) =>
    database.prepare('insert into text (content) values (?)').run(`<img src="/files/${key}">`);
  const own = sqliteCopier(location);
  const before: (() => Promise<void>)[] = [];
  const after: (() => Promise<void>)[] = [];
  let copies = 0;
  const copier: Copier = {
    ...own,
    async take(file, looking) {
      await before[copies]?.();
      const contents = await own.take(file, looking);
      await after[copies]?.();
      copies += 1;
      return contents;
    },
  };
  const make = () =>
    makeBackup(
      { copier, storage, keys: noKeys, now: () => 1_795_147_200 },
      { file: path.join(folder, 'backup.tar.zst'), parts: 'all', migrations: [] },
    );
  return { storage, put: putFile, name, before, after, make, copies: () => copies };
}

async function keysIn(file: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const entry of readArchive(file, noKeys))
    if (entry.name.startsWith(entryNames.files)) keys.push(entry.name.slice(entryNames.files.length));
  return keys;
}

test('a backup has every file that its database copy names, also those added or deleted meanwhile', async () => {
  const { storage, put, name, before, after, make, copies } = await namingSchool();
  const [stays, goes] = [await put('stays'), await put('goes')];
  name(stays);
  name(goes);
  let comes = '';
  before[0] = async () => {
    comes = await put('comes');
    name(comes);
  };
  after[0] = () => storage.delete(goes);
  const { file, manifest } = await make();
  expect((await keysIn(file)).sort()).toEqual([stays, goes, comes].sort());
  expect([manifest.files.count, manifest.files.missing_count, copies()]).toEqual([3, 0, 1]);
});

test('a backup copies the database again when a named file came and went during the copy', async () => {
  const { storage, put, name, before, after, make, copies } = await namingSchool();
  let passing = '';
  before[0] = async () => {
    passing = await put('passing');
    name(passing);
  };
  after[0] = () => storage.delete(passing);
  const { manifest } = await make();
  // The file is still named but gone: the backup lists it as missing and succeeds.
  expect([manifest.files.missing, manifest.files.missing_count, copies()]).toEqual([[passing], 1, 2]);
});

test('a backup aborts when a stored file is shorter than its listed size', async () => {
  const { storage, put, make } = await namingSchool();
  await put('whole');
  const list = storage.list.bind(storage);
  const lying: Pick<Storage, 'list'> = {
    async *list() {
      for await (const file of list()) yield { ...file, size: file.size + 1 };
    },
  };
  Object.assign(storage, lying);
  await expect(make()).rejects.toThrow(/has 5 bytes, and should have 6/);
});

describe('a forged backup archive', () => {
  const about = {
    product: 'lectern',
    format: 1,
    version: '0',
    engine: 'sqlite',
    migrations: [],
    parts: 'all',
    made_at: 0,
  };
  const aboutEntry = () => entryOf(entryNames.about, JSON.stringify(about));
  const cases: Record<string, () => TarEntry[]> = {
    'begins with what is no JSON': () => [entryOf(entryNames.about, '{')],
    'begins with null': () => [entryOf(entryNames.about, 'null')],
    'does not say its migrations': () => [
      entryOf(entryNames.about, JSON.stringify({ ...about, migrations: undefined })),
    ],
    'has numbers for migrations': () => [entryOf(entryNames.about, JSON.stringify({ ...about, migrations: [1] }))],
    'begins with more than fits into memory': () => [
      entryOf(entryNames.about, JSON.stringify({ ...about, more: 'x'.repeat(20_000_000) })),
    ],
    'has a file outside of the storage': () => [aboutEntry(), entryOf(`${entryNames.files}../../escape.png`, 'x')],
    'has a file without a name': () => [aboutEntry(), entryOf(entryNames.files, 'x')],
    'has a part outside of its folder': () => [aboutEntry(), entryOf('../escape', 'x')],
    'has a part called as the list of files that were read': () => [aboutEntry(), entryOf('ledger', 'x')],
    'lists files in what is no JSON': () => [aboutEntry(), entryOf(entryNames.list, 'x\n')],
    'lists a file without a key': () => [aboutEntry(), entryOf(entryNames.list, '{}\n')],
    'ends with what is no JSON': () => [
      aboutEntry(),
      entryOf('database.sqlite', 'x'),
      entryOf(entryNames.manifest, '}'),
    ],
    'ends without its tables': () => [
      aboutEntry(),
      entryOf('database.sqlite', 'x'),
      entryOf(entryNames.manifest, JSON.stringify(about)),
    ],
  };
  it.each(Object.entries(cases))('that %s is refused with a message', async (_, entries) => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'made-up.tar.zst');
    await writeArchive(file, entriesOf(entries()), { keys: noKeys, at: 0 });
    const scratch = path.join(folder, 'scratch');
    await mkdir(scratch);
    const reading = readBackup(file, {
      keys: noKeys,
      scratch,
      begin: async () => {},
      take: async (_key, bytes) => {
        for await (const _ of bytes);
      },
    });
    await expect(reading).rejects.toThrow(BackupError);
    expect(await readdir(folder)).toEqual(['made-up.tar.zst', 'scratch']);
  });
});

async function* entriesOf(entries: TarEntry[]): AsyncGenerator<TarEntry> {
  yield* entries;
}

test('a tar is read back as written, skips unread entries, rejects a cut one and holds 20 GB', async () => {
  const contents = ['', 'a', 'b'.repeat(512), 'c'.repeat(100_000)];
  const entries = contents.map((content, index) => entryOf(`file-${index}`, content));
  const whole = await buffer(packTar(entriesOf(entries), 0));
  const readHashes = async (bytes: Buffer, piece: number, skip?: string) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) =>
      bytes.subarray(at * piece, (at + 1) * piece),
    );
    const found: string[] = [];
    for await (const entry of readTar(Readable.from(pieces)))
      if (entry.name !== skip) found.push(hashOf(await text(entry.bytes)));
    return found;
  };
  for (const piece of [7, 512, 65_536]) expect(await readHashes(whole, piece)).toEqual(contents.map(hashOf));
  expect(await readHashes(whole, 1000, 'file-3')).toEqual(contents.slice(0, 3).map(hashOf));
  for (const length of [100, 600, whole.length - 2000])
    await expect(readHashes(whole.subarray(0, length), 4096)).rejects.toThrow(ArchiveDamaged);
  // A size beyond the octal digits of the header.
  const size = 20 * 2 ** 30;
  const endless = async function* () {
    yield Buffer.alloc(512);
    await new Promise(() => undefined);
  };
  for await (const entry of readTar(packTar(entriesOf([{ name: 'large', size, bytes: endless() }]), 0))) {
    expect(entry.size).toBe(size);
    break;
  }
});

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex');
