import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addClass, addStudent, chance, type MadeHomework, makeHomework } from '../support/random-homework.ts';
import { type Client, day, noon } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';
import { waitForFile } from '../support/wait-for-file.ts';

type Who = 'teacher' | 'otherTeacher' | 'plainTeacher' | 'assist' | 'otherAssist';

onBothEngines('analysis of homework', (school) => {
  let made: MadeHomework;
  let theirs: number;

  beforeAll(async () => {
    made = await makeHomework(school(), chance(7), { mode: 2, students: 30, questions: 5, types: [1, 3, 5, 6] });
    theirs = await school().addHomework({
      name: '别人的作业',
      creator: 'otherTeacher',
      course: school().courses.theirs,
      classes: [school().classes.k3],
    });
    await addQuestion(theirs, 1, 200);
  });

  const addQuestion = async (homeworkId: number, type: number, score: number) => {
    const row = await school()
      .database.db.insertInto('homework_question')
      .values({
        homework_id: homeworkId,
        source_id: null,
        parent_id: null,
        sort: 1,
        ques_type: type,
        ques_stem: '题干',
        ques_option: '[{"id":1,"content":"甲","is_right":1},{"id":2,"content":"乙","is_right":2}]',
        right_answer: '1',
        score,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const grade = async (homeworkId: number, studentId: number, score: number) => {
    await school().submit(homeworkId, studentId, false);
    await school()
      .database.db.updateTable('report')
      .set({ user_score: score, objective_score: score })
      .where('homework_id', '=', homeworkId)
      .where('student_id', '=', studentId)
      .execute();
  };
  const ask = async (who: Who, path: string) => school().as(who).get(path);
  const data = async (who: Who, path: string) => {
    const { status, body } = await ask(who, path);
    expect(status, `${path}: ${body.msg}`).toBe(200);
    return body.data;
  };

  /** Every analysis call about one homework. */
  const callsOf = (id: number, classId: number, report: number, question: number) => [
    `homework/students/${id}`,
    `class/homework/students/${classId}/${id}?source=2`,
    `arrangeHomework/homework/students/${id}`,
    `class/homework/detail/${classId}/${id}`,
    `homework/${id}`,
    `homework/${id}?report_id=${report}`,
    `arrangeHomework/homework/${id}`,
    `hw/publish/button/${id}`,
    `homework/question/analysis/${id}`,
    `homework/question/analysis/${id}/${classId}`,
    `homework/transcripts/${id}`,
    `homework/transcripts/${id}/${classId}`,
    `homework/transcripts/detail/${id}`,
    `homework/export/transcripts/${id}/${classId}`,
    `homework/grade/distribution/${id}`,
    `homework/grade/distribution/students/${id}?min=0&max=100`,
    `student/homework/${report}`,
    `hw/preview/${id}`,
    `homework/answer/detail/${id}`,
    `class/homework/answer/detail/${id}/${classId}`,
    ...['answer/right', 'answer/wrong', 'answered', 'unanswer'].flatMap((group) => [
      `homework/${group}/students?hw_id=${id}&ques_id=${question}`,
      `class/homework/${group}/students?hw_id=${id}&class_id=${classId}&ques_id=${question}`,
    ]),
  ];
  const statisticsOf = (who: Who, id: number, classId = 0) =>
    who === 'teacher' || who === 'otherTeacher'
      ? [
          `homework/questionsTypeStatistics/${id}?class_id=${classId}`,
          `homework/questionsStatistics/${id}?class_id=${classId}`,
        ]
      : [
          `homework/class/questionTypeStatistics?hw_id=${id}&class_id=${classId}`,
          `homework/class/questionStatistics?hw_id=${id}&class_id=${classId}`,
        ];

  it('answers only staff who see the homework', async () => {
    const report = made.reports.find(({ status, classId }) => status === 3 && classId === made.classes.assist);
    const calls = callsOf(made.id, made.classes.assist, report?.id as number, made.questions[0]?.id as number);
    for (const who of ['teacher', 'assist'] as const) {
      for (const path of [...calls, ...statisticsOf(who, made.id)]) {
        expect((await ask(who, path)).status, `${who} ${path}`).toBe(200);
      }
    }
    // The other lecturer teaches in the same course; the third one teaches nowhere.
    expect((await ask('otherTeacher', `homework/${made.id}`)).status).toBe(200);
    for (const path of calls) expect((await ask('plainTeacher', path)).status, path).toBe(404);
  });

  it('hides homework and classes of others', async () => {
    const { k3 } = school().classes;
    const [one] = await school()
      .database.db.selectFrom('report')
      .select('id')
      .where('homework_id', '=', theirs)
      .execute();
    const question = await school()
      .database.db.selectFrom('homework_question')
      .select('id')
      .where('homework_id', '=', theirs)
      .executeTakeFirstOrThrow();
    const calls = callsOf(theirs, k3, one?.id as number, question.id);
    for (const who of ['teacher', 'assist'] as const) {
      for (const path of [...calls, ...statisticsOf(who, theirs)]) {
        expect((await ask(who, path)).status, `${who} ${path}`).toBe(404);
      }
    }
    // The following classes may not be read: a class of the other assistant, one that never got the homework, and no
    // class at all.
    for (const classId of [made.classes.otherAssist, school().classes.k4, 99_999_999, 'abc', '1e3']) {
      for (const path of [
        `class/homework/detail/${classId}/${made.id}`,
        `homework/transcripts/${made.id}/${classId}`,
        `homework/question/analysis/${made.id}/${classId}`,
        ...statisticsOf('assist', made.id, classId as number),
      ]) {
        expect((await ask('assist', path)).status, path).toBe(404);
      }
    }
    // A report of a class of the other assistant.
    const other = made.reports.find(({ classId }) => classId === made.classes.otherAssist);
    expect((await ask('assist', `student/homework/${other?.id}`)).status).toBe(404);
    expect((await ask('assist', `homework/${made.id}?report_id=${other?.id}`)).status).toBe(404);
    expect((await ask('teacher', `student/homework/${other?.id}`)).status).toBe(200);
    // A report of another homework than the address names.
    expect((await ask('teacher', `homework/${made.id}?report_id=${one?.id}`)).status).toBe(404);
    // A question of another homework.
    const path = `homework/answered/students?hw_id=${made.id}&ques_id=${question.id}`;
    expect((await ask('teacher', path)).status).toBe(404);
    // An invalid id is an unknown report; the analysis of the homework is no fallback.
    expect((await ask('teacher', `homework/${made.id}?report_id=abc`)).status).toBe(404);
  });

  it('gives each identity its own calls', async () => {
    for (const path of statisticsOf('teacher', made.id)) expect((await ask('assist', path)).status).toBe(404);
    expect((await ask('assist', `teacher/homework/download/${made.id}`)).status).toBe(403);
    for (const path of statisticsOf('assist', made.id)) expect((await ask('teacher', path)).status).toBe(404);
  });

  it.each([
    'homework/abc',
    'homework/0',
    'homework/99999999999',
    'homework/students/-1',
    'homework/transcripts/1.5',
    'homework/question/analysis/1%00',
    'student/homework/abc',
    'hw/preview/abc',
    'homework/answered/students',
    'homework/answered/students?hw_id=abc&ques_id=1',
    'homework/questionsStatistics/abc',
  ])('answers 404 for %s', async (path) => {
    expect((await ask('teacher', path)).status).toBe(404);
  });

  it('ignores invalid filters and sort orders', async () => {
    const all = await data('teacher', `homework/transcripts/${made.id}`);
    for (const search of [
      'status=9',
      'start_at=yesterday',
      'page=abc',
      'nickname=',
      'limit=-3',
      'end_at=99999999999999',
      'start_at=-5',
    ]) {
      expect(await data('teacher', `homework/transcripts/${made.id}?${search}`), search).toEqual(all);
    }
    const rows = await data('teacher', `homework/question/analysis/${made.id}`);
    for (const search of ['sort_field=_id&sort=desc', 'sort_field=right_count;drop', 'sort=sideways']) {
      expect(await data('teacher', `homework/question/analysis/${made.id}?${search}`), search).toEqual(rows);
    }
    for (const search of ['min=abc', 'min=-5', 'min=1e9&max=x', 'max=99999999.99', 'min=0&max=99999999']) {
      expect(await data('teacher', `homework/grade/distribution/students/${made.id}?${search}`), search).toHaveLength(
        made.reports.filter(({ status }) => status === 3).length,
      );
    }
  });

  it('filters submissions and transcripts by name, number, status and time, in both orders', async () => {
    const named = made.reports[3]?.nickname as string;
    const submissions = async (search: string) =>
      (await data('teacher', `homework/students/${made.id}?${search}`)) as {
        list: { nickname: string; status: number }[];
        total: number;
      };
    expect((await submissions(`nickname=${named}`)).list.map(({ nickname }) => nickname)).toContain(named);
    expect((await submissions('limit=999&mobile=1390')).total).toBe(made.reports.length);
    expect((await submissions('mobile=777')).list).toEqual([]);
    expect((await submissions('')).list).toHaveLength(10);
    for (const status of [1, 2, 3]) {
      const found = await submissions(`status=${status}&limit=100`);
      expect(found.total).toBe(made.reports.filter((report) => report.status === status).length);
      expect(found.list.every((row) => row.status === status)).toBe(true);
    }
    const times = made.reports.map(({ submitTime }) => submitTime).filter((time) => time !== null);
    const [from, to] = [Math.min(...times) + 60, Math.max(...times)];
    const within = times.filter((time) => time >= from && time <= to).length;
    for (const path of [`homework/transcripts/${made.id}`, `arrangeHomework/homework/students/${made.id}`]) {
      expect((await data('teacher', `${path}?start_at=${from}&end_at=${to}`)).total).toBe(within);
      expect((await data('teacher', `${path}?start_at=${to}&end_at=${from}`)).total).toBe(within);
      expect((await data('teacher', `${path}?start_at=${to}`)).total).toBe(1);
    }
    expect((await data('teacher', `arrangeHomework/homework/students/${made.id}?class_name=乙`)).total).toBe(
      made.reports.filter(({ classId }) => classId === made.classes.otherAssist).length,
    );
  });

  it("keeps a student's rank under any filter", async () => {
    const { list } = await data('teacher', `homework/transcripts/${made.id}?status=3`);
    const last = list.at(-1);
    const [alone] = (await data('teacher', `homework/transcripts/${made.id}?nickname=${last.nickname}&status=3`)).list;
    expect(alone.rank).toBe(last.rank);
    expect(last.rank).toBeGreaterThan(1);
  });

  describe('rounding rules of the analysis', () => {
    let hw: number;
    let students: number[];
    beforeAll(async () => {
      const classId = await addClass(school(), '规则班', school().people.assist.id);
      students = [];
      for (const name of ['甲', '乙', '丙', '丁', '戊']) students.push(await addStudent(school(), classId, name));
      hw = await school().addHomework({ name: '二十分', creator: 'teacher', classes: [classId], ending: noon - 1 });
      await addQuestion(hw, 5, 200);
      for (const [index, score] of [180, 180, 181, 120].entries()) await grade(hw, students[index] as number, score);
    });

    it('puts 18 of 20 in the second band, 12 of 20 in the fifth', async () => {
      const { grade_distribution: bands } = await data('teacher', `homework/grade/distribution/${hw}`);
      expect(bands.map(({ number }: { number: number }) => number)).toEqual([1, 2, 0, 0, 1, 1]);
      expect(bands.map(({ correct_rate }: { correct_rate: number }) => correct_rate)).toEqual([20, 40, 0, 0, 20, 20]);
    });

    it('ranks 1, 2, 2, 4', async () => {
      const { list } = await data('teacher', `homework/transcripts/${hw}`);
      expect(list.map(({ rank }: { rank: number | null }) => rank)).toEqual([1, 2, 2, 4, null]);
      expect(list.at(-1)).toMatchObject({ nickname: '戊', user_score: null, answer_time: null, updated_at: 0 });
    });

    it('maps truncated bounds to their band', async () => {
      const seven = await school().addHomework({ name: '五分七', creator: 'teacher', classes: [school().classes.k1] });
      await addQuestion(seven, 5, 57);
      // 90 % of 5.7 is 5.13, so 5.1 is below it and belongs to the second band.
      await grade(seven, school().students.k1[0] as number, 51);
      await grade(seven, school().students.k1[1] as number, 52);
      const names = async (min: number, max: number) =>
        (await data('teacher', `homework/grade/distribution/students/${seven}?min=${min}&max=${max}`)).map(
          ({ score }: { score: number }) => score,
        );
      expect(await names(5, 5)).toEqual([5.2]);
      // Addressed by band number, the result is exact even where bands share their integer bounds.
      const inBand = async (band: number) =>
        (await data('teacher', `homework/grade/distribution/students/${seven}?min=0&max=0&band=${band}`)).map(
          ({ score }: { score: number }) => score,
        );
      expect([await inBand(100), await inBand(90)]).toEqual([[5.2], [5.1]]);
      expect(await names(5.13, 5.7)).toEqual([5.2]);
      expect(await names(5.7, 5.13)).toEqual([5.2]);
      expect(await names(4.56, 5.13)).toEqual([5.1]);
      // 57 points: the band above 51.3 is requested as 51 to 57.
      const large = await school().addHomework({
        name: '五十七分',
        creator: 'teacher',
        classes: [school().classes.k1],
      });
      await addQuestion(large, 5, 570);
      await grade(large, school().students.k1[0] as number, 512);
      await grade(large, school().students.k1[1] as number, 514);
      const path = `homework/grade/distribution/students/${large}`;
      const { grade_distribution: bands } = await data('teacher', `homework/grade/distribution/${large}`);
      expect(bands.map(({ min, max }: { min: number; max: number }) => [min, max])).toEqual([
        [51, 57],
        [45, 51],
        [39, 45],
        [34, 39],
        [0, 34],
        [0, 0],
      ]);
      expect(await data('teacher', `${path}?min=51&max=57`)).toMatchObject([{ score: 51.4, correct_rate: 90 }]);
      expect(await data('teacher', `${path}?min=45&max=51`)).toMatchObject([{ score: 51.2, correct_rate: 89 }]);
    });
  });

  it('takes bounds in points literally if they match no band or several', async () => {
    const classId = await addClass(school(), '界限班', undefined);
    const students: number[] = [];
    for (const name of ['甲', '乙', '丙', '丁']) students.push(await addStudent(school(), classId, name));
    const scored = async (full: number, scores: number[]) => {
      const id = await school().addHomework({ name: `满分${full}`, creator: 'teacher', classes: [classId] });
      await addQuestion(id, 5, full);
      for (const [index, score] of scores.entries()) await grade(id, students[index] as number, score);
      return async (bounds: string) =>
        (await data('teacher', `homework/grade/distribution/students/${id}?${bounds}`)).map(
          ({ nickname, score }: { nickname: string; score: number }) => [nickname, score],
        );
    };
    // 57 points: the second band is above 45.6 and up to 51.3, shown as 45 to 51.
    const large = await scored(570, [514, 512, 455, 0]);
    expect(await large('min=45&max=51')).toEqual([['乙', 51.2]]);
    expect(await large('min=45&max=57')).toEqual([
      ['甲', 51.4],
      ['乙', 51.2],
      ['丙', 45.5],
    ]);
    expect(await large('min=51.3&max=45.5')).toEqual([['乙', 51.2]]);
    expect(await large('min=51.2')).toEqual([['甲', 51.4]]);
    // A range that starts at 0 includes the score 0. A range that starts above 0 does not.
    const low = [
      ['丙', 45.5],
      ['丁', 0],
    ];
    expect(await large('max=50')).toEqual(low);
    expect(await large('min=0&max=50')).toEqual(low);
    expect(await large('min=0.01&max=50')).toEqual([['丙', 45.5]]);
    expect(await large('max=0.01')).toEqual([['丁', 0]]);
    // A full score of 2 points gives three bands that are all shown as 1 to 1. A full score of 1 gives four that are
    // shown as 0 to 0, as are students without a submission.
    const two = await scored(20, [20, 17, 15, 13]);
    expect(await two('min=1&max=1')).toEqual([]);
    const one = await scored(10, [10, 9, 8]);
    expect(await one('min=0&max=0')).toEqual([['丁', 0]]);
  });

  it('covers one homework alone, in the classes it was published to', async () => {
    const { people } = school();
    const [given, waiting] = [
      await addClass(school(), '已布置班', people.assist.id),
      await addClass(school(), '未布置班', people.assist.id),
    ];
    for (const [classId, name] of [
      [given, '甲'],
      [given, '乙'],
      [waiting, '丙'],
    ] as const)
      await addStudent(school(), classId, name);
    const classes = [given, waiting];
    const partly = await school().addHomework({ name: '只到一班', creator: 'teacher', classes, published: [given] });
    await addQuestion(partly, 5, 100);
    await school().addHomework({ name: '都到', creator: 'teacher', classes });
    for (const who of ['teacher', 'assist'] as const) {
      for (const path of [`homework/${partly}`, `class/homework/detail/${given}/${partly}`])
        expect(await data(who, path), `${who} ${path}`).toMatchObject({
          class_name: '已布置班',
          class: [{ id: given, name: '已布置班' }],
          total: 2,
          submit: 0,
        });
      for (const path of [
        `class/homework/detail/${waiting}/${partly}`,
        `homework/transcripts/${partly}/${waiting}`,
        `homework/question/analysis/${partly}/${waiting}`,
        `homework/grade/distribution/${partly}/${waiting}`,
      ])
        expect((await ask(who, path)).status, `${who} ${path}`).toBe(404);
      expect((await data(who, `homework/grade/distribution/${partly}`)).total).toBe(2);
    }
  });

  it('shows a recalled homework without its reports', async () => {
    const gone = await makeHomework(school(), chance(11), { students: 8, submitted: 1 });
    const report = gone.reports.find(({ classId }) => classId === gone.classes.assist) ?? gone.reports[0];
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', gone.id).execute();
    expect(await data('teacher', `homework/${gone.id}`)).toMatchObject({ status: 2, total: 0, submit: 0, revise: 0 });
    expect((await ask('teacher', `hw/preview/${gone.id}`)).status).toBe(200);
    const stillThere = [`homework/${gone.id}`, `arrangeHomework/homework/${gone.id}`, `hw/publish/button/${gone.id}`];
    const calls = callsOf(gone.id, gone.classes.assist, report?.id as number, gone.questions[0]?.id as number);
    for (const path of [...calls, ...statisticsOf('teacher', gone.id)]) {
      if (stillThere.includes(path) || path.startsWith('hw/preview') || path.startsWith('class/homework/detail'))
        continue;
      const { status, body } = await ask('teacher', path);
      expect([status, body.msg], path).toEqual([409, '该作业已撤回，作业记录已消失']);
    }
  });

  it('names the lesson that a homework was given in', async () => {
    const { db } = school().database;
    const { classes } = school();
    const lesson = await insertSession(school(), { end_time: noon + 5400 });
    const hw = await school().addHomework({ name: '课次作业', creator: 'teacher', classes: [classes.k1] });
    expect((await data('assist', `arrangeHomework/homework/${hw}`)).arrangeData).toBeNull();
    await db.updateTable('homework').set({ arrange_id: lesson, arrange_type: 4 }).where('id', '=', hw).execute();
    expect(await data('assist', `arrangeHomework/homework/${hw}`)).toMatchObject({
      homework_name: '课次作业',
      total: 2,
      arrangeData: { name: '一班', arrange_time: noon, time_name: '12:00-13:30' },
    });
  });

  it("lists the students who missed the class's last three homeworks", async () => {
    const classId = await addClass(school(), '缺交班', school().people.assist.id);
    const [never, once] = [await addStudent(school(), classId, '从不交'), await addStudent(school(), classId, '交过')];
    const publish = (age: number, ending = noon - 1) =>
      school().addHomework({
        name: `第${age}天前`,
        creator: 'teacher',
        classes: [classId],
        ending,
        publishTime: noon - age * day,
      });
    const absent = async (who: Who = 'teacher') =>
      (await data(who, `class/homework/absent/${classId}`)) as { id: number; homework: { name: string }[] }[];
    await publish(9);
    await publish(8);
    // A student who joined later was not expected in the first two homeworks.
    const late = await addStudent(school(), classId, '后来的');
    expect(await absent()).toEqual([]);
    const third = await publish(7);
    await school().submit(third, once);
    expect((await absent()).map(({ id }) => id)).toEqual([never]);
    expect((await absent('assist')).map(({ id }) => id)).toEqual([never]);
    // Neither open nor recalled homework counts.
    await publish(1, noon + day);
    const taken = await publish(2);
    await school().database.db.updateTable('homework').set({ status: 2 }).where('id', '=', taken).execute();
    expect((await absent()).map(({ homework }) => homework.map(({ name }) => name))).toEqual([
      ['第7天前', '第8天前', '第9天前'],
    ]);
    await publish(6);
    await publish(5);
    expect((await absent()).map(({ id }) => id).sort()).toEqual([never, late].sort());
    expect((await ask('otherAssist', `class/homework/absent/${classId}`)).status).toBe(404);
    expect((await ask('plainTeacher', `class/homework/absent/${classId}`)).status).toBe(404);
  });

  describe('exports', () => {
    const exportAddress = async (who: Who, search = '') => {
      const { url } = await data(who, `homework/export/transcripts/${made.id}${search}`);
      return url as string;
    };
    const fetchFile = (client: Client, url: string) => client.get(url);
    const sheet = async (who: Who, url: string) => {
      const { token } = school().people[who];
      const headers = { authorization: `Bearer ${token}` };
      const response = await waitForFile(() =>
        school().api.fetch(new Request(`http://school.test${url}`, { headers })),
      );
      return { headers: response.headers, rows: await readSheet(Buffer.from(await response.arrayBuffer())) };
    };

    it('hold the filtered rows in typed cells, named after the homework', async () => {
      const { headers, rows } = await sheet('teacher', await exportAddress('teacher', '?status=3'));
      expect(headers.get('content-type')).toContain('spreadsheetml');
      expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toContain('随机作业-成绩单.xlsx');
      const { list } = await data('teacher', `homework/transcripts/${made.id}?status=3&limit=999`);
      expect(rows[0]).toEqual([
        '学生姓名',
        '学号或手机尾号',
        '班级',
        '状态',
        '用时（分钟）',
        '排名',
        '总分',
        '客观题得分',
        '主观题得分',
        '提交时间',
        '较此前作业（百分点）',
        '进步情况',
      ]);
      expect(rows.slice(1).map((row) => [row[0], row[4], row[5], row[6]])).toEqual(
        list.map((row: { nickname: string; answer_time: number; rank: number; user_score: number }) => [
          row.nickname,
          Math.floor(row.answer_time / 60),
          row.rank,
          row.user_score,
        ]),
      );
      expect(rows[1]?.[9]).toBeInstanceOf(Date);
    });

    it('hold every student in transcript order, even with many equal scores', async () => {
      const { rows } = await sheet('teacher', await exportAddress('teacher'));
      const { list } = await data('teacher', `homework/transcripts/${made.id}?limit=999`);
      expect(rows.slice(1).map(([name]) => name)).toEqual(list.map((row: { nickname: string }) => row.nickname));
    });

    it('hold the headers alone when nothing matches', async () => {
      const { rows } = await sheet('teacher', await exportAddress('teacher', '?nickname=没有这个人'));
      expect(rows).toHaveLength(1);
    });

    it('hold only the classes that an assistant looks after', async () => {
      const { rows } = await sheet('assist', await exportAddress('assist'));
      expect(new Set(rows.slice(1).map((row) => row[2]))).toEqual(new Set(['随机甲班']));
    });

    it('open for their maker alone, for an hour', async () => {
      const url = await exportAddress('teacher');
      expect((await fetchFile(school().as('otherTeacher'), url)).status).toBe(404);
      expect((await fetchFile(school().as('assist'), url)).status).toBe(404);
      expect((await school().ask(url)).status).toBe(401);
      expect((await fetchFile(school().as('teacher'), `${url}x`)).status).toBe(404);
      expect((await fetchFile(school().as('teacher'), '/exports/abc')).status).toBe(404);
      school().setNow(noon + 3599);
      expect((await fetchFile(school().as('teacher'), url)).status).toBe(200);
      school().setNow(noon + 3600);
      const { status, body } = await fetchFile(school().as('teacher'), url);
      expect([status, body.msg]).toEqual([410, '下载链接已过期，请重新导出']);
      // The next export deletes the file. Its address then says that the file has expired.
      await exportAddress('teacher');
      expect((await fetchFile(school().as('teacher'), url)).status).toBe(410);
      const kept = await school()
        .database.db.selectFrom('export_file')
        .select('storage_key')
        .where('token', '=', url.split('/').at(-1) as string)
        .executeTakeFirstOrThrow();
      expect(kept.storage_key).toBeNull();
    });

    it('report progress while they are made, and can be requested again after an interruption', async () => {
      const url = await exportAddress('teacher');
      const token = url.split('/').at(-1) as string;
      const { db } = school().database;
      const wall = Math.floor(Date.now() / 1000);
      const making = { state: 1 as const, done: 30, total: 90, updated_at: wall };
      await db.updateTable('export_file').set(making).where('token', '=', token).execute();
      const { status, body } = await fetchFile(school().as('teacher'), url);
      expect([status, body.data]).toEqual([202, { done: 30, total: 90, name: '随机作业-成绩单.xlsx' }]);
      await db
        .updateTable('export_file')
        .set({ updated_at: wall - 200 })
        .where('token', '=', token)
        .execute();
      expect((await fetchFile(school().as('teacher'), url)).body.msg).toBe('文件生成失败，请重新导出');
    });
  });

  it('renders the paper as PDF for lecturers', async () => {
    const { url } = await data('teacher', `teacher/homework/download/${made.id}`);
    const bearer = { authorization: `Bearer ${school().people.teacher.token}` };
    const file = await waitForFile(() =>
      school().api.fetch(new Request(`http://school.test${url}`, { headers: bearer })),
    );
    const { headers } = file;
    const body = await file.text();
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toContain('随机作业.pdf');
    expect(body.startsWith('%PDF-')).toBe(true);
  });
});
