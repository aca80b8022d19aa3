import readXlsxFile from 'read-excel-file/node';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  addExam,
  everyType,
  expectExamSumsToBeRight,
  type NewExam,
  review,
  submitExamReport,
} from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon, type TestSchool } from '../support/school.ts';

const right = ['2', '1', '1,3', '1-3,2-4', '3@@5', '答', '1', '答'];
const missingExam = { code: 404, msg: '考试不存在' };

interface Row {
  report_id: number;
  nickname: string;
  ranking: number | null;
  user_score: number;
  subjective_score: number | null;
  test_status: number;
  is_pass: number;
  is_effective: number;
  is_finish_conditions: number;
  answer_nums: number;
  answer_time: number;
  submit_time: number;
  score: number;
  school_name: string;
  mobile?: string;
}

onBothEngines('exams', (opened) => {
  const exams: Record<string, { id: number; questions: number[]; all: number[] }> = {};
  const categories: Record<string, number> = {};
  let branch = 0;
  let elsewhere: { staff: number; students: number[] };
  let school: TestSchool;
  const id = (name: string) => exams[name]?.id ?? 0;

  beforeAll(async () => {
    school = opened();
    const { db } = school.database;
    const { teacher, otherTeacher, assist } = school.people;
    ({ id: branch } = await db
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow());
    const [staff, other] = await db
      .insertInto('staff')
      .values(
        ['branch-teacher', 'branch-other'].map((username) => ({
          identity: 'teacher' as const,
          username,
          password_hash: 'none',
          real_name: '分校讲师',
          school_id: branch,
          can_dispatch: 1 as const,
          can_correct: 1 as const,
          disabled_at: null,
          created_at: noon,
        })),
      )
      .returning('id')
      .execute();
    const students = await db
      .insertInto('student')
      .values(
        ['分校学生甲', '分校学生乙'].map((nickname, index) => ({
          nickname,
          mobile: `1590000000${index}`,
          school_id: branch,
          created_at: noon,
        })),
      )
      .returning('id')
      .execute();
    elsewhere = { staff: staff?.id ?? 0, students: students.map((one) => one.id) };
    const category = async (name: string, parent: string | null, sort: number) => {
      const parent_id = parent === null ? null : (categories[parent] ?? null);
      const added = await db
        .insertInto('exam_category')
        .values({ name, parent_id, sort })
        .returning('id')
        .executeTakeFirstOrThrow();
      categories[name] = added.id;
    };
    await category('日常', null, 2);
    await category('阶段', null, 1);
    await category('期中', '阶段', 1);
    await category('初稿', '期中', 1);
    const add = async (name: string, exam: Omit<NewExam, 'school'> & { school?: number }) => {
      exams[name] = await addExam(db, { school: 1, name, created: noon + Object.keys(exams).length, ...exam });
    };
    await add('我的', { creator: teacher.id, shared: [branch], category: categories.初稿 });
    await add('助教的', { creator: assist.id, category: categories.日常 });
    await add('别人的', { creator: otherTeacher.id, limit: 0 });
    await add('别人的草稿', { creator: otherTeacher.id, status: 2 });
    await add('我的草稿', { creator: teacher.id, status: 2, category: categories.期中 });
    await add('分校的', { creator: other?.id ?? 0, school: branch });
    await add('分校分享的', { creator: other?.id ?? 0, school: branch, shared: [1] });
    await add('无人参加', { creator: teacher.id });
    await add('不计分', {
      creator: teacher.id,
      passScore: 0,
      questions: everyType.map((question) => ({
        ...question,
        score: 0,
        answerScore: '',
        parts: question.parts?.map((part) => ({ ...part, score: 0 })) ?? [],
      })),
    });

    // Visible to the lecturer: six submissions of this school, three by one student, and two of the other.
    const mine = exams.我的 as (typeof exams)[string];
    const { k2, k4 } = school.students;
    const [again = 0] = k4;
    await submitExamReport(db, mine, again, [], { at: noon - 5 * day, seconds: 100 });
    await review(db, await submitExamReport(db, mine, again, right, { at: noon - 4 * day, seconds: 4000 }), [200, 100]);
    await submitExamReport(db, mine, again, right, { at: noon - 3 * day, seconds: 500 });
    const marks = [
      [200, 200],
      [100, 100],
      [200, 100],
    ];
    for (const [index, student] of k2.slice(0, 3).entries()) {
      const answers = index === 1 ? ['4', '2', '1', '1-4,2-3', '3@@6', '答', '2', '答'] : right;
      const report = await submitExamReport(db, mine, student, answers, {
        at: noon - index * 60,
        seconds: 600 + index,
      });
      await review(db, report, marks[index] ?? []);
    }
    await submitExamReport(db, mine, k4[1] ?? 0, [...right.slice(0, 2), '', '1-4'], { at: noon - day, seconds: 50 });
    for (const student of elsewhere.students)
      await submitExamReport(db, mine, student, ['4', '2'], { at: noon - 2 * day });
    const shared = exams.分校分享的 as (typeof exams)[string];
    await submitExamReport(db, shared, elsewhere.students[0] ?? 0, right);
    await submitExamReport(db, shared, k2[0] ?? 0, right);
    await submitExamReport(db, exams.不计分 as (typeof exams)[string], k2[0] ?? 0, ['2']);
  });

  const list = async (person: Parameters<TestSchool['as']>[0], query = '') => {
    const { status, body } = await school.as(person).get(`test/list?limit=100${query}`);
    expect(status).toBe(200);
    return body as { data: { list: { id: number; name: string }[]; total: number }; extra: { school_list: object[] } };
  };
  const names = async (person: Parameters<TestSchool['as']>[0], query = '') =>
    (await list(person, query)).data.list.map(({ name }) => name).sort();
  const students = async (body: object, person: Parameters<TestSchool['as']>[0] = 'teacher') => {
    const answer = await school.as(person).post('test/studentStatistics', body);
    expect(answer.status, answer.body.msg).toBe(200);
    return answer.body.data as { list: Row[]; total: number };
  };
  const reports = async (query = '', person: Parameters<TestSchool['as']>[0] = 'teacher') => {
    const answer = await school.as(person).get(`testDetail/list/${id('我的')}?limit=100${query}`);
    expect(answer.status).toBe(200);
    return answer.body as { data: { list: Row[]; total: number }; extra: { user_school_list: { id: number }[] } };
  };

  describe('the list', () => {
    test("shows own, the school's published and shared exams, but no drafts and no other schools' exams", async () => {
      const published = ['不计分', '分校分享的', '别人的', '助教的', '我的', '无人参加'].sort();
      expect(await names('teacher')).toEqual([...published, '我的草稿'].sort());
      expect(await names('assist')).toEqual(published);
      expect(await names('otherTeacher')).toEqual([...published, '别人的草稿'].sort());
    });

    test('shows category, creator, schools and sharing', async () => {
      const { data, extra } = await list('teacher');
      expect(data.list.find((row) => row.name === '我的')).toEqual({
        id: id('我的'),
        name: '我的',
        title: '初稿',
        score: 100,
        status: 1,
        share_school_name: [{ org_name: '分校' }],
        class_names: [],
        nickname: '姓名teacher',
        school_name: '总校',
        submitted: 9,
        waiting: 1,
      });
      expect(extra.school_list).toEqual([
        { id: 1, org_name: '总校' },
        { id: branch, org_name: '分校' },
      ]);
    });

    test('filters by name, category with its children, school, status and creator', async () => {
      expect(await names('teacher', '&name=草稿')).toEqual(['我的草稿']);
      expect(await names('teacher', '&name=%25')).toEqual([]);
      expect(await names('teacher', `&classify_id=${categories.阶段}`)).toEqual(['我的', '我的草稿']);
      expect(await names('teacher', `&classify_id=${categories.初稿}`)).toEqual(['我的']);
      expect(await names('teacher', '&classify_id=999999')).toEqual([]);
      expect(await names('teacher', `&school_id=${branch}`)).toEqual(['分校分享的', '我的']);
      expect(await names('teacher', '&status=2')).toEqual(['我的草稿']);
      expect(await names('teacher', '&nickname=姓名assist')).toEqual(['助教的']);
      expect((await list('teacher', '&status=9&classify_id=x&school_id=-1&page=0')).data.total).toBe(7);
    });

    test('filters by the lowest total score in points, and ignores invalid values', async () => {
      const all = await names('teacher');
      const scores = new Map((await list('teacher')).data.list.map((row) => [row.name, (row as unknown as Row).score]));
      expect(await names('teacher', '&min_score=100')).toEqual(all.filter((name) => Number(scores.get(name)) >= 100));
      expect(await names('teacher', '&min_score=101')).not.toContain('我的');
      expect(await names('teacher', '&min_score=100000000')).toEqual([]);
      expect(await names('teacher', '&min_score=1')).not.toContain('不计分');
      for (const blank of ['', '0', '-1', '1.5', 'x', '9999999999']) {
        expect(await names('teacher', `&min_score=${blank}`), blank).toEqual(all);
      }
    });

    test('pages, the latest first', async () => {
      const { body } = await school.as('teacher').get('test/list?page=2&limit=3');
      expect(body.data).toMatchObject({ total: 7, page: 2, limit: 3 });
      expect(body.data.list.map((row: { name: string }) => row.name)).toEqual(['我的草稿', '别人的', '助教的']);
    });

    test("returns the category tree on each identity's path", async () => {
      const tree = [
        {
          id: categories.阶段,
          name: '阶段',
          children: [
            { id: categories.期中, name: '期中', children: [{ id: categories.初稿, name: '初稿', children: [] }] },
          ],
        },
        { id: categories.日常, name: '日常', children: [] },
      ];
      expect((await school.as('teacher').get('teacher/testClassify')).body.data).toEqual(tree);
      expect((await school.as('assist').get('testClassify')).body.data).toEqual(tree);
      expect((await school.as('assist').get('/api/lector/teacher/testClassify')).status).toBe(403);
      expect((await school.as('teacher').get('/api/assistants/testClassify')).status).toBe(403);
    });
  });

  describe('access to exams', () => {
    const unseen = ['别人的草稿', '分校的'];
    test.each(unseen)('answers 404: %s', async (name) => {
      const teacher = school.as('teacher');
      for (const path of ['testDetail/getTestInfo', 'testDetail/list', 'test/getInfo', 'test/questionStatistics']) {
        expect((await teacher.get(`${path}/${id(name)}`)).body).toMatchObject(missingExam);
      }
      for (const path of ['test/studentStatistics', 'test/export']) {
        expect((await teacher.post(path, { test_id: id(name) })).body).toMatchObject(missingExam);
      }
    });

    test.each(['0', 'x', '99999999999', '-1', '1.5'])('answers 404 for the exam id %s', async (odd) => {
      const teacher = school.as('teacher');
      for (const path of ['testDetail/getTestInfo', 'testDetail/list', 'test/getInfo', 'test/questionStatistics']) {
        expect((await teacher.get(`${path}/${odd}`)).status).toBe(404);
      }
      for (const path of ['test/studentStatistics', 'test/export']) {
        expect((await teacher.post(path, { test_id: odd })).status).toBe(404);
      }
      expect((await teacher.post('test/studentStatistics', {})).status).toBe(404);
    });

    test('hides reports of other schools, except from the creator', async () => {
      const mine = await reports();
      expect(mine.data.total).toBe(9);
      expect(mine.extra.user_school_list.map((one) => one.id)).toEqual([1, branch]);
      const assists = await reports('', 'assist');
      expect(assists.data.total).toBe(7);
      expect(assists.extra.user_school_list.map((one) => one.id)).toEqual([1]);
      expect(assists.data.list.filter((row) => row.school_name !== '总校')).toEqual([]);
      expect((await reports(`&school_id=${branch}`, 'assist')).data.total).toBe(0);
      const shared = await students({ test_id: id('分校分享的') });
      expect(shared.list.map((row) => row.nickname)).toEqual(['学生二班1']);
    });

    test('offers the schools whose reports the person sees', async () => {
      const ids = async (person: 'teacher' | 'assist') =>
        (await school.as(person).get('test/getSchoolInfo')).body.data.map((one: { id: number }) => one.id);
      expect(await ids('teacher')).toEqual([1, branch]);
      expect(await ids('assist')).toEqual([1]);
    });
  });

  test('shows the header of an exam', async () => {
    const { body } = await school.as('assist').get(`testDetail/getTestInfo/${id('我的')}`);
    expect(body.data).toMatchObject({ name: '我的', score: 100, pass_score: 60, limit_time: 3600, ques_num: 8 });
    expect(body.data).toMatchObject({ title: '初稿', status: 1, school_name: '总校', answer_users_num: 5 });
    const unlimited = await school.as('assist').get(`testDetail/getTestInfo/${id('别人的')}`);
    expect(unlimited.body.data.limit_time).toBe(0);
  });

  describe('paper management', () => {
    test('lists submissions, the latest first', async () => {
      const { list } = (await reports()).data;
      const times = list.map((row) => row.submit_time);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(list[0]).toMatchObject({ nickname: '学生二班1', mobile: '13800001001', score: 100, user_score: 100 });
      expect(list[0]).toMatchObject({ subjective_score: 40, is_pass: 1, test_status: 3, answer_time: 600 });
      const waiting = list.filter((row) => row.test_status === 2);
      expect(waiting.length).toBe(1);
      expect(waiting[0]).toMatchObject({ is_pass: 0, user_score: 60 });
    });

    test.each([
      ['username=四班1', 3],
      ['username=%25', 0],
      ['mobile=1590000', 2],
      ['test_status=2', 1],
      ['test_status=3', 8],
      ['pass_status=1', 3],
      ['pass_status=2', 5],
      [`start_at=${noon - 60}`, 2],
      [`end_at=${noon - 4 * day}`, 2],
      [`start_at=${noon}&end_at=${noon - 60}`, 2],
      ['filter=1', 7],
      ['filter=1&pass_status=2', 4],
      ['filter=0', 9],
      ['start_at=x&test_status=7&pass_status=0&filter=', 9],
    ])('finds %d for ?%s', async (query, count) => {
      expect((await reports(`&${query}`)).data.total).toBe(count);
    });

    test("shows each student's best graded submission when repeats are hidden", async () => {
      const { list } = (await reports('&filter=1')).data;
      expect(new Set(list.map((row) => row.nickname)).size).toBe(list.length);
      expect(list.find((row) => row.nickname === '学生四班1')).toMatchObject({ user_score: 90, test_status: 3 });
    });

    test('shows no subjective score for an exam without essays', async () => {
      const { db } = school.database;
      const plain = await addExam(db, {
        creator: school.people.teacher.id,
        school: 1,
        status: 2 as const,
        questions: everyType.slice(0, 2),
      });
      await db.updateTable('exam').set({ status: 1 }).where('id', '=', plain.id).execute();
      await submitExamReport(db, plain, school.students.k2[0] ?? 0, ['2', '1']);
      await db.updateTable('exam').set({ status: 2 }).where('id', '=', plain.id).execute();
      const { body } = await school.as('teacher').get(`testDetail/list/${plain.id}`);
      expect(body.data.list[0]).toMatchObject({ subjective_score: null, objective_score: 15, test_status: 3 });
    });
  });

  describe('student statistics', () => {
    test('ranks students by the submission that counts, and lists ungraded ones last', async () => {
      const { list, total } = await students({ test_id: id('我的'), limit: 100 });
      expect(total).toBe(9);
      expect(list.map((row) => [row.ranking, row.user_score])).toEqual([
        [1, 100],
        [2, 90],
        [2, 90],
        [4, 23],
        [5, 15],
        [null, 0], // an earlier submission of the student with 90
        [6, 0],
        [6, 0],
        [null, 60],
      ]);
    });

    test('gives the same rank to viewers of one school', async () => {
      const { list } = await students({ test_id: id('我的') }, 'assist');
      expect(list.map((row) => row.ranking)).toEqual([1, 2, 2, 4, 5, null, null]);
    });

    test('shows the number of submissions, the counting one, and the conditions met', async () => {
      const { list } = await students({ test_id: id('我的'), nickname: '四班1' });
      expect(list.map((row) => [row.user_score, row.answer_nums, row.is_effective, row.is_finish_conditions])).toEqual([
        [90, 3, 1, 0], // all answered, but in 4000 of 3600 seconds
        [0, 3, 0, 0],
        [60, 3, 0, 1],
      ]);
    });

    test.each([
      [{ is_pass: 1 }, 3],
      [{ is_pass: '2' }, 5],
      [{ test_status: 2 }, 1],
      [{ is_effective: 1 }, 7],
      [{ is_effective: 0 }, 2],
      [{ is_finish_conditions: 1 }, 4],
      [{ is_finish_conditions: '0' }, 5],
      [{ nickname: '分校' }, 2],
      [{ is_pass: '', test_status: 'x', school_id: 0, is_effective: null, sort_field: 'password', sort: 'up' }, 9],
    ])('finds %d for the filter %j', async (filter, count) => {
      expect((await students({ test_id: id('我的'), ...filter })).total).toBe(count);
    });

    test.each(['user_score', 'subjective_score', 'answer_time', 'submit_time', 'answer_nums'] as const)(
      'sorts by %s, both ways, page by page',
      async (field) => {
        const all: Row[] = [];
        for (const sort of ['asc', 'desc']) {
          const body = { test_id: id('我的'), sort_field: field, sort };
          const whole = (await students({ ...body, limit: 100 })).list;
          const paged = await Promise.all([1, 2, 3].map((page) => students({ ...body, limit: 4, page })));
          expect(paged.flatMap(({ list }) => list)).toEqual(whole);
          const scored = field.endsWith('score') ? whole.filter((row) => row.test_status === 3) : whole;
          const values = scored.map((row) => Number(row[field]));
          expect(values).toEqual(values.toSorted((a, b) => (sort === 'asc' ? a - b : b - a)));
          if (field.endsWith('score')) expect(whole.at(-1)?.test_status).toBe(2);
          all.push(...whole);
        }
        expect(all.length).toBe(18);
      },
    );

    test('exports every filtered row in order to a spreadsheet', async () => {
      const filter = { test_id: id('我的'), test_status: 3, sort_field: 'user_score', sort: 'asc' };
      const { body } = await school.as('teacher').post('test/export', filter);
      const response = await school.api.fetch(
        new Request(`http://school.test${body.data.url}`, {
          headers: { authorization: `Bearer ${school.people.teacher.token}` },
        }),
      );
      expect(response.status).toBe(200);
      expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain('我的-学员统计.xlsx');
      const sheets = await readXlsxFile(Buffer.from(await response.arrayBuffer()));
      const rows = sheets[0]?.data ?? [];
      const { list } = await students({ ...filter, limit: 100 });
      expect(rows[0]?.slice(0, 5)).toEqual(['排名', '学员姓名', '学号或手机尾号', '学校', '总分']);
      expect(rows.slice(1).map((row) => [row[0], row[1], row[5], row[10]])).toEqual(
        list.map((row) => [row.ranking, row.nickname, row.user_score, row.is_pass === 1 ? '及格' : '不及格']),
      );
      const stranger = await school.api.fetch(
        new Request(`http://school.test${body.data.url}`, {
          headers: { authorization: `Bearer ${school.people.assist.token}` },
        }),
      );
      expect(stranger.status).toBe(404);
    });
  });

  describe('score statistics', () => {
    test('equals a recount of the reports', async () => {
      for (const person of ['teacher', 'assist'] as const) {
        const { list } = await students({ test_id: id('我的'), limit: 100 }, person);
        const { statistics, charts_data } = (await school.as(person).get(`test/getInfo/${id('我的')}`)).body.data;
        const graded = list.filter((row) => row.test_status === 3).map((row) => row.user_score);
        const sum = graded.reduce((all, score) => all + score, 0);
        const passed = graded.filter((score) => score >= 60).length;
        const people = list.filter((row) => row.test_status === 3 && row.is_effective === 1);
        const passedPeople = people.filter((row) => row.user_score >= 60).length;
        expect(statistics).toEqual({
          average_right_percent: Math.floor((sum / graded.length) * 10) / 10,
          average_score: Math.round((sum / graded.length) * 10) / 10,
          max_score: Math.max(...graded),
          min_score: Math.min(...graded),
          average_answer_time: Math.floor(list.reduce((all, row) => all + row.answer_time, 0) / list.length),
          answer_users_num: new Set(list.map((row) => row.nickname)).size,
          submitted_nums: list.length,
          graded_nums: graded.length,
          pass_nums: passed,
          ranked_users_num: people.length,
          pass_users_num: passedPeople,
          pass_percent: Math.floor((passedPeople * 1000) / people.length) / 10,
        });
        expect(charts_data.scoreSteps).toEqual(
          Array.from({ length: 10 }, (_, step) => `${step * 10}.0-${step * 10 + 10}.0`),
        );
        expect(charts_data.userNums).toEqual(
          charts_data.scoreSteps.map(
            (_: string, step: number) =>
              graded.filter((score) => score <= step * 10 + 10 && (score > step * 10 || step === 0)).length,
          ),
        );
        expect(charts_data.userNums[8]).toBe(2);
        expect(charts_data.percent[8]).toBe(Math.floor(2000 / graded.length) / 10);
      }
    });

    test('shows the extremes of the visible school, in steps of tenths of a point', async () => {
      const { db } = school.database;
      const exam = await addExam(db, {
        creator: school.people.teacher.id,
        school: 1,
        passScore: 8,
        questions: [8, 7].map((score) => ({ ...everyType[0], type: 1, score })),
      });
      await submitExamReport(db, exam, school.students.k4[0] ?? 0, ['2', '1'], { at: noon });
      await submitExamReport(db, exam, elsewhere.students[0] ?? 0, ['2', '2'], { at: noon });
      await submitExamReport(db, exam, elsewhere.students[1] ?? 0, ['1', '1'], { at: noon });
      const ends = async (person: 'teacher' | 'otherTeacher') => {
        const { statistics, charts_data } = (await school.as(person).get(`test/getInfo/${exam.id}`)).body.data;
        const { max_score, min_score, pass_nums } = statistics;
        return { ends: [max_score, min_score], pass_nums, steps: charts_data.scoreSteps.slice(0, 3) };
      };
      const steps = ['0.0-0.1', '0.1-0.3', '0.3-0.4'];
      // A score equal to the pass score passes.
      expect(await ends('teacher')).toEqual({ ends: [1.5, 0], pass_nums: 2, steps });
      expect(await ends('otherTeacher')).toEqual({ ends: [0.8, 0.8], pass_nums: 1, steps });
    });

    test('shows no averages for an exam without submissions', async () => {
      const { body } = await school.as('teacher').get(`test/getInfo/${id('无人参加')}`);
      expect(body.data.statistics).toMatchObject({ average_score: null, max_score: null, min_score: null });
      expect(body.data.statistics).toMatchObject({ average_right_percent: 0, pass_percent: 0, answer_users_num: 0 });
      expect(body.data.charts_data.userNums).toEqual(Array(10).fill(0));
    });

    test('shows no passes, ranks or chart for an exam without scores', async () => {
      const { body } = await school.as('teacher').get(`test/getInfo/${id('不计分')}`);
      expect(body.data.statistics).toMatchObject({ average_score: 0, average_right_percent: 0, pass_percent: 0 });
      expect(body.data.statistics).toMatchObject({ pass_nums: 0, ranked_users_num: 0, pass_users_num: 0 });
      const { list } = await students({ test_id: id('不计分') });
      expect(list.map((row) => [row.ranking, row.is_pass, row.test_status])).toEqual([[null, 0, 3]]);
      expect(body.data.charts_data).toEqual({ scoreSteps: [], userNums: [], percent: [] });
    });
  });

  describe('students behind a figure of the question statistics', () => {
    interface Answer {
      report_id: number;
      nickname: string;
      score: number | null;
    }
    const groups = { part: 5, wrong: 2, unanswered: 3, waiting: 4 };
    const path = (question: number | undefined, group: string, exam = id('我的')) =>
      `test/answerStudents/${exam}/${question}?group=${group}`;

    test.each(['teacher', 'assist'] as const)(
      'are as many as %s shows, each submission with its score',
      async (person) => {
        const { db } = school.database;
        const { list } = (await school.as(person).get(`test/questionStatistics/${id('我的')}`)).body.data;
        expect(list).toHaveLength(8);
        let waiting = 0;
        for (const row of list as Record<
          'question_id' | `${'answered' | 'un_answer' | 'right' | 'wrong' | 'waiting'}_count`,
          number
        >[]) {
          const counts: Record<string, number> = {
            part: row.answered_count - row.right_count - row.wrong_count,
            wrong: row.wrong_count,
            unanswered: row.un_answer_count,
            waiting: row.waiting_count,
          };
          for (const [group, answerStatus] of Object.entries(groups)) {
            const { status, body } = await school.as(person).get(path(row.question_id, group));
            expect(status, body.msg).toBe(200);
            const found = body.data as { list: Answer[]; total: number };
            expect([found.total, found.list.length]).toEqual([counts[group], counts[group]]);
            const answers = await db
              .selectFrom('exam_answer')
              .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
              .select(['report_id', 'score'])
              .where('question_id', '=', row.question_id)
              .where('status', '=', answerStatus)
              .where('exam_report.test_status', '=', group === 'waiting' ? 2 : 3)
              .where('exam_report.school_id', 'in', person === 'teacher' ? [1, branch] : [1])
              .execute();
            const describeRow = ({ report_id, score }: { report_id: number; score: number | null }) =>
              `${report_id} ${score}`;
            expect(found.list.map(describeRow).sort()).toEqual(
              answers
                .map(({ report_id, score }) => describeRow({ report_id, score: score === null ? null : score / 10 }))
                .sort(),
            );
            waiting += found.list.filter(({ score }) => score === null).length;
          }
        }
        expect(waiting).toBe(2);
      },
    );

    test('are grouped by school with number and time, page by page, repeats included', async () => {
      const { questions = [] } = exams.我的 ?? {};
      const { list, total } = (await school.as('teacher').get(path(questions[0], 'wrong'))).body.data;
      expect(total).toBe(3);
      expect(list[2]).toEqual({
        report_id: expect.any(Number),
        student_id: elsewhere.students[1],
        nickname: '分校学生乙',
        mobile: '15900000001',
        school_name: '分校',
        submit_time: noon - 2 * day,
        score: 0,
      });
      const second = (await school.as('teacher').get(`${path(questions[0], 'wrong')}&limit=2&page=2`)).body.data;
      expect(second).toEqual({ list: [list[2]], total: 3, page: 2, limit: 2 });
    });

    test("answer 404 for another's exam, another exam's question, a material, or no question", async () => {
      const { questions = [], all = [] } = exams.我的 ?? {};
      const theirs = exams.别人的草稿?.questions[0];
      for (const way of ['test/answerStudents', 'test/export/answerStudents']) {
        for (const person of ['teacher', 'assist'] as const) {
          const ask = (exam: number, question: number | string | undefined) =>
            school.as(person).get(`${way}/${exam}/${question}?group=wrong`);
          for (const name of ['别人的草稿', '分校的']) {
            const own = exams[name]?.questions[0];
            expect((await ask(id(name), own)).body).toMatchObject(missingExam);
          }
          for (const question of [theirs, all[6], 0, 99_999_999, 'x']) {
            expect((await ask(id('我的'), question)).status).toBe(404);
          }
        }
      }
      expect((await school.as('teacher').get(path(questions[0], 'right'))).status).toBe(422);
    });

    test('are exported in the listed order', async () => {
      const question = exams.我的?.questions[7];
      const { list } = (await school.as('assist').get(path(question, 'part'))).body.data;
      const { body } = await school.as('assist').get(`test/export/answerStudents/${id('我的')}/${question}?group=part`);
      const response = await school.api.fetch(
        new Request(`http://school.test${body.data.url}`, {
          headers: { authorization: `Bearer ${school.people.assist.token}` },
        }),
      );
      expect(decodeURIComponent(response.headers.get('content-disposition') ?? '')).toContain(
        '我的-第7.2题-部分正确学员.xlsx',
      );
      const [sheet] = await readXlsxFile(Buffer.from(await response.arrayBuffer()));
      expect(sheet?.data[0]).toEqual(['学员姓名', '学校', '手机号', '得分', '提交时间']);
      expect(sheet?.data.slice(1).map((row) => [row[0], row[3]])).toEqual(
        (list as Answer[]).map(({ nickname, score }) => [nickname, score]),
      );
      expect(list.length).toBeGreaterThan(1);
    });
  });

  describe('question statistics', () => {
    const readStatistics = async (person: 'teacher' | 'assist' = 'teacher', name = '我的') => {
      const { status, body } = await school.as(person).get(`test/questionStatistics/${id(name)}`);
      expect(status).toBe(200);
      return body.data as {
        table_header: { key: string; title: string; type: number | null }[];
        table_body: Record<string, string | number>[];
        list: (Record<string, number> & { sort: string; wrong_option: string; ques_stem: string })[];
      };
    };

    test('uses exam type numbers, and numbers parts below their material', async () => {
      const { list, table_header } = await readStatistics();
      expect(list.map((row) => [row.sort, row.type])).toEqual([
        ['1', 1],
        ['2', 3], // a true-or-false question, canonical 2
        ['3', 2], // a multiple choice, canonical 3
        ['4', 4],
        ['5', 7],
        ['6', 5],
        ['7.1', 1],
        ['7.2', 5],
      ]);
      expect(list[3]).toMatchObject({ is_matching: 1, parent_id: null });
      expect(list[6]).toMatchObject({ parent_id: exams.我的?.all[6], parent_ques_stem: '<p>第7题</p>' });
      expect(table_header.map(({ type, title }) => [type, title])).toEqual([
        [null, '统计项'],
        [1, '单选题'],
        [2, '多选题'],
        [3, '判断题'],
        [4, '连线题'],
        [5, '简答题'],
        [7, '填空题'],
        [null, '合计'],
      ]);
    });

    test('equals a recount of the answers', async () => {
      const { list, table_body } = await readStatistics();
      const answers = await school.database.db
        .selectFrom('exam_answer')
        .innerJoin('exam_report', 'exam_report.id', 'exam_answer.report_id')
        .select(['question_id', 'status', 'exam_answer.score', 'test_status'])
        .where('exam_id', '=', id('我的'))
        .execute();
      const graded = answers.filter(({ test_status }) => test_status === 3);
      for (const row of list) {
        const own = graded.filter((answer) => answer.question_id === row.question_id);
        const count = (status: number) => own.filter((answer) => answer.status === status).length;
        const points = own.reduce((sum, answer) => sum + (answer.score ?? 0), 0) / 10;
        expect(own.length).toBe(8);
        expect(row).toMatchObject({
          right_count: count(1),
          wrong_count: count(2),
          un_answer_count: count(3),
          answered_count: 8 - count(3),
          waiting_count: answers.filter((one) => one.question_id === row.question_id && one.status === 4).length,
          average_score: Math.round((points / 8) * 10) / 10,
          right_rate: Math.floor((points * 1000) / (8 * (row.score ?? 0)) + 1e-9) / 10,
        });
      }
      expect(table_body[0]).toMatchObject({ item: '题数', type_1: 2, type_3: 1, total: 8 });
      expect(table_body[1]).toMatchObject({ item: '总分', type_5: 40, total: 100 });
      const all = graded.reduce((sum, answer) => sum + (answer.score ?? 0), 0);
      expect(table_body[2]).toMatchObject({ item: '平均分', total: Math.round(all / 8) / 10 });
      expect(table_body[3]).toMatchObject({ item: '正确率（%）', total: Math.floor(all / 8) / 10 });
    });

    test('names the most frequent wrong option, the lowest on a tie, in words for true or false', async () => {
      const { list } = await readStatistics();
      // Option 4 was chosen by three; of the wrong pairs, 1-4 by two and 2-3 by one.
      expect(list.map((row) => row.wrong_option)).toEqual(['D', '选项2', '/', '1–B', '/', '/', 'B', '/']);
    });

    test('covers the visible reports', async () => {
      const { list } = await readStatistics('assist');
      expect(list[0]).toMatchObject({ answered_count: 5, un_answer_count: 1 });
      expect((await readStatistics('teacher', '无人参加')).list[0]).toMatchObject({
        right_rate: 0,
        average_score: null,
        wrong_option: '/',
        answered_count: 0,
      });
    });

    test('sums several schools for the creator; ties between pairs go by left, then right side', async () => {
      const { db } = school.database;
      const pairs = JSON.stringify(
        [2, 10, 1, 4, 30, 6].map((option, index) => ({
          id: option,
          content: `${option}`,
          is_right: 2,
          side: index < 3 ? 'left' : 'right',
        })),
      );
      const matching = { type: 4, score: 30, right: '2-4,10-30,1-6', options: pairs };
      const single = { ...everyType[0], type: 1, score: 15 };
      const exam = await addExam(db, {
        creator: school.people.teacher.id,
        school: 1,
        passScore: 0,
        questions: [single, matching, matching, matching],
      });
      const [one = 0, two = 0] = school.students.k4;
      await submitExamReport(db, exam, one, ['3', '10-4', '2-6', '2-9'], { at: noon });
      await submitExamReport(db, exam, two, ['1', '2-30', '2-30', '9-4'], { at: noon });
      await submitExamReport(db, exam, elsewhere.students[0] ?? 0, ['3', '', '', '2-9'], { at: noon });
      const wrong = async (person: 'teacher' | 'otherTeacher') => {
        const { data } = (await school.as(person).get(`test/questionStatistics/${exam.id}`)).body;
        return data.list.map((row: { wrong_option: string; is_matching: number }) => [
          row.wrong_option,
          row.is_matching,
        ]);
      };
      const ties = [
        ['1–B', 1],
        ['1–C', 1],
        ['/', 1],
      ];
      expect(await wrong('teacher')).toEqual([['C', 0], ...ties]);
      expect(await wrong('otherTeacher')).toEqual([['A', 0], ...ties]);
      await expectExamSumsToBeRight(db);
    });

    test('sanitizes stems, and reads options of every format', async () => {
      const { db } = school.database;
      const stem =
        '<p>题<iframe src="https://evil.test"></iframe><img src="http://169.254.169.254/x"><script>1</script></p>';
      const odd = await addExam(db, {
        creator: school.people.teacher.id,
        school: 1,
        questions: [
          { type: 1, score: 10, right: '1', options: '{broken', stem },
          { type: 3, score: 10, right: '1', options: 'null' },
        ],
      });
      await submitExamReport(db, odd, school.students.k2[0] ?? 0, ['7', '３，x']);
      const { status, body } = await school.as('teacher').get(`test/questionStatistics/${odd.id}`);
      expect(status).toBe(200);
      expect(body.data.list[0].ques_stem).toBe('<p>题</p>');
      expect(body.data.list.map((row: { wrong_option: string }) => row.wrong_option)).toEqual(['/', '/']);
    });
  });

  test('keeps every stored sum equal to a recount', async () => {
    await expectExamSumsToBeRight(school.database.db);
  });
});
