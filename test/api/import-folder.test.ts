/** Tests the watched import folder: which files are taken at what time, and the notifications. */
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sourceOf, type Watch, watchFolder, watchFolderJobs } from '#server/import/folder.ts';
import { type Background, createBackground } from '#server/platform/background/work.ts';
import { rosterTexts, smallRoster, zipOf } from '../support/import-files.ts';
import { smallUpload } from '../support/imports.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

it.each([
  ['教务系统/2026-11-23.zip', '教务系统'],
  ['students-2026-11-23.csv', 'students'],
  ['名册（20261123）.xlsx', '名册'],
  ['名册 2026年11月23日.xlsx', '名册'],
  ['20261123.zip', '文件夹'],
])('%s belongs to source %s', (name, source) => expect(sourceOf(name)).toBe(source));

onBothEngines('watched import folder', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  let folder: string;
  let clock = noon;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'watched-'));
    clock += 10_000;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const watch = (): Watch => watchFolder({ ...school().services, now: () => clock }, folder);
  const putFile = async (name: string, content: string | Uint8Array) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  };
  /** Scans the folder `times` times, 30 seconds apart. Returns the files that are left. */
  const lookTimes = async (watched: Watch, times = 2) => {
    for (let time = 0; time < times; time += 1) {
      await watched.look();
      clock += 31;
    }
    return there();
  };
  const there = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((one) => one.isFile())
      .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
      .sort();
  const tenMinutes = async (watched: Watch) => {
    await lookTimes(watched, 2);
    clock += 600;
    return lookTimes(watched, 1);
  };
  const json = (records: object[], mode = 'bulk') => JSON.stringify({ mode, records });
  const last = async () => (await admin().get('import')).body.data.list[0];
  const waitingCount = async () => (await admin().get('overview')).body.data.imports_waiting;
  const listEvents = async () => {
    const events = await school().database.db.selectFrom('learner_event').selectAll().orderBy('id').execute();
    return events.map(({ kind, record_id, details }) => ({ kind, record_id, ...JSON.parse(details) }));
  };
  const tag = (name: string) => `${school().engine === 'SQLite' ? 3 : 4}${name.length}`;

  describe('file pickup', () => {
    it('takes an unchanged file, with its folder as source, and applies it', async () => {
      const watched = watch();
      await putFile('教务系统/名单-2026-11-23.json', json(smallUpload({ tag: tag('a') })));
      await putFile('教务系统/名单.json.part', '{');
      await putFile('.名单.json', '{');
      expect(await watched.look()).toBe(0);
      clock += 29;
      expect(await watched.look()).toBe(0);
      clock += 2;
      expect(await watched.look()).toBe(1);
      expect(await there()).toEqual(['.名单.json', 'done/教务系统/名单-2026-11-23.json', '教务系统/名单.json.part']);
      expect(await last()).toMatchObject({ source: '教务系统', state: 'applied', found: 1, by: '' });
      // A repeat changes nothing and is kept next to the first.
      await putFile('教务系统/名单-2026-11-23.json', json(smallUpload({ tag: tag('a') })));
      expect(await lookTimes(watched)).toContain('done/教务系统/名单-2026-11-23-2.json');
      expect((await admin().get(`import/${(await last()).id}`)).body.data.totals.slice(0, 7)).toEqual(Array(7).fill(0));
    });

    it('waits until a slow file is complete', async () => {
      const watched = watch();
      const whole = json(smallUpload({ tag: tag('bb') }));
      await putFile('慢.json', whole.slice(0, 100));
      for (const end of [200, 300, whole.length]) {
        await lookTimes(watched, 1);
        await appendFile(path.join(folder, '慢.json'), whole.slice(end === whole.length ? 300 : end - 100, end));
      }
      expect(await there()).toEqual(['慢.json']);
      expect(await lookTimes(watched)).toEqual(['done/慢.json']);
      expect(await last()).toMatchObject({ source: '慢', state: 'applied' });
    });

    it('takes an interrupted file once it is complete', async () => {
      const watched = watch();
      const bytes = zipOf(rosterTexts(smallRoster()));
      await putFile('名册/a.zip', bytes.subarray(0, bytes.length - 200));
      const before = await last();
      expect(await lookTimes(watched, 5)).toEqual(['名册/a.zip']);
      expect((await last()).id).toBe(before.id);
      await putFile('名册/a.zip', bytes);
      expect(await lookTimes(watched)).toEqual(['done/名册/a.zip']);
      expect(await last()).toMatchObject({ source: '名册', state: 'applied' });
    });

    it('takes a list without a final newline minutes later', async () => {
      const watched = watch();
      const { name } = (await admin().get('staff/schools')).body.data[0];
      await putFile('学员.csv', `姓名,学号,学校\n甲甲,9001,${name}\n乙乙,90`);
      expect(await lookTimes(watched, 3)).toEqual(['学员.csv']);
      await appendFile(path.join(folder, '学员.csv'), `02,${name}\n丙丙,9003,没有的学校\n`);
      expect(await lookTimes(watched)).toEqual(['done/学员.csv']);
      expect(await last()).toMatchObject({ state: 'applied' });
      expect((await listEvents()).at(-1)).toMatchObject({
        kind: 'import.refused',
        reason: '有1行不能导入，其余已导入',
      });
      await putFile('学员.csv', `姓名,学号,学校\n甲甲,9001,${name}`);
      expect(await tenMinutes(watched)).toEqual(['done/学员-2.csv', 'done/学员.csv']);
    });
  });

  it('sets unreadable files aside with the reason, and notifies administrators and applications', async () => {
    const watched = watch();
    const before = await waitingCount();
    const form = { name: `总部${tag('c')}`, every_school: 1, school_ids: [] };
    const token = (await admin().post('tokens', form)).body.data.id;
    await admin().put(`tokens/${token}/webhook`, { url: 'https://office.test/', events: ['import.refused'] });
    await putFile('坏的.zip', Buffer.from('PK\u0003\u0004 and then nothing'));
    expect(await tenMinutes(watched)).toEqual(['refused/坏的.zip', 'refused/坏的.zip.原因.txt']);
    expect(await readFile(path.join(folder, 'refused/坏的.zip.原因.txt'), 'utf8')).toContain('坏的.zip：文件已损坏');
    const one = await last();
    expect(one).toMatchObject({ state: 'uploaded', found: 1, failure: expect.stringContaining('文件已损坏') });
    expect(await waitingCount()).toBe(before + 1);
    expect((await admin().get('import?waiting=1')).body.data.list[0].id).toBe(one.id);
    const event = {
      kind: 'import.refused',
      record_id: one.id,
      source: '坏的',
      file: '坏的.zip',
      reason: `坏的.zip：${one.failure}`,
    };
    expect((await listEvents()).at(-1)).toEqual(event);
    const sent = await school()
      .database.db.selectFrom('sms_outbox')
      .select('content')
      .where('webhook_id', '=', token)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(sent.content)).toMatchObject({ event: 'import.refused', record_id: one.id });
    const { status, body } = await admin().post(`import/${one.id}/check`);
    expect([status, body.msg]).toEqual([409, '文件没有读取成功，没有可检查的内容']);
    expect((await admin().post(`import/${one.id}/discard`)).status).toBe(200);
    expect(await waitingCount()).toBe(before);
    await admin().post(`tokens/${token}/end`);
  });

  it('holds risky files like an upload, and applies them once confirmed', async () => {
    const watched = watch();
    const records = smallUpload({ tag: tag('dddd'), classes: 1, students: 10 });
    await putFile('全校/1.json', json(records));
    await lookTimes(watched);
    expect(await last()).toMatchObject({ state: 'applied' });
    await putFile('全校/2.json', json(records.filter(({ sourceId }) => !/P1001|P1002/.test(sourceId))));
    expect(await lookTimes(watched)).toContain('held/全校/2.json');
    const one = await last();
    expect(one).toMatchObject({ state: 'held', found: 1 });
    expect((await listEvents()).at(-1)).toMatchObject({
      kind: 'import.held',
      record_id: one.id,
      reason: expect.stringContaining('学员：2条将离开，占20%'),
    });
    const confirmed = { 'student.leaves': 2, 'membership.leaves': 2 };
    expect((await admin().post(`import/${one.id}/apply`, { confirmed })).body.data.state).toBe('applied');
    // Yesterday's file would restore people who left.
    await putFile('全校/3.json', json(records));
    expect(await lookTimes(watched)).toContain('held/全校/3.json');
    const { holds } = (await admin().get(`import/${(await last()).id}`)).body.data;
    expect(holds).toMatchObject([{ kind: 'file', reason: 'older', number: 1 }]);
    expect(holds[0].sentence).toMatch(/^内容与.*导入的“1.json”相同，之后又导入过1个文件/);
    await admin().post(`import/${(await last()).id}/discard`);
  });

  it('waits behind a pending import of the same source', async () => {
    const watched = watch();
    await putFile('变更/1.csv', '名字,学号,说明\n丙丙,9003,\n');
    await lookTimes(watched);
    const held = await last();
    expect(held).toMatchObject({ state: 'uploaded', failure: expect.stringContaining('各列的含义') });
    await putFile('变更/2.csv', '名字,学号,说明\n丁丁,9004,\n');
    expect(await lookTimes(watched, 3)).toEqual(['held/变更/1.csv', '变更/2.csv']);
    const said = { kind: 'student', mode: 'delta', columns: ['姓名', '学号', ''] };
    expect((await admin().post(`import/${held.id}/mapping`, said)).body.data.state).toBe('checked');
    expect((await admin().post(`import/${held.id}/apply`, {})).body.data.state).toBe('applied');
    // The confirmed column mapping is remembered.
    expect(await lookTimes(watched)).toEqual(['done/变更/2.csv', 'held/变更/1.csv']);
    expect(await last()).toMatchObject({ state: 'applied', source: '变更' });
  });

  it('is scanned by one process until that process ends', async () => {
    const process = (holder: string) => {
      const services = { ...school().services, now: () => clock };
      return createBackground({ ...services, holder }, watchFolderJobs(services, folder));
    };
    const [one, other] = [process('one'), process('other')];
    const lookAsJob = async (of: Background) => {
      for (let time = 0; time < 2; time += 1) {
        await of.look();
        clock += 31;
      }
      return there();
    };
    await putFile('名单/a.json', json(smallUpload({ tag: tag('eeeee') })));
    expect(await one.look()).toEqual(['import-watch']);
    clock += 31;
    expect(await other.look()).toEqual([]);
    expect(await one.look()).toEqual(['import-watch']);
    expect(await there()).toEqual(['done/名单/a.json']);
    await putFile('名单/b.json', json(smallUpload({ tag: tag('eeeee') })));
    expect(await lookAsJob(other)).toContain('名单/b.json');
    clock += 200;
    expect(await lookAsJob(other)).toContain('done/名单/b.json');
    await putFile('名单/c.json', json(smallUpload({ tag: tag('eeeee') })));
    expect(await lookAsJob(one)).toContain('名单/c.json');
    // A clean shutdown releases the lease at once.
    await other.stop();
    expect(await lookAsJob(one)).toContain('done/名单/c.json');
  });
});
