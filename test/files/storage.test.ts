import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStorage, type Storage, storageSettings } from '#server/platform/files/storage.ts';
import { startBucket } from '../support/bucket.ts';
import { storageForTest, temporaryFolder } from './samples.ts';

async function filesIn(directory: string): Promise<string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

function expectKept<T>(result: { ok: T } | { refused: number }): T {
  if (!('ok' in result)) throw new Error(`Refused: ${JSON.stringify(result)}`);
  return result.ok;
}

async function readText(storage: Storage, key: string, range?: { start: number; end: number }) {
  const stream = await storage.read(key, range);
  return stream && text(stream as never);
}

test('storage keeps web and Node streams under ASCII keys, and reads, limits and deletes them', async () => {
  const { storage, directory } = await storageForTest();
  const web = expectKept(await storage.put(new Blob(['网页上传的内容']).stream(), { extension: 'docx', limit: 1000 }));
  const node = expectKept(
    await storage.put(Readable.from([Buffer.from('0123456789')]), { extension: 'mp4', limit: 10 }),
  );

  expect(web.key).toMatch(/^\d{4}\/\d{2}\/[a-z2-7]{26}\.docx$/);
  expect(await readText(storage, web.key)).toBe('网页上传的内容');
  expect(await readText(storage, node.key, { start: 3, end: 5 })).toBe('345');
  expect(await storage.stat(node.key)).toMatchObject({ size: 10 });
  expect(await readFile(join(directory, node.key), 'utf8')).toBe('0123456789');
  expect(Buffer.from((await storage.readWhole(node.key, 10)) ?? [])).toEqual(Buffer.from('0123456789'));
  expect(await storage.readWhole(node.key, 9)).toBeNull();

  await storage.delete(node.key);
  expect(await storage.stat(node.key)).toBeNull();
  expect(await storage.read(node.key)).toBeNull();
});

test('storage stops reading at the size limit and leaves nothing', async () => {
  const { storage, directory } = await storageForTest();
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65536;
      controller.enqueue(new Uint8Array(65536));
    },
  });
  const result = await storage.put(endless, { extension: 'mp4', limit: 1024 * 1024 });
  expect(result).toEqual({ refused: 413, message: '文件不能超过 1 MB' });
  expect(sent).toBeLessThan(2 * 1024 * 1024);
  expect(await filesIn(directory)).toEqual([]);
});

test('an upload that breaks off leaves nothing', async () => {
  const { storage, directory } = await storageForTest();
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(100_000));
    },
    pull(controller) {
      controller.error(new Error('connection reset'));
    },
  });
  expect(await storage.put(broken, { extension: 'mp4', limit: 1e6 })).toMatchObject({ refused: 400 });
  expect(await filesIn(directory)).toEqual([]);
});

test('a foreign or escaping key names no file', async () => {
  const { storage, directory } = await storageForTest();
  await writeFile(join(directory, '..', 'outside.txt'), 'secret');
  for (const key of ['../outside.txt', '2026/01/../../../outside.txt', '/etc/passwd', '.receiving/a', '']) {
    expect(await storage.stat(key)).toBeNull();
    expect(await storage.read(key)).toBeNull();
    await storage.delete(key);
  }
  expect(await readFile(join(directory, '..', 'outside.txt'), 'utf8')).toBe('secret');
});

test('partial uploads left by a crash are deleted after a day', async () => {
  const { storage, directory } = await storageForTest();
  const old = join(directory, '.receiving', 'old');
  await writeFile(old, 'half');
  await writeFile(join(directory, '.receiving', 'new'), 'half');
  const yesterday = Date.now() / 1000 - 25 * 3600;
  await utimes(old, yesterday, yesterday);
  expect(await storage.removeAbandoned()).toBe(1);
  await expect(stat(old)).rejects.toThrow();
  expect(await readdir(join(directory, '.receiving'))).toEqual(['new']);
});

test('storage receives a large file without holding it in memory', async () => {
  const { storage } = await storageForTest();
  const size = 200 * 1024 * 1024;
  const before = process.memoryUsage().rss;
  let most = 0;
  async function* chunks() {
    for (let sent = 0; sent < size; sent += 65536) {
      if (sent % (8 * 1024 * 1024) === 0) most = Math.max(most, process.memoryUsage().rss - before);
      yield new Uint8Array(65536);
    }
  }
  const stored = expectKept(await storage.put(chunks(), { extension: 'mp4', limit: size }));
  expect(stored.size).toBe(size);
  expect(most).toBeLessThan(120 * 1024 * 1024);
});

test('storage keeps files in a configured bucket', async () => {
  const { objects, requests, environment, close } = await startBucket();
  onTestFinished(close);
  const folder = await temporaryFolder();
  for (const [name, value] of Object.entries({ ...environment, VAR_DIR: folder })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const storage = await createStorage(storageSettings());
  const contents = Buffer.from('0123456789'.repeat(50_000));
  const file = { extension: 'pdf', contentType: 'application/pdf', limit: 1e6 };
  const { key } = expectKept(
    await storage.put(Readable.from([contents.subarray(0, 200_000), contents.subarray(200_000)]), file),
  );

  expect(objects.get(`/school/${key}`)?.bytes.equals(contents)).toBe(true);
  expect(objects.get(`/school/${key}`)?.contentType).toBe('application/pdf');
  expect(requests[0]?.headers['transfer-encoding']).toBeUndefined();
  expect(await storage.stat(key)).toMatchObject({ size: contents.length });
  expect(await readText(storage, key, { start: 499_998, end: 499_999 })).toBe('89');
  expect(await filesIn(folder)).toEqual([]);

  const other = expectKept(await storage.put(Readable.from([Buffer.from('other')]), file));
  objects.set('/school/of-others.txt', { bytes: Buffer.from('not ours'), contentType: undefined });
  const listed: unknown[] = [];
  for await (const one of storage.list()) listed.push(one);
  const both = [{ key, size: contents.length }, other];
  expect(listed).toEqual(both.sort((one, another) => (one.key < another.key ? -1 : 1)));
  await storage.delete(other.key);
  const staged = expectKept(await storage.stage(Readable.from([Buffer.from('again')]), { limit: 5 }));
  await storage.putBack(staged, { key: other.key, size: 5, contentType: 'application/pdf' });
  expect(await readText(storage, other.key)).toBe('again');

  await storage.delete(key);
  expect(await storage.stat(key)).toBeNull();
  expect(await storage.read(key)).toBeNull();
});

test('storage reports an unmounted folder or a missing bucket as unusable', async () => {
  const { storage, directory } = await storageForTest();
  await storage.check();
  expect(await storage.usage()).toMatchObject({ kind: 'folder', place: directory, files: 0 });
  // Like a shared folder that is no longer mounted.
  await rename(directory, `${directory}-mounted`);
  await mkdir(directory);
  await expect(storage.check()).rejects.toThrow('cannot be used');
  await rm(directory, { recursive: true });
  await expect(storage.check()).rejects.toThrow('cannot be used');
  expect(await storage.usage()).toMatchObject({ place: directory, free: null });
  await rename(`${directory}-mounted`, directory);
  await storage.check();

  const { endpoint } = await startBucket();
  const bucketOf = (name: string) =>
    createStorage({
      directory,
      bucket: { name, endpoint, region: 'cn-north-1', credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } },
    });
  await (await bucketOf('school')).check();
  expect(await (await bucketOf('school')).usage()).toMatchObject({
    kind: 'bucket',
    place: `school @ ${new URL(endpoint).host}`,
  });
  await expect((await bucketOf('scool')).check()).rejects.toThrow('cannot be used');
});
