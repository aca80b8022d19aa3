/** Students of a lesson and leave of a class: search, filters, sort order by attendance state. */
import readXlsxFile from 'read-excel-file/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordStudy } from '#server/attendance/study.ts';
import { addLessons, hour, record } from '../support/lessons.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon } from '../support/school.ts';

onBothEngines('attendance filters', (school) => {
  let theClass: number;
  let live: { course: number; periods: number[] };
  let offline: { course: number; periods: number[] };
  let students: number[];
  const end = noon + 3 * hour;

  beforeAll(async () => {
    theClass = school().classes.k2;
    students = school().students.k2;
    live = await addLessons(school(), { type: 2, classes: [theClass], starts: [noon + hour] });
    offline = await addLessons(school(), { type: 7, classes: [theClass], starts: [noon + hour, noon + 2 * hour] });
    const addRecord = (at: number, periodId: number, status: 0 | 1 | 2 | 3 | 4 | 5) =>
      record(school(), { classId: theClass, studentId: students[at] as number, periodId }, status);
    const [lesson = 0] = live.periods;
    await addRecord(0, lesson, 3);
    await addRecord(1, lesson, 2);
    await addRecord(2, lesson, 1);
    const [called = 0] = offline.periods;
    await addRecord(0, called, 0);
    await addRecord(1, called, 4);
  });

  const lessonOf = async (
    who: 'teacher' | 'assist',
    { course, periods }: { course: number; periods: number[] },
    query = '',
    at = 0,
  ) => {
    const path = `stateschoolcourse/studystudents/${course}/${theClass}?period_id=${periods[at]}${query}`;
    const { list, total } = (await school().as(who).get(path)).body.data;
    expect(total).toBe(list.length);
    return list.map(({ uid, op_status, counted }: { uid: number; op_status: number; counted: string }) => [
      students.indexOf(uid),
      op_status,
      counted,
    ]);
  };

  describe.each(['teacher', 'assist'] as const)('students of a lesson, for the %s', (who) => {
    it("shows each student's state; an undecided or refused request counts as truant", async () => {
      school().setNow(end);
      expect(await lessonOf(who, live)).toEqual([
        [2, 1, 'truant'],
        [0, 3, 'truant'],
        [1, 2, 'leave'],
        [3, 5, 'truant'],
      ]);
      expect(await lessonOf(who, offline)).toEqual([
        [0, 0, 'attended'],
        [1, 4, 'truant'],
        [2, 5, 'truant'],
        [3, 5, 'truant'],
      ]);
      expect((await lessonOf(who, offline, '', 1)).map(([, , counted]: unknown[]) => counted)).toEqual(
        Array(4).fill('uncalled'),
      );
    });

    it('filters by displayed state, also without a record, and by counted state', async () => {
      school().setNow(end);
      const places = async (query: string, of = live, at = 0) =>
        (await lessonOf(who, of, query, at)).map(([place]: number[]) => place);
      expect(await places('&op_status=5')).toEqual([3]);
      expect(await places('&op_status=5', offline)).toEqual([2, 3]);
      expect(await places('&op_status=-1', offline, 1)).toEqual([0, 1, 2, 3]);
      expect(await places('&op_status=-1', offline)).toEqual([]);
      expect(await places('&op_status=3')).toEqual([0]);
      expect(await places('&counted=truant')).toEqual([2, 0, 3]);
      expect(await places('&counted=leave')).toEqual([1]);
      expect(await places('&counted=uncalled', offline, 1)).toEqual([0, 1, 2, 3]);
      expect(await places('&counted=truant&op_status=3')).toEqual([0]);
      // The lesson's figures count the same students.
      const path = `stateschoolcourse/studyperiods/${live.course}/${theClass}`;
      const [figures] = (await school().as(who).get(path)).body.data.list;
      expect(figures.truant_num).toBe((await places('&counted=truant')).length);
    });

    it('searches by name or mobile number, and sorts by state, page by page', async () => {
      school().setNow(end);
      const names = async (query: string) =>
        (await lessonOf(who, live, query)).map(([place, status]: number[]) => [place, status]);
      const name = encodeURIComponent('学生二班4');
      expect(await names(`&nickname=${name}`)).toEqual([[3, 5]]);
      const { mobile } = await school()
        .database.db.selectFrom('student')
        .select('mobile')
        .where('id', '=', students[1] as number)
        .executeTakeFirstOrThrow();
      expect(await names(`&nickname=${mobile.slice(-5)}`)).toEqual([[1, 2]]);
      expect(await names('&nickname=%25')).toEqual([]);
      expect((await names('&sort_field=op_status')).map(([, status]: number[]) => status)).toEqual([1, 2, 3, 5]);
      expect((await names('&sort_field=op_status&sort=desc')).map(([, status]: number[]) => status)).toEqual([
        5, 3, 2, 1,
      ]);
      // Invalid filters are ignored.
      expect(await names('&op_status=9&counted=what&sort_field=uid')).toHaveLength(4);
      const path = `stateschoolcourse/studystudents/${live.course}/${theClass}?period_id=${live.periods[0]}`;
      const second = (await school().as(who).get(`${path}&sort_field=op_status&page=2&limit=3`)).body.data;
      expect([second.total, second.list.map(({ op_status }: { op_status: number }) => op_status)]).toEqual([4, [5]]);
    });

    it('exports the filtered students of one lesson', async () => {
      school().setNow(end);
      const path = 'stateschoolcourse/exportStudy';
      const body = { id: live.course, class: theClass, period_id: live.periods[0], counted: 'truant' };
      const { url } = (await school().as(who).post(path, body)).body.data;
      const file = await school().api.fetch(
        new Request(`http://school.test${url}`, { headers: { authorization: `Bearer ${school().people[who].token}` } }),
      );
      const [lessons, attendees] = await readXlsxFile(Buffer.from(await file.arrayBuffer()));
      expect(lessons?.data).toHaveLength(2);
      const [head, ...rows] = attendees?.data ?? [];
      const column = (title: string) => rows.map((row) => row[head?.indexOf(title) ?? -1]);
      expect(column('考勤状态')).toEqual(['请假待审批', '请假被拒绝', '旷课']);
      expect(column('计为')).toEqual(['旷课', '旷课', '旷课']);
      expect(
        (
          await school()
            .as(who)
            .post(path, { ...body, period_id: offline.periods[0] })
        ).status,
      ).toBe(404);
    });
  });

  describe.each(['teacher', 'assist'] as const)('leave of a class, for the %s', (who) => {
    const leaveOf = async (query: string) => {
      const { list, total } = (await school().as(who).get(`leave/getLeaveList/${theClass}?limit=50${query}`)).body.data;
      expect(total).toBe(list.length);
      return list.map(({ uid, op_status }: { uid: number; op_status: number }) => [students.indexOf(uid), op_status]);
    };

    it('filters by state, name and mobile number, and sorts by state', async () => {
      const all = await leaveOf('');
      expect(all).toHaveLength(5);
      for (const status of [1, 2, 3, 4])
        expect(await leaveOf(`&op_status=${status}`)).toEqual(all.filter(([, one]: number[]) => one === status));
      expect(await leaveOf(`&nickname=${encodeURIComponent('学生二班2')}`)).toEqual(
        all.filter(([place]: number[]) => place === 1),
      );
      expect(await leaveOf(`&nickname=${encodeURIComponent('学生二班2')}&op_status=4`)).toEqual([[1, 4]]);
      const states = async (query: string) => (await leaveOf(query)).map(([, status]: number[]) => status);
      expect(await states('&sort_field=op_status')).toEqual([0, 1, 2, 3, 4]);
      expect(await states('&sort_field=op_status&sort=desc')).toEqual([4, 3, 2, 1, 0]);
      expect(await leaveOf('&op_status=7')).toHaveLength(5);
    });
  });

  it('shows students who watched live although their leave was approved', async () => {
    const [, two] = students as [number, number];
    const study = { studentId: two, periodId: live.periods[0] as number };
    await recordStudy(school().database.db, { ...study, liveSeconds: 600 });
    const path = `stateschoolcourse/studystudents/${live.course}/${theClass}?period_id=${live.periods[0]}&op_status=2`;
    const { list } = (await school().as('assist').get(path)).body.data;
    expect(list).toMatchObject([{ uid: two, watched_live: 1, counted: 'leave' }]);
  });

  it('answers 404 for classes that the person does not see', async () => {
    const other = school().as('otherAssist');
    const path = `stateschoolcourse/studystudents/${live.course}/${theClass}?period_id=${live.periods[0]}&op_status=5`;
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get(`leave/getLeaveList/${theClass}?op_status=1`)).status).toBe(404);
    const body = { id: live.course, class: theClass, period_id: live.periods[0] };
    expect((await other.post('stateschoolcourse/exportStudy', body)).status).toBe(404);
  });
});
