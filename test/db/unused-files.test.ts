/** Deletes unreferenced uploads in monthly batches; keeps everything referenced. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStorage } from '#server/platform/files/storage.ts';
import { removeUnusedFiles } from '#server/system/unused-files.ts';
import { type Bucket, startBucket } from '../support/bucket.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const keyOf = (month: string, letter: string) => `${month}/${letter.repeat(26)}.png`;

onBothEnginesAlways('unreferenced files', (school) => {
  const { storage, db } = { storage: () => school().services.storage, db: () => school().database.db };
  const upload = async (month: string, letter: string) => {
    const key = keyOf(month, letter);
    const staged = await storage().stage(Readable.from([Buffer.from('x')]), { limit: 10 });
    if (!('ok' in staged)) throw new Error(staged.message);
    await storage().putBack(staged.ok, { key, size: 1, contentType: 'image/png' });
    return key;
  };
  const remainingKeys = async () => {
    const keys: string[] = [];
    for await (const { key } of storage().list()) keys.push(key);
    return keys.sort();
  };
  const sweep = (day: string) => removeUnusedFiles({ db: db(), storage: storage() }, at(day));

  describe.each(['folder', 'bucket'])('stored in a %s', (place) => {
    let bucket: Bucket | undefined;
    beforeAll(async () => {
      await db().deleteFrom('setting').where('name', '=', 'files_swept_to').execute();
      if (place === 'folder') return;
      // Two keys per page, so that listings have several pages.
      bucket = await startBucket(2);
      const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
      const directory = school().filesFolder;
      const of = { name: 'school', region: 'cn-north-1', endpoint: bucket.endpoint, credentials };
      school().replace({ storage: await createStorage({ directory, bucket: of }) });
    });
    afterAll(() => bucket?.close());

    it('are deleted once no form can hold them; referenced ones stay', async () => {
      const { people } = school();
      const named = {
        draft: await upload('2025/03', 'a'),
        text: await upload('2025/03', 'b'),
        past: await upload('2025/03', 'c'),
        avatar: await upload('2025/03', 'd'),
      };
      const unused = await upload('2025/03', 'e');
      const later = await upload('2025/04', 'f');
      await db()
        .insertInto('homework_draft')
        .values({
          owner_id: people.teacher.id,
          form: JSON.stringify({ remark: `/files/${named.draft}` }),
          saved_at: noon,
        })
        .execute();
      await db()
        .insertInto('class_notice')
        .values({
          class_id: school().classes.k1,
          staff_id: people.teacher.id,
          title: '图',
          content: `<p><img src="/files/${named.text}"></p><p><img src="/files/${named.past}"></p>`,
          created_at: noon,
          updated_at: noon,
        })
        .execute();
      await db()
        .updateTable('staff')
        .set({ avatar: `/files/${named.avatar}` })
        .where('id', '=', people.teacher.id)
        .execute();
      const all = [...Object.values(named), unused, later].sort();

      // 31 days after the month's end, so forms of its last day have expired.
      expect(await sweep('2025-05-01')).toBe(0);
      expect(await remainingKeys()).toEqual(all);
      expect(await sweep('2025-05-03')).toBe(1);
      expect(await remainingKeys()).toEqual(all.filter((key) => key !== unused));
      // Each month once; later files wait for their own turn.
      expect(await sweep('2025-05-04')).toBe(0);
      expect(await sweep('2025-06-03')).toBe(1);
      expect(await remainingKeys()).toEqual(Object.values(named).sort());
    });

    it('of several missed months are deleted month by month', async () => {
      await db().deleteFrom('setting').where('name', '=', 'files_swept_to').execute();
      const [first, second] = [await upload('2024/01', 'g'), await upload('2024/02', 'h')];
      expect(await sweep('2025-06-03')).toBe(1);
      expect(await remainingKeys()).not.toContain(first);
      expect(await remainingKeys()).toContain(second);
      expect(await sweep('2025-06-03')).toBe(1);
      expect(await remainingKeys()).not.toContain(second);
    });
  });
});
