import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Storage } from '#server/platform/files/storage.ts';
import { displayName, receiveUpload } from '#server/platform/files/upload.ts';
import { pauseFor } from '../support/pause.ts';
import { storageForTest } from './samples.ts';

function form(parts: Record<string, string | File>): Request {
  const data = new FormData();
  for (const [name, value] of Object.entries(parts)) data.append(name, value);
  return new Request('http://school/upload', { method: 'POST', body: data });
}

async function receive(storage: Storage, request: Request, limits = { fileBytes: 1000 }) {
  return receiveUpload(request, storage, limits);
}

const receiving = (directory: string) => readdir(join(directory, '.receiving'));

test('an upload has its fields, its file and a long Chinese name', async () => {
  const { storage, directory } = await storageForTest();
  const name = `${'课'.repeat(250)}.pdf`;
  const result = await receive(
    storage,
    form({ ware_type: '1', ware_name: '第一讲 & 练习', file: new File(['内容'], name, { type: 'application/pdf' }) }),
  );
  if (!('ok' in result)) throw new Error(JSON.stringify(result));
  expect(Object.fromEntries(result.ok.fields)).toEqual({ ware_type: '1', ware_name: '第一讲 & 练习' });
  expect(result.ok.files).toHaveLength(1);
  const [file] = result.ok.files;
  expect(file).toMatchObject({ field: 'file', name });
  expect(await readFile(file?.staged.path ?? '', 'utf8')).toBe('内容');

  await result.ok.discard();
  expect(await receiving(directory)).toEqual([]);
});

test('a kept file survives the discard', async () => {
  const { storage } = await storageForTest();
  const result = await receive(storage, form({ file: new File(['abc'], 'a.pdf') }));
  if (!('ok' in result)) throw new Error(JSON.stringify(result));
  const [file] = result.ok.files;
  if (!file) throw new Error('no file');
  const { key } = await storage.keep(file.staged, { extension: 'pdf' });
  await result.ok.discard();
  expect(await storage.stat(key)).toMatchObject({ size: 3 });
});

test('a file input left empty is no file', async () => {
  const { storage, directory } = await storageForTest();
  const result = await receive(storage, form({ ware_name: '空', file: new File([], '') }));
  expect(result).toMatchObject({ ok: { files: [] } });
  expect(await receiving(directory)).toEqual([]);
});

test('an upload beyond the limit, announced or not, is refused and leaves nothing', async () => {
  const { storage, directory } = await storageForTest();
  const message = '文件不能超过 1 KB';
  const exact = await receive(storage, form({ file: new File([new Uint8Array(1000)], 'a.mp4') }));
  expect(exact).toMatchObject({ ok: { files: [{ name: 'a.mp4' }] } });
  if ('ok' in exact) await exact.ok.discard();
  expect(await receive(storage, form({ file: new File([new Uint8Array(1001)], 'a.mp4') }))).toEqual({
    refused: 413,
    message,
  });
  expect(await receive(storage, form({ file: new File([new Uint8Array(5e6)], 'a.mp4') }))).toEqual({
    refused: 413,
    message,
  });

  let sent = 0;
  const announced = new Request('http://school/upload', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '300000000' },
    body: new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000));
      },
    }),
    duplex: 'half',
  } as RequestInit);
  expect(await receive(storage, announced)).toEqual({ refused: 413, message });
  // The body is read on, so that the sender gets the answer, but not without end.
  expect(sent).toBeLessThan(3000);
  expect(await receiving(directory)).toEqual([]);
});

test('an upload with too many files is refused and leaves nothing', async () => {
  const { storage, directory } = await storageForTest();
  const result = await receive(storage, form({ a: new File(['1'], 'a.pdf'), b: new File(['2'], 'b.pdf') }));
  expect(result).toEqual({ refused: 413, message: '文件过多' });
  expect(await receiving(directory)).toEqual([]);
});

const boundary = '----form';
const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`;

function raw(start: (controller: ReadableStreamDefaultController<Uint8Array>) => void | Promise<void>): Request {
  return new Request('http://school/upload', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new ReadableStream({ start }),
    duplex: 'half',
  } as RequestInit);
}

test.each([
  ['the connection is reset', (c: ReadableStreamDefaultController) => c.error(new Error('reset'))],
  ['the body just ends', (c: ReadableStreamDefaultController) => c.close()],
])('an upload cut off because %s is refused and leaves nothing', async (_, end) => {
  const { storage, directory } = await storageForTest();
  const request = raw(async (controller) => {
    controller.enqueue(Buffer.from(opening));
    controller.enqueue(new Uint8Array(300_000));
    await pauseFor(30);
    end(controller);
  });
  const result = await receive(storage, request, { fileBytes: 1e6 });
  expect(result).toEqual({ refused: 400, message: '上传中断，请重新上传' });
  expect(await receiving(directory)).toEqual([]);
});

test('a body that is no multipart form is refused', async () => {
  const { storage } = await storageForTest();
  const garbage = raw((controller) => {
    controller.enqueue(Buffer.from('no boundary at all'));
    controller.close();
  });
  expect(await receive(storage, garbage)).toMatchObject({ refused: 400 });
  const headless = raw((controller) => {
    controller.enqueue(Buffer.from(`--${boundary}\r\n\r\nno header\r\n--${boundary}--\r\n`));
    controller.close();
  });
  expect(await receive(storage, headless)).toMatchObject({ ok: { files: [] } });
  const json = new Request('http://school/upload', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
  expect(await receive(storage, json)).toMatchObject({ refused: 415 });
  const noBoundary = new Request('http://school/upload', {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'multipart/form-data' },
  });
  expect(await receive(storage, noBoundary)).toMatchObject({ refused: 400 });
});

test('a displayed name has no folders, control or direction characters, and at most 255 characters', () => {
  expect(displayName('../../etc/passwd')).toBe('passwd');
  expect(displayName('C:\\fakepath\\讲义.docx')).toBe('讲义.docx');
  expect(displayName('a\u0000b\r\nc.pdf')).toBe('abc.pdf');
  expect(displayName('课件\u202egpj.exe')).toBe('课件gpj.exe');
  expect(displayName('..')).toBe('未命名');
  expect(displayName(undefined)).toBe('未命名');
  expect(displayName(`${'字'.repeat(250)}.docx`)).toBe(`${'字'.repeat(250)}.docx`);
  const long = displayName(`${'𠮷'.repeat(300)}.pptx`);
  expect([...long]).toHaveLength(255);
  expect(long.endsWith('𠮷.pptx')).toBe(true);
});
