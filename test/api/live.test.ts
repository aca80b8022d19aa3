import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addGroup, addLesson, addMeeting, addPeriod, setHead } from '../support/calendar-school.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';

const hour = 60 * 60;

onBothEngines('entry to a live room', (school) => {
  const enter = (name: keyof TestSchool['people'], search: string) => school().as(name).get(`live/enter?${search}`);
  const outcomeOfEntry = async (name: keyof TestSchool['people'], search: string) => {
    const { status, body } = await enter(name, search);
    return [status, body.msg];
  };
  let live: number;
  let grouped: number;
  let one: number;
  let two: number;

  beforeAll(async () => {
    const { classes } = school();
    live = await addPeriod(school(), { title: '直播', lecturer: 'teacher', is_playback: 1 });
    grouped = await addPeriod(school(), { title: '小组', lecturer: 'teacher', type: 2, periods_extend: 1 });
    await setHead(school(), classes.k1, 'teacher');
    one = await addGroup(school(), { name: '甲组', classId: classes.k1, assistants: ['assist'] });
  });
  beforeEach(() => school().setNow(noon + 1));
  afterEach(() => vi.unstubAllEnvs());

  it('admits a lecturer directly, and an assistant through their only group', async () => {
    expect((await enter('teacher', `type=period&id=${live}`)).body.data).toEqual({
      kind: 'unconfigured',
      title: '直播',
      parameters: { type: 'period', id: live, group_id: 0, group_name: '', is_playback: 0 },
    });
    expect((await enter('assist', `type=period&id=${live}`)).body.data.parameters).toMatchObject({
      group_id: one,
      group_name: '甲组',
    });
  });

  it('explains that the assistant has no group', async () => {
    expect(await outcomeOfEntry('otherAssist', `type=period&id=${live}`)).toEqual([403, '该课程没有分组']);
  });

  it('offers a choice to an assistant with several groups', async () => {
    two = await addGroup(school(), { name: '乙组', classId: school().classes.k2, assistants: ['assist'] });
    const answer = (await enter('assist', `type=period&id=${live}`)).body.data;
    expect(answer).toMatchObject({ kind: 'choose', title: '直播' });
    expect(answer.groups.map(({ class_group_id }: { class_group_id: number }) => class_group_id)).toEqual([one, two]);
    expect((await enter('assist', `type=period&id=${live}&group_id=${two}`)).body.data.parameters.group_id).toBe(two);
    const theirs = await addGroup(school(), {
      name: '丙组',
      classId: school().classes.k3,
      assistants: ['otherAssist'],
    });
    expect(await outcomeOfEntry('assist', `type=period&id=${live}&group_id=${theirs}`)).toEqual([
      403,
      '您不在该分组，无法进入',
    ]);
  });

  it('opens assistant rooms by period for assistants, by course for lecturers', async () => {
    const { database, courses } = school();
    const set = (extend: 0 | 1) =>
      database.db.updateTable('course').set({ course_extend: extend }).where('id', '=', courses.shared).execute();
    const room = `type=period&id=${grouped}&group_id=${one}`;
    expect((await enter('assist', room)).status).toBe(200);
    expect(await outcomeOfEntry('teacher', room)).toEqual([403, '该课程未开放讲师进入助教直播间']);
    expect((await enter('teacher', `type=period&id=${grouped}`)).status).toBe(200);
    await set(1);
    expect((await enter('teacher', room)).body.data.parameters.group_id).toBe(one);
    await set(0);
    const shut = await addPeriod(school(), { title: '未开放', lecturer: 'teacher', type: 15 });
    expect(await outcomeOfEntry('assist', `type=period&id=${shut}`)).toEqual([403, '该课时未开放助教直播间']);
  });

  it('is refused for a typed address too', async () => {
    const closed = await addPeriod(school(), { title: '不开放', lecturer: 'teacher', allow_enter: 1 });
    expect(await outcomeOfEntry('teacher', `type=period&id=${closed}`)).toEqual([403, '该课时未开放进入直播间']);
    const inPerson = await addPeriod(school(), { title: '线下', lecturer: 'teacher', type: 7 });
    expect(await outcomeOfEntry('teacher', `type=period&id=${inPerson}`)).toEqual([403, '线下课时没有直播间']);
    // A period that the lecturer sees in the class calendar, but that somebody else teaches.
    const theirs = await addPeriod(school(), { title: '别人的', lecturer: 'otherTeacher' });
    expect(await outcomeOfEntry('teacher', `type=period&id=${theirs}`)).toEqual([403, '仅授课讲师可进入直播间']);
  });

  it('answers 404 to people who do not see it', async () => {
    for (const search of [
      `type=period&id=${live}`,
      'type=period&id=999999',
      'type=period',
      `id=${live}`,
      'type=x&id=1',
      'type=period&id=-1',
    ]) {
      expect(await outcomeOfEntry('plainTeacher', search), search).toEqual([404, '直播不存在']);
    }
    expect((await school().ask(`/api/lector/live/enter?type=period&id=${live}`)).status).toBe(401);
  });

  it('offers the playback afterwards, or says that there is none', async () => {
    school().setNow(noon + hour);
    expect((await enter('teacher', `type=period&id=${live}`)).body.data.parameters.is_playback).toBe(1);
    expect(await outcomeOfEntry('teacher', `type=period&id=${grouped}`)).toEqual([409, '直播已结束，暂无回放']);
  });

  it('covers lessons and meetings for everybody involved', async () => {
    const { classes } = school();
    const lesson = await addLesson(school(), { lecturer: 'teacher', assistant: 'assist' });
    const cancelled = await addLesson(school(), { lecturer: 'teacher', assistant: 'assist', cancelled: true });
    const meeting = await addMeeting(school(), { classId: classes.k1, holder: 'teacher' });
    for (const name of ['teacher', 'assist'] as const) {
      expect((await enter(name, `type=course&id=${lesson}`)).body.data.kind).toBe('unconfigured');
      expect(await outcomeOfEntry(name, `type=course&id=${cancelled}`)).toEqual([409, '课次已取消']);
      expect((await enter(name, `type=meeting&id=${meeting}`)).body.data.title).toBe('期中总结');
    }
    expect((await enter('otherTeacher', `type=course&id=${lesson}`)).status).toBe(404);
    expect(await outcomeOfEntry('otherTeacher', `type=meeting&id=${meeting}`)).toEqual([
      403,
      '仅该班级的班主任和助教可进入班会',
    ]);
  });

  describe('live provider', () => {
    it('is opened through its URL template', async () => {
      vi.stubEnv('LIVE_URL', 'https://live.example/{type}/{id}/{group_id}');
      expect((await enter('assist', `type=period&id=${live}&group_id=${one}`)).body.data).toEqual({
        kind: 'go',
        url: `https://live.example/period/${live}/${one}`,
      });
    });

    it('answers 503 while its server is down', async () => {
      vi.stubEnv('BBB_URL', 'https://bbb.example/bigbluebutton');
      vi.stubEnv('BBB_SECRET', 'secret');
      const server = setupServer(http.get('https://bbb.example/*', () => HttpResponse.error()));
      server.listen();
      try {
        expect(await outcomeOfEntry('teacher', `type=period&id=${live}`)).toEqual([
          503,
          '直播服务暂时不可用，请稍后再试',
        ]);
      } finally {
        server.close();
      }
    });
  });
});
