/** @module-tag thorough */
/** A full small disk, and an unreachable bucket: reported, with nothing partial. */
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import { createStorage } from '#server/platform/files/storage.ts';
import { freePort } from '../support/ports.ts';
import { openTestSchool, type TestSchool } from '../support/school.ts';
import { smallDisk } from '../support/small-disk.ts';

const full = '存储空间不足，暂时无法保存，请稍后再试或联系管理员';
const away = '文件服务暂时不可用，请稍后再试';

let school: TestSchool;
let picture: Uint8Array<ArrayBuffer>;
let application: string;

beforeAll(async () => {
  school = await openTestSchool('SQLite');
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  picture = new Uint8Array(
    await sharp({ create: { width: 900, height: 900, channels: 3, background: '#fff', noise } })
      .png()
      .toBuffer(),
  );
  expect(picture.byteLength).toBeGreaterThan(1_000_000);
  application = (await issueServiceToken(school.database.db, { name: '学习端', now: school.services.now() })).token;
});
afterAll(() => school.close());

const formWith = (bytes: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  form.set('file', new File([bytes], '图.png'));
  return form;
};
/** Every upload path. */
const uploads: [name: string, upload: () => Promise<{ status: number; body: { msg: string } }>][] = [
  ['a file', () => school.as('teacher').post('public/file', formWith(picture))],
  ['a picture made smaller', () => school.as('teacher').post('public/file', formWith(picture, { tidy: '1' }))],
  [
    'a learner’s picture',
    () =>
      school.ask('/api/app/public/file', {
        method: 'POST',
        headers: { authorization: `Bearer ${application}` },
        body: formWith(picture),
      }),
  ],
  [
    'a drawn picture',
    () => {
      const form = new FormData();
      form.set('base64_image', Buffer.from(picture).toString('base64'));
      return school.as('assist').post('public/imgBase64', form);
    },
  ],
];

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;

describe('full disk', () => {
  const disk = smallDisk(8);
  const folder = 'folder' in disk ? disk.folder : '';
  const filler = path.join(folder, 'filler');
  const missing = 'missing' in disk ? disk.missing : undefined;
  if (missing) console.info(missing);

  /** Leaves this many bytes. */
  const fill = (free: number) => {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - free)));
  };

  beforeAll(async () => {
    if (folder) school.replace({ storage: await createStorage({ directory: path.join(folder, 'files') }) });
  });
  afterAll(() => {
    if ('folder' in disk) disk.remove();
  });

  it.for(uploads)('refuses %s, and accepts it once there is room', async ([, upload], { skip }) => {
    skip(missing !== undefined, missing);
    fill(300_000);
    const before = filesIn(folder);
    // Repeated: each attempt fails alone, and the process survives.
    for (let round = 0; round < 3; round += 1) {
      const { status, body } = await upload();
      expect([status, body.msg]).toEqual([503, full]);
    }
    expect(filesIn(folder)).toBe(before);
    rmSync(filler);
    const { status, body } = await upload();
    expect([status, body.msg]).toEqual([200, '上传成功']);
    for (const year of readdirSync(path.join(folder, 'files'))) {
      if (/^\d/.test(year)) rmSync(path.join(folder, 'files', year), { recursive: true });
    }
  });

  it('fails an export, and completes it later', async ({ skip }) => {
    skip(missing !== undefined, missing);
    const homework = await school.addHomework({ creator: 'teacher', classes: [school.classes.k1] });
    const exportTranscript = async () => {
      const { body } = await school.as('teacher').get(`homework/export/transcripts/${homework}`);
      for (const end = Date.now() + 30_000; ; await wait(50)) {
        const answer = await school.as('teacher').get(body.data.url);
        // 202: still running on a busy machine.
        if (answer.status !== 202 || Date.now() > end) return answer;
      }
    };
    fill(0);
    const before = filesIn(folder);
    const refused = await exportTranscript();
    expect([refused.status, refused.body.msg]).toEqual([503, '文件生成失败，请重新导出']);
    expect(filesIn(folder)).toBe(before);
    rmSync(filler);
    expect((await exportTranscript()).status).toBe(200);
  });
});

describe('unreachable bucket', () => {
  beforeAll(async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    school.replace({
      storage: await createStorage({
        directory: school.filesFolder,
        bucket: { name: 'b', region: 'r', endpoint, credentials: { accessKeyId: 'a', secretAccessKey: 's' } },
      }),
    });
  });

  it.each(uploads)('refuses %s with a message', async (_, upload) => {
    const { status, body } = await upload();
    expect([status, body.msg]).toEqual([503, away]);
    expect(filesIn(school.filesFolder)).toBe(0);
  });

  it('shows no file, with a message', async () => {
    const address = `files/2026/11/${'a'.repeat(26)}.png`;
    const { status, body } = await school.as('teacher').get(address);
    expect([status, body.msg]).toEqual([503, away]);
  });
});
