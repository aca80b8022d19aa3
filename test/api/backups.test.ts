/** Tests backups through the administrators' calls, and the job that makes them. */
import { afterEach, describe, expect, it } from 'vitest';
import { recordBackup } from '#server/backup/records.ts';
import type { BackupFailure, BackupResult } from '#server/backup/rules.ts';
import { createSchedule } from '#server/backup/schedule.ts';
import { addAdmin, addBoundAdmin } from '../support/bound-admin.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

const hour = 3600;

onBothEngines('backups', (opened) => {
  const school = () => opened();
  const admin = () => school().as('admin');
  const addBackup = (started_at: number, verdict: BackupResult, reason: BackupFailure = '') =>
    recordBackup(school().database.db, {
      kind: 'scheduled',
      file: verdict === 'failed' ? '' : 'school.tar.zst',
      bytes: 1000,
      files: 3,
      verdict,
      reason,
      missing: 0,
      message: '',
      started_at,
      ended_at: started_at + 60,
    });
  const states = async () => [
    (await admin().get('backups')).body.data.state,
    (await admin().get('overview')).body.data.backups,
  ];
  afterEach(async () => {
    delete process.env.BACKUP_DIR;
    delete process.env.BACKUP_EVERY;
    await school().database.db.deleteFrom('backup').execute();
    await school().database.db.deleteFrom('background_job').execute();
  });

  it('show the state of automatic backups in the list and on the home page', async () => {
    expect(await states()).toEqual(['none', 'none']);
    process.env.BACKUP_DIR = '/backups';
    expect(await states()).toEqual(['none', 'none']);
    await addBackup(noon - 20 * hour, 'ok');
    expect(await states()).toEqual(['ok', 'ok']);
    await addBackup(noon - hour, 'failed', 'disk_full');
    expect(await states()).toEqual(['failed', 'failed']);
    school().setNow(noon + 8 * hour);
    expect(await states()).toEqual(['overdue', 'overdue']);
    const { body } = await admin().get('backups');
    expect((await admin().get('system')).body.data.backup).toEqual({
      succeeded_at: noon - 20 * hour + 60,
      failure: '磁盘空间不足',
    });
    expect(body.data).toMatchObject({ every: '03:30', keep: '7,4,12', is_encrypted: 0, is_running: 0 });
    expect(body.data.list.map(({ verdict, reason }: Record<string, unknown>) => [verdict, reason])).toEqual([
      ['failed', 'disk_full'],
      ['ok', ''],
    ]);
  });

  it('are hidden from administrators of some schools, who cannot make them', async () => {
    process.env.BACKUP_DIR = '/backups';
    await addBackup(noon - hour, 'failed');
    const bound = await addBoundAdmin(school(), { can_settings: 1 });
    for (const method of ['GET', 'POST']) expect((await bound.ask(method, 'backups')).status).toBe(403);
    expect((await bound.ask('GET', 'overview')).body.data.backups).toBe('none');
    const other = await addAdmin(school(), { school_id: bound.school, can_people: 1 });
    expect((await other.ask('GET', 'backups')).status).toBe(403);
  });

  it('run one at a time on request, and the history names the requester', async () => {
    const asked = await admin().post('backups');
    expect([asked.status, asked.body.msg]).toEqual([200, '已开始备份，完成后会出现在列表中']);
    const last = await school()
      .database.db.selectFrom('history')
      .select(['action', 'staff_id'])
      .where('record', '=', 'setting')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(last).toEqual({ action: 'backup', staff_id: school().people.admin.id });
    await school()
      .database.db.insertInto('background_job')
      .values({
        kind: 'backup',
        due_at: noon,
        holder: 'another',
        held_until: noon + 60,
        started_at: noon,
        done_at: null,
      })
      .execute();
    const again = await admin().post('backups');
    expect([again.status, again.body.msg]).toEqual([409, '正在备份，请等待完成后再试']);
    expect((await admin().get('backups')).body.data.is_running).toBe(1);
  });

  describe('automatic backups', () => {
    const schedule = (run: () => Promise<{ code: number | null; said: string }>) =>
      createSchedule({ database: school().database, now: school().services.now, log: school().services.log }, run);

    it('run when due, in one of several processes', async () => {
      process.env.BACKUP_EVERY = '6';
      let runs = 0;
      let finish = () => {};
      const run = async () => {
        runs += 1;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        await addBackup(school().services.now(), 'ok');
        return { code: 0, said: '' };
      };
      const [one, other] = [schedule(run), schedule(run)];
      const first = one.look();
      await expect.poll(() => runs).toBe(1);
      expect(await other.look()).toBe(false);
      finish();
      expect(await first).toBe(true);
      expect(await other.look()).toBe(false);
      school().setNow(noon + 6 * hour);
      const second = other.look();
      await expect.poll(() => runs).toBe(2);
      finish();
      expect(await second).toBe(true);
    });

    it('run although a wrong clock has dated a backup years ahead', async () => {
      process.env.BACKUP_DIR = '/backups';
      await addBackup(noon + 2000 * 24 * hour, 'ok');
      await addBackup(noon + 2000 * 24 * hour, 'failed', 'disk_full');
      expect(await states()).toEqual(['none', 'none']);
      const again = schedule(async () => {
        await addBackup(school().services.now(), 'ok');
        return { code: 0, said: '' };
      });
      expect([await again.look(), await again.look()]).toEqual([true, false]);
      expect(await states()).toEqual(['ok', 'ok']);
    });

    it('count as failed if the process was killed during the backup', async () => {
      process.env.BACKUP_DIR = '/backups';
      const killed = schedule(async () => ({ code: null, said: '' }));
      expect([await killed.look(), await killed.look()]).toEqual([true, false]);
      expect(await states()).toEqual(['failed', 'failed']);
      const { list } = (await admin().get('backups')).body.data;
      expect(list).toMatchObject([{ verdict: 'failed', reason: 'other', file: '', started_at: noon }]);
    });

    it('are retried with growing delays while they fail', async () => {
      const failing = schedule(async () => {
        await addBackup(school().services.now(), 'failed', 'disk_full');
        return { code: 1, said: 'The disk is full.' };
      });
      const tried: number[] = [];
      for (let quarters = 0; quarters <= 3 * 24 * 4; quarters += 1) {
        school().setNow(noon + (quarters * hour) / 4);
        if (await failing.look()) tried.push(quarters / 4);
      }
      expect(tried).toEqual([0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63, 71]);
      await failing.stop();
      school().setNow(noon + 90 * hour);
      expect(await failing.look()).toBe(false);
    });
  });
});
