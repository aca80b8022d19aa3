import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';

const picture = async (format: 'png' | 'jpeg' | 'webp' | 'gif', side = 8) =>
  new Uint8Array(
    await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
      .toFormat(format)
      .toBuffer(),
  );
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

function form(field: string, value: string | File): FormData {
  const sent = new FormData();
  sent.set(field, value);
  return sent;
}

onBothEngines('files', (school) => {
  const upload = (file: File) => school().as('teacher').post('public/file', form('file', file));
  const draw = (text: string) => school().as('assist').post('public/imgBase64', form('base64_image', text));

  it('stores a file under a new name and serves it to staff, with ranges', async () => {
    const bytes = await picture('png', 300);
    const kept = await upload(new File([bytes], '../../图 一.PNG'));
    expect(kept.body).toMatchObject({ code: 200, msg: '上传成功', data: { originalName: '图 一.PNG' } });
    const { path } = kept.body.data;
    expect(path).toMatch(/^\/files\/\d{4}\/\d{2}\/[a-z0-9]+\.png$/);
    const address = path.replace(/^\/files/, 'files');

    const send = (headers: Record<string, string>, search = '') => {
      const token = school().people.assist.token;
      const url = `http://school.test/api/assistants/${address}${search}`;
      return school().api.fetch(new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } }));
    };
    const whole = await send({});
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await whole.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    const part = await send({ range: 'bytes=2-5' });
    expect([part.status, await part.arrayBuffer().then((b) => b.byteLength)]).toEqual([206, 4]);
    expect((await send({ 'if-none-match': whole.headers.get('etag') as string })).status).toBe(304);
    const saved = await send({}, `?download=1&name=${encodeURIComponent('图 一.png')}`);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;.*%E5%9B%BE/);

    expect(
      (
        await school()
          .as('teacher')
          .get(`files/2026/11/${'a'.repeat(26)}.png`)
      ).status,
    ).toBe(404);
    expect((await school().as('teacher').get('files/2026/11/..%2f..%2fschool.db')).status).toBe(404);
    const { status } = await school().ask(`/api/lector/${address}`);
    expect(status).toBe(401);
  });

  it.each([
    ['a page named .png', '图.png', '<html><script>alert(1)</script>', 415],
    ['a page', 'a.html', '<html></html>', 415],
    ['a drawing with scripts', 'a.svg', '<svg onload="x()"/>', 415],
    ['an empty file', 'a.png', '', 422],
  ])('refuses %s', async (_, name, content, status) => {
    const refused = await upload(new File([content], name));
    expect(refused.status).toBe(status);
    expect(refused.body.errors.file).toEqual([refused.body.msg]);
  });

  it('accepts drawings as base64, with or without a data URL prefix', async () => {
    for (const [format, type] of [
      ['png', 'png'],
      ['jpeg', 'jpg'],
      ['webp', 'webp'],
    ] as const) {
      const text = base64(await picture(format));
      expect((await draw(text)).body.data.path).toMatch(new RegExp(`^/files/.*\\.${type}$`));
      expect((await draw(`data:image/${format};base64,${text}`)).status).toBe(200);
    }
  });

  it('refuses invalid, too large and empty drawings', async () => {
    expect((await draw(base64(await picture('gif')))).status).toBe(415);
    expect((await draw('PHNjcmlwdD4=')).status).toBe(415);
    expect((await draw('****')).status).toBe(415);
    const none = await draw('');
    expect([none.status, none.body.msg]).toEqual([422, '请选择要上传的图片']);
    const damaged = (await picture('png', 200)).slice(0, 20);
    expect((await draw(base64(damaged))).status).toBe(422);
    const large = await draw(base64(new Uint8Array(20 * 1024 * 1024 + 1)));
    expect([large.status, large.body.msg]).toEqual([413, '图片不能超过 20 MB']);
    expect((await draw('A'.repeat(30 * 1024 * 1024))).status).toBe(413);
  });

  it('leaves no files after a refusal', async () => {
    const folder = school().filesFolder;
    await upload(new File(['<html>'], 'a.png'));
    expect(await readdir(`${folder}/.receiving`)).toEqual([]);
  });
});
