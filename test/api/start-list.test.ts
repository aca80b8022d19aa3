/** The start list on the administrators' home page. */
import { expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { storeSetting } from '#server/school/settings.ts';
import { startSteps } from '#server/workbench/rules.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { errorsOf, noon, outcomeOf } from '../support/school.ts';

onBothEngines('the start list', (opened) => {
  const school = () => opened();
  const db = () => school().database.db;
  const admin = () => school().as('admin');
  interface State {
    step: string;
    is_done: number;
    is_away: number;
  }
  const start = async (): Promise<State[]> => (await admin().get('overview')).body.data.start;
  const done = async () => (await start()).filter(({ is_done }) => is_done === 1).map(({ step }) => step);
  const putAway = (body: object) => admin().post('overview/start', body);

  let others = 0;
  /** Another administrator with some permissions. */
  const other = async (more: { every_school: 0 | 1; can_people?: 1; can_settings?: 1; can_teaching?: 1 }) => {
    others += 1;
    const { id: school_id } = await db().selectFrom('school').select('id').executeTakeFirstOrThrow();
    const { id } = await db()
      .insertInto('staff')
      .values({
        identity: 'admin',
        username: `other${others}`,
        password_hash: 'none',
        real_name: '别的教务',
        school_id,
        disabled_at: null,
        created_at: noon,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (more.every_school === 0) await db().insertInto('staff_school').values({ staff_id: id, school_id }).execute();
    const token = await issueToken(db(), id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    return { id, ask };
  };

  it('ticks a step once its records are there, and not by half', async () => {
    expect((await start()).map(({ step }) => step)).toEqual([...startSteps]);
    await db().deleteFrom('period').execute();
    expect(await done()).toEqual(['schools', 'staff', 'students', 'classes']);

    const { courses } = school();
    await db()
      .insertInto('period')
      .values({
        course_id: courses.shared,
        chapter_id: null,
        title: '第一讲',
        lecturer_id: null,
        start_play: noon,
        total_time: 3600,
        periods_type: 1,
      })
      .execute();
    await db()
      .insertInto('term')
      .values({ name: '上学期', type: 'term', parent_id: null, first_day: '2026-09-01', put_away_at: noon })
      .execute();
    await admin().post('holidays', { from: '2025-10-01', name: '国庆节' });
    await admin().post('holidays', { from: '2026-10-10', name: '调休', is_workday: 1 });
    expect(await done()).toEqual(['schools', 'staff', 'students', 'courses', 'classes']);

    await db().updateTable('term').set({ put_away_at: null }).execute();
    await admin().post('holidays', { from: '2027-10-01', name: '国庆节' });
    await storeSetting(db(), 'learn_page', '1');
    await storeSetting(db(), 'sms_webhook_url', 'https://sms.test/');
    expect(await done()).toEqual([
      'schools',
      'staff',
      'students',
      'courses',
      'classes',
      'terms',
      'holidays',
      'learners',
      'messages',
    ]);

    const backup = {
      started_at: noon,
      ended_at: noon,
      kind: 'manual',
      file: 'a.tar',
      bytes: 1,
      files: 0,
      reason: '',
      missing: 0,
      message: '',
    } as const;
    await db()
      .insertInto('backup')
      .values([
        { ...backup, verdict: 'failed' },
        { ...backup, kind: 'restore_point', verdict: 'ok' },
      ])
      .execute();
    await other({ every_school: 0, can_people: 1 });
    const second = await other({ every_school: 1, can_settings: 1 });
    await db().updateTable('staff').set({ disabled_at: noon }).where('id', '=', second.id).execute();
    expect(await done()).not.toEqual(expect.arrayContaining(['backup']));
    expect(await done()).not.toEqual(expect.arrayContaining(['administrators']));
    await db()
      .insertInto('backup')
      .values({ ...backup, verdict: 'ok' })
      .execute();
    await db().updateTable('staff').set({ disabled_at: null }).where('id', '=', second.id).execute();
    expect(await done()).toEqual([...startSteps]);

    await db().updateTable('class_student').set({ left_at: noon }).execute();
    expect(await done()).not.toEqual(expect.arrayContaining(['classes']));
  });

  it('ticks the learners’ page as LEARN_TOKEN decides, and counts it as open for locked-out learners', async () => {
    const learners = async () => {
      const { start: steps, learners_locked_out } = (await admin().get('overview')).body.data;
      const step = steps.find((one: State) => one.step === 'learners');
      const { has_learn_page } = (await admin().get('settings')).body.data.school;
      return [step.is_done, has_learn_page, learners_locked_out];
    };
    await storeSetting(db(), 'sms_webhook_url', '');
    try {
      process.env.LEARN_TOKEN = 'app_of_the_school';
      expect(await learners()).toEqual([1, 1, 1]);
      process.env.LEARN_TOKEN = '0';
      await storeSetting(db(), 'learn_page', '1');
      expect(await learners()).toEqual([0, 0, 0]);
    } finally {
      delete process.env.LEARN_TOKEN;
    }
    expect(await learners()).toEqual([1, 1, 1]);
  });

  it('has the steps that an administrator may take', async () => {
    const stepsOf = async ({ ask }: Awaited<ReturnType<typeof other>>) =>
      (await ask('GET', 'overview')).body.data.start.map(({ step }: State) => step);
    expect(await stepsOf(await other({ every_school: 0, can_people: 1, can_settings: 1 }))).toEqual([
      'staff',
      'students',
    ]);
    expect(await stepsOf(await other({ every_school: 1, can_teaching: 1 }))).toEqual(['courses', 'classes', 'terms']);
  });

  it('puts a step away for all, and shows it again', async () => {
    const backup = async () => (await start()).find(({ step }) => step === 'backup')?.is_away;
    expect(outcomeOf(await putAway({ step: 'backup', is_away: 1 }))).toEqual([200, '保存成功']);
    expect(await backup()).toBe(1);
    await putAway({ step: 'backup', is_away: 1 });
    const rows = await db()
      .selectFrom('history')
      .select(['before', 'after'])
      .where('record', '=', 'setting')
      .orderBy('id')
      .execute();
    expect(rows.map(({ after }) => JSON.parse(after ?? ''))).toEqual([{ start_step: 'backup', is_away: 1 }]);
    const told = (await admin().get('history?record=setting')).body.data.list[0].changes;
    expect(told).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: '不再提示', before: '否', after: '是' })]),
    );
    expect(outcomeOf(await putAway({ step: 'backup' }))).toEqual([200, '保存成功']);
    expect(await backup()).toBe(0);
  });

  it('refuses unknown steps, and administrators who may not change settings of all schools', async () => {
    for (const step of ['nothing', '', undefined, 7])
      expect(errorsOf(await putAway({ step, is_away: 1 }))).toEqual([422, { step: ['请选择一项准备工作'] }]);
    const bound = await other({ every_school: 0, can_settings: 1 });
    const teaching = await other({ every_school: 1, can_teaching: 1, can_people: 1 });
    for (const { ask } of [bound, teaching])
      expect((await ask('POST', 'overview/start', { step: 'messages', is_away: 1 })).status).toBe(403);
    expect((await start()).some(({ is_away }) => is_away === 1)).toBe(false);
  });

  it('accepts one step that two administrators dismiss at the same moment', async () => {
    const answers = await Promise.all([1, 2].map(() => putAway({ step: 'terms', is_away: 1 })));
    expect(answers.map(outcomeOf)).toEqual([
      [200, '保存成功'],
      [200, '保存成功'],
    ]);
    const rows = await db()
      .selectFrom('history')
      .select('id')
      .where('record', '=', 'setting')
      .where('after', 'like', '%terms%')
      .execute();
    expect(rows).toHaveLength(1);
  });
});
