import { expect, test } from 'vitest';
import { serveFile } from '#server/platform/files/serve.ts';
import { storageForTest } from './samples.ts';

async function storeFile(contents: string, extension = 'mp4') {
  const { storage } = await storageForTest();
  const result = await storage.put(new Blob([contents]).stream(), { extension, limit: 1000 });
  if (!('ok' in result)) throw new Error('refused');
  const { key } = result.ok;
  return (
    headers: Record<string, string> = {},
    options: { method?: string; contentType?: string; name?: string; disposition?: 'attachment' } = {},
  ) =>
    serveFile(storage, key, {
      name: options.name ?? '第一讲.mp4',
      contentType: options.contentType ?? 'video/mp4',
      request: new Request('http://school/files/1', { headers, method: options.method ?? 'GET' }),
      ...(options.disposition ? { disposition: options.disposition } : {}),
    });
}

test.each([
  ['bytes=0-3', '0123', '0-3'],
  ['bytes=4-', '456789', '4-9'],
  ['bytes=-3', '789', '7-9'],
  ['bytes=5-99', '56789', '5-9'],
  ['bytes=-99', '0123456789', '0-9'],
  ['bytes=9-9', '9', '9-9'],
])('range %s is answered with 206 and its bytes', async (range, text, answered) => {
  const get = await storeFile('0123456789');
  const answer = await get({ range });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-range')).toBe(`bytes ${answered}/10`);
  expect(answer.headers.get('content-length')).toBe(String(text.length));
  expect(await answer.text()).toBe(text);
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('range %s is answered with 416', async (range) => {
  const get = await storeFile('0123456789');
  const answer = await get({ range });
  expect(answer.status).toBe(416);
  expect(answer.headers.get('content-range')).toBe('bytes */10');
});

test.each(['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b', 'bytes=-'])(
  'range %s is ignored and the whole file sent',
  async (range) => {
    const get = await storeFile('0123456789');
    const answer = await get({ range });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('0123456789');
  },
);

test('a matching ETag is answered with 304, a changed one with the whole file', async () => {
  const get = await storeFile('0123456789');
  const first = await get();
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]+"$/);
  const again = await get({ 'if-none-match': `"other", W/${etag}` });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect((await get({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  expect((await get({ range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
});

test('HEAD answers the size without a body', async () => {
  const get = await storeFile('0123456789');
  const answer = await get({}, { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe('10');
  expect(await answer.text()).toBe('');
});

test.each([
  ['image/png', 'inline'],
  ['application/pdf', 'inline'],
  ['audio/mpeg', 'inline'],
  ['video/mp4', 'inline'],
  ['image/svg+xml', 'attachment'],
  ['text/html', 'attachment'],
  ['application/zip', 'attachment'],
  ['application/msword', 'attachment'],
])('%s is sent %s and cannot run scripts', async (contentType, disposition) => {
  const get = await storeFile('<script>');
  const { headers } = await get({}, { contentType });
  expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`));
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe(contentType);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script-src');
  if (contentType !== 'application/pdf') expect(policy).toMatch(/^sandbox;/);
});

test('a picture is sent as a download on request', async () => {
  const get = await storeFile('x');
  const { headers } = await get({}, { contentType: 'image/png', disposition: 'attachment' });
  expect(headers.get('content-disposition')).toMatch(/^attachment;/);
});

test('the download name is encoded, Chinese or hostile', async () => {
  const get = await storeFile('x');
  const header = async (name: string) => (await get({}, { name })).headers.get('content-disposition');
  expect(await header('第一讲 (1).mp4')).toBe(
    `inline; filename="___ (1).mp4"; filename*=UTF-8''%E7%AC%AC%E4%B8%80%E8%AE%B2%20%281%29.mp4`,
  );
  expect(await header('a"; filename="b.exe\r\nX-Evil: 1')).toBe(
    `inline; filename="a_; filename=_b.exeX-Evil: 1"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exeX-Evil%3A%201`,
  );
  expect(await header('课'.repeat(250))).toContain(encodeURIComponent('课'.repeat(250)));
});

test('a missing file is answered with 404', async () => {
  const { storage } = await storageForTest();
  const answer = await serveFile(storage, `2026/01/${'a'.repeat(26)}.png`, {
    name: 'a.png',
    contentType: 'image/png',
    request: new Request('http://school/'),
  });
  expect(answer.status).toBe(404);
});
