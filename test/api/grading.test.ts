import { describe, expect, test } from 'vitest';
import { issueServiceToken, revokeServiceToken } from '#server/platform/auth/service-token.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { addPaper, essayOf, type Paper, submitHomeworkReport } from '../support/paper.ts';
import { day, noon, type TestSchool } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

onBothEnginesAlways('grading', (theSchool) => {
  const own = (school: TestSchool, mode: 1 | 2 = 2) =>
    addPaper(school, { creator: 'teacher', classes: [school.classes.k1, school.classes.k2] }, mode);
  const [first, second, third] = [0, 1, 2];
  const student = (school: TestSchool, place: number, of: 'k1' | 'k2' | 'k3' = 'k2') =>
    school.students[of][place] as number;
  const save = (school: TestSchool, body: object, who: 'teacher' | 'assist' | 'otherAssist' = 'teacher') =>
    school.as(who).post('hw/review/storeQuestion', { type: 2, version: 0, ...body });
  const list = async (school: TestSchool, report_id: number, more: object = {}) =>
    (await school.as('teacher').post('hw/review/list', { report_id, type: 1, ...more })).body.data;
  const detail = async (school: TestSchool, report_id: number, more: object = {}) =>
    (await school.as('teacher').post('hw/review/detail', { report_id, type: 1, ...more })).body.data;

  /** A homework with one report of the second class that waits for grading. */
  async function addWaitingReport(school: TestSchool, mode: 1 | 2 = 2): Promise<Paper & { reportId: number }> {
    const paper = await own(school, mode);
    return { ...paper, reportId: await submitHomeworkReport(school, paper, student(school, first)) };
  }

  async function finished(school: TestSchool) {
    const paper = await addWaitingReport(school);
    for (const ques_id of [paper.questions.essay, paper.questions.partEssay]) {
      await save(school, { report_id: paper.reportId, ques_id, user_score: 5 });
    }
    const { status } = await school.as('teacher').post('hw/review/storeReview', { report_id: paper.reportId });
    expect(status).toBe(200);
    return paper;
  }

  describe('grading desk', () => {
    test('shows the head, the cards in order, and the next report', async () => {
      const school = theSchool();
      const paper = await own(school);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), { partEssay: '' });
      const later = await submitHomeworkReport(school, paper, student(school, second), {}, noon - 60);
      const data = await list(school, reportId);
      expect(data.report_info).toMatchObject({
        nickname: '学生二班1',
        hw_name: '测验',
        class_name: '二班',
        course_title: '高一数学',
        objective_score: 10,
        objective_total_score: 10,
        objective_rate: 100,
        sum_score: 25.5,
        is_set_score: 2,
        test_status: 2,
        waiting_count: 2,
        submitted_count: 2,
      });
      expect(data.subject_card_info).toEqual([
        { question_id: paper.questions.essay, sort: '2', is_review: 2, status: 4 },
        { question_id: paper.questions.partEssay, sort: '3.2', is_review: 1, status: 3 },
      ]);
      expect(data.objective_card_info.map((card: { sort: string }) => card.sort)).toEqual(['1', '3.1']);
      expect(data.scantron).toHaveLength(2);
      expect(data.next_report_id).toBe(later);
    });

    test("shows a tab's questions with the student's answers, and a material with its part", async () => {
      const school = theSchool();
      const paper = await own(school);
      const images = ['/files/a.png', '/files/b.png'];
      const reportId = await submitHomeworkReport(school, paper, student(school, first), {
        essay: essayOf('第一行\n<b>不是标签', images),
      });
      const { list: questions, total } = await detail(school, reportId);
      expect(total).toBe(2);
      expect(questions[0]).toMatchObject({
        id: paper.questions.essay,
        sort: '2',
        ques_stem: '<p>简答题干</p>',
        ques_score: 10,
        user_score: null,
        status: 4,
        version: 0,
        answerImages: images.map((url) => ({ url, draw: '', path: '' })),
      });
      expect(questions[1]).toMatchObject({ sort: '3.2', parent_ques_item: '<p>一段材料</p>', ques_score: 5.5 });
      const objective = await detail(school, reportId, { type: 2 });
      expect(objective.list.map((one: { user_score: number; status: number }) => [one.user_score, one.status])).toEqual(
        [
          [5, 1],
          [5, 1],
        ],
      );
      const paged = await detail(school, reportId, { page: 2, limit: 1 });
      expect([paged.list[0].sort, paged.total]).toEqual(['3.2', 2]);
    });

    test('escapes everything that a student wrote', async () => {
      const school = theSchool();
      const paper = await own(school);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), {
        essay: JSON.stringify({
          content: '<p>好<img src=x onerror=alert(1)><script>alert(2)</script></p>',
          images: ['javascript:alert(3)', '//x/y'],
          format: 'html',
        }),
      });
      const [question] = (await detail(school, reportId)).list;
      expect(question.answer_content).toBe('<p>好</p>');
      expect(question.answerImages).toEqual([]);
    });

    test('keeps at most nine images', async () => {
      const school = theSchool();
      const paper = await own(school);
      const images = Array.from({ length: 12 }, (_, index) => `/files/${index}.png`);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), {
        essay: essayOf('', images),
      });
      expect((await detail(school, reportId)).list[0].answerImages).toHaveLength(9);
    });

    test('answers "no such record" for reports of others and invalid ids', async () => {
      const school = theSchool();
      const paper = await addPaper(school, {
        creator: 'otherTeacher',
        course: school.courses.theirs,
        classes: [school.classes.k3],
      });
      const reportId = await submitHomeworkReport(school, paper, student(school, first, 'k3'));
      for (const call of ['list', 'detail', 'storeQuestion', 'storeReview', 'question', 'same', 'storeSame']) {
        const body = { report_id: reportId, ques_id: paper.questions.essay, user_score: 1, answers: [] };
        for (const who of ['teacher', 'assist'] as const) {
          const answer = await school.as(who).post(`hw/review/${call}`, body);
          expect([call, who, answer.status, answer.body.msg]).toEqual([call, who, 404, '作业不存在']);
        }
      }
      for (const report_id of [0, -1, 'x', 99_999_999, 2 ** 40, null]) {
        expect((await school.as('teacher').post('hw/review/list', { report_id })).status).toBe(404);
      }
      const mine = await addWaitingReport(school);
      const other = await school.as('teacher').post('hw/review/list', {
        report_id: mine.reportId,
        class_id: school.classes.k1,
      });
      expect(other.status).toBe(404);
      expect((await school.as('assist').post('hw/review/list', { report_id: mine.reportId })).status).toBe(200);
      expect((await school.as('otherAssist').post('hw/review/list', { report_id: mine.reportId })).status).toBe(404);
    });

    test('is refused without the permission', async () => {
      const school = theSchool();
      const paper = await addWaitingReport(school);
      for (const call of ['list', 'detail', 'storeQuestion', 'storeReview', 'storeSame', 'undoSame']) {
        const answer = await school.as('plainTeacher').post(`hw/review/${call}`, { report_id: paper.reportId });
        expect(answer.status).toBe(403);
      }
    });
  });

  describe('a mark', () => {
    test.each([
      [8.5, 8.5, 5],
      ['10', 10, 1],
      [0, 0, 2],
      ['５．５', 5.5, 5],
      [' 7。5 ', 7.5, 5],
      ['.5', 0.5, 5],
    ])('saves %j as %d', async (typed, user_score, status) => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay, user_score: typed, review_comment: '好' };
      const answer = await save(school, body);
      expect(answer.body).toMatchObject({ code: 200, msg: '保存成功', data: { user_score, status, version: 1 } });
      const data = await list(school, reportId);
      expect(data.scantron[0]).toMatchObject({ user_score, status, review_comment: '好' });
      expect(data.report_info).toMatchObject({ user_score: 10 + user_score, subjective_score: user_score });
    });

    test.each([
      ['', '请填写本题得分'],
      [null, '请填写本题得分'],
      [undefined, '请填写本题得分'],
      ['八', '得分只能填写数字'],
      ['1e1', '得分只能填写数字'],
      ['NaN', '得分只能填写数字'],
      [5.55, '得分最多一位小数'],
      ['5.50', '得分最多一位小数'],
      [-1, '得分应在0.0到10.0之间'],
      [10.1, '得分应在0.0到10.0之间'],
      ['１１', '得分应在0.0到10.0之间'],
      [1e21, '得分只能填写数字'],
    ])('refuses %j: %s', async (user_score, message) => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const answer = await save(school, { report_id: reportId, ques_id: questions.essay, user_score });
      expect([answer.status, answer.body.msg]).toEqual([422, message]);
      expect(answer.body.errors).toEqual({ user_score: [message] });
      expect((await list(school, reportId)).scantron[0]).toMatchObject({ user_score: null, status: 4 });
    });

    test.each([0, 25, '50', '６０', '75%', 100])('saves the rating %j', async (rate) => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school, 1);
      const answer = await save(school, { report_id: reportId, ques_id: questions.essay, user_score: rate });
      const percent = { '６０': 60, '75%': 75 }[rate] ?? Number(rate);
      expect(answer.body.data.user_score).toBe(percent);
      // Two objective answers of four are right.
      expect((await list(school, reportId)).report_info).toMatchObject({
        correct_rate: Math.floor((200 + percent) / 4),
        objective_rate: 100,
      });
    });

    test.each([30, 101, '', 'a', 12.5, -25])('refuses the rating %j', async (user_score) => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school, 1);
      const answer = await save(school, { report_id: reportId, ques_id: questions.essay, user_score });
      expect([answer.status, answer.body.msg]).toEqual([422, '请选择本题正确率']);
    });

    test('is refused as a rating of an unanswered question, and for an objective one', async () => {
      const school = theSchool();
      const paper = await own(school, 1);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), { partEssay: '' });
      const blank = await save(school, { report_id: reportId, ques_id: paper.questions.partEssay, user_score: 100 });
      expect([blank.status, blank.body.msg]).toEqual([409, '该题未作答，不能评分']);
      const choice = await save(school, { report_id: reportId, ques_id: paper.questions.choice, user_score: 100 });
      expect([choice.status, choice.body.msg]).toEqual([409, '客观题由系统评分，不能批改']);
      const nothing = await save(school, { report_id: reportId, ques_id: paper.questions.material, user_score: 100 });
      expect([nothing.status, nothing.body.msg]).toEqual([404, '题目不存在']);
      expect((await save(school, { report_id: reportId, ques_id: 99_999_999, user_score: 100 })).body.msg).toBe(
        '题目不存在',
      );
    });

    test('of an unanswered question may be 0 points and nothing else', async () => {
      const school = theSchool();
      const paper = await own(school);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), { partEssay: '' });
      const body = { report_id: reportId, ques_id: paper.questions.partEssay };
      const one = await save(school, { ...body, user_score: 1 });
      expect([one.status, one.body.msg]).toEqual([409, '该题未作答，不能评分']);
      const none = await save(school, { ...body, user_score: 0, review_comment: '没有作答' });
      expect([none.status, none.body.msg]).toEqual([200, '保存成功']);
      expect((await list(school, reportId)).subject_card_info[1]).toMatchObject({ sort: '3.2', status: 3 });
    });

    test('keeps the comment without a score, and the answer still waits', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, question_id: questions.essay, type: 1, remark: '再看看' };
      expect((await save(school, body)).body.data).toMatchObject({ status: 4, user_score: null, version: 1 });
      expect((await detail(school, reportId)).list[0]).toMatchObject({ review_comment: '再看看', status: 4 });
    });

    test('keeps a comment of 300 characters and refuses 301', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay, user_score: 5 };
      const long = await save(school, { ...body, review_comment: '评'.repeat(301) });
      expect([long.status, long.body.errors]).toEqual([422, { review_comment: ['评语最多300个字'] }]);
      expect((await save(school, { ...body, review_comment: '😀'.repeat(300) })).status).toBe(200);
    });

    test('keeps nine attachments, and refuses a tenth and a foreign address', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay, user_score: 5 };
      const url = await school.keepPicture();
      const files = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ name: `批注${index}.png`, url, ext: 'png' }));
      const ten = await save(school, { ...body, review_attachments: files(10) });
      expect([ten.status, ten.body.errors]).toEqual([422, { review_attachments: ['附件最多9个'] }]);
      const foreign = await save(school, {
        ...body,
        review_attachments: [{ name: 'x', url: 'https://evil.example/' }],
      });
      expect(foreign.status).toBe(422);
      expect((await save(school, { ...body, image: Array.from({ length: 10 }, () => '/files/x.png') })).status).toBe(
        422,
      );
      const gone = [...files(1), { name: '丢失.png', url: `/files/2026/11/${'a'.repeat(26)}.png` }];
      const lost = await save(school, { ...body, review_attachments: gone });
      expect([lost.status, lost.body.errors]).toEqual([
        422,
        { review_attachments: ['附件“丢失.png”不存在，请重新上传'] },
      ]);
      expect((await save(school, { ...body, review_attachments: files(9) })).status).toBe(200);
      expect((await detail(school, reportId)).list[0].review_attachments).toEqual(files(9));
    });

    test('keeps the drawings on images by position, also through a save without them', async () => {
      const school = theSchool();
      const paper = await own(school);
      const images = ['/files/a.png', '/files/b.png'];
      const reportId = await submitHomeworkReport(school, paper, student(school, first), {
        essay: essayOf('', images),
      });
      const draw = '{"bg":[{"rotation":90}],"draw":[{"name":"right","x":3,"y":4}]}';
      const body = { report_id: reportId, ques_id: paper.questions.essay };
      const path = await school.keepPicture();
      const marked = [
        { draw: '', path: '' },
        { draw, path },
      ];
      expect((await save(school, { ...body, type: 1, image: marked })).body.data.version).toBe(1);
      expect((await save(school, { ...body, user_score: 9, version: 1 })).status).toBe(200);
      expect((await detail(school, reportId)).list[0].answerImages).toEqual([
        { url: '/files/a.png', draw: '', path: '' },
        { url: '/files/b.png', draw, path },
      ]);
      // A save is refused and changes nothing if it names an unknown file, or neither drawings nor a file.
      for (const [image, sentence] of [
        [[`/files/2026/11/${'a'.repeat(26)}.png`], '图片不存在，请重新保存标记'],
        [[{ url: path }], '请完善信息'],
      ] as const) {
        const refused = await save(school, { ...body, type: 1, version: 2, image });
        expect([refused.status, Object.keys(refused.body.errors)[0]?.split('.')[0]]).toEqual([422, 'image']);
        expect(JSON.stringify(refused.body.errors)).toContain(sentence);
      }
      expect((await detail(school, reportId)).list[0].answerImages[1]).toEqual({ url: '/files/b.png', draw, path });
    });
  });

  describe('two graders', () => {
    test('get a conflict over a changed answer, and overwrite it only on confirmation', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay };
      await save(school, { ...body, user_score: 8 }, 'assist');
      const refused = await save(school, { ...body, user_score: 3 });
      expect([refused.status, refused.body.msg]).toEqual([409, '该题已由姓名assist批改，得分8.0']);
      expect(refused.body.data).toEqual({ user_score: 8, name: '姓名assist', by_me: 0, version: 1 });
      const unseen = await save(school, { ...body, user_score: 3, version: undefined });
      expect(unseen.status).toBe(409);
      expect((await list(school, reportId)).report_info.subjective_score).toBe(8);
      const chosen = await save(school, { ...body, user_score: 3, version: refused.body.data.version });
      expect(chosen.body.data).toMatchObject({ user_score: 3, version: 2 });
      expect((await list(school, reportId)).report_info.subjective_score).toBe(3);
    });

    test('save an identical repeated request once', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay, user_score: 8, review_comment: '好' };
      const answers = [await save(school, body), await save(school, body)];
      expect(answers.map(({ status, body: { data } }) => [status, data.version])).toEqual([
        [200, 1],
        [200, 1],
      ]);
      const { review_history } = (await school.as('teacher').get(`student/report/${reportId}`)).body.data;
      expect(review_history).toHaveLength(1);
    });

    test('see a save that came after their own, even a comment without a mark', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const essay = { report_id: reportId, ques_id: questions.essay };
      await save(school, { ...essay, user_score: 8 });
      const refused = await save(school, { ...essay, user_score: 3 });
      expect([refused.status, refused.body.msg]).toEqual([409, '该题已由姓名teacher批改，得分8.0']);
      expect(refused.body.data).toEqual({ user_score: 8, name: '姓名teacher', by_me: 1, version: 1 });
      // A save without a version may replace only the grader's own last save.
      const unseen = await save(school, { ...essay, user_score: 3, version: undefined });
      expect([unseen.status, unseen.body.data.version]).toEqual([200, 2]);

      const part = { report_id: reportId, ques_id: questions.partEssay };
      // A version that never existed.
      const unheard = await save(school, { ...part, user_score: 3, version: 7 });
      expect(unheard.body.msg).toBe('该题已有变化，请刷新后再批改');
      expect([unheard.status, unheard.body.data]).toEqual([409, { user_score: null, name: '', by_me: 0, version: 0 }]);
      await save(school, { ...part, type: 1, review_comment: '再看看' }, 'assist');
      const waits = await save(school, { ...part, user_score: 3 });
      expect([waits.status, waits.body.msg]).toEqual([409, '该题已由姓名assist批改']);
      expect(waits.body.data).toEqual({ user_score: null, name: '姓名assist', by_me: 0, version: 1 });
      // The comment alone added no points.
      expect((await list(school, reportId)).report_info).toMatchObject({ subjective_score: 3, user_score: 13 });
    });

    test('get a conflict even over an equal mark, shown as a rating where rated', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school, 1);
      const body = { report_id: reportId, ques_id: questions.essay, user_score: 50 };
      await save(school, body, 'assist');
      const refused = await save(school, body);
      expect([refused.status, refused.body.msg]).toEqual([409, '该题已由姓名assist批改，正确率50%']);
      expect(refused.body.data).toEqual({ user_score: 50, name: '姓名assist', by_me: 0, version: 1 });
    });

    test('keep comment, attachments and drawings that a save leaves out', async () => {
      const school = theSchool();
      const paper = await own(school);
      const essay = essayOf('', ['/files/a.png', '/files/b.png']);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), { essay });
      const body = { report_id: reportId, ques_id: paper.questions.essay };
      const marks = (name: string) => ({ draw: `{"bg":[],"draw":[{"name":"${name}","x":3,"y":4}]}`, path: '' });
      const review_attachments = [{ name: '批注.png', url: await school.keepPicture(), ext: 'png' }];
      const image = [marks('right'), marks('wrong')];
      const written = { review_comment: '好', review_attachments, image };
      expect((await save(school, { ...body, user_score: 8, ...written })).body.data.version).toBe(1);
      const later = await save(school, { ...body, user_score: 9, version: 1, image: [null, marks('half')] });
      expect([later.status, later.body.data.version]).toEqual([200, 2]);
      expect((await detail(school, reportId)).list[0]).toMatchObject({
        user_score: 9,
        review_comment: '好',
        review_attachments,
        answerImages: [marks('right'), marks('half')],
      });
      // A repeat is saved once and loses nothing.
      const again = await save(school, { ...body, user_score: 9, version: 1 });
      expect([again.status, again.body.data.version]).toEqual([200, 2]);
      expect((await detail(school, reportId)).list[0]).toMatchObject({ review_comment: '好', review_attachments });
    });

    test('get one success and one conflict for simultaneous saves', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const body = { report_id: reportId, ques_id: questions.essay };
      const answers = await Promise.all([
        save(school, { ...body, user_score: 8 }),
        save(school, { ...body, user_score: 3 }, 'assist'),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
      const kept = answers.find((answer) => answer.status === 200)?.body.data.user_score;
      expect((await list(school, reportId)).report_info.subjective_score).toBe(kept);
    });

    test('lose no point with many graders on one report', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      await Promise.all(
        [questions.essay, questions.partEssay].flatMap((ques_id) => [
          save(school, { report_id: reportId, ques_id, user_score: 4 }),
          save(school, { report_id: reportId, ques_id, user_score: 4 }, 'assist'),
        ]),
      );
      expect((await list(school, reportId)).report_info).toMatchObject({ subjective_score: 8, user_score: 18 });
    });

    test('all succeed when fifty save at once, and the sums are right', async () => {
      const school = theSchool();
      const { k1, k2, k3 } = school.classes;
      const paper = await addPaper(school, { creator: 'teacher', classes: [k1, k2, k3] });
      const expected = await school.database.db
        .selectFrom('report')
        .select('student_id')
        .where('homework_id', '=', paper.homeworkId)
        .execute();
      const reports: number[] = [];
      for (const { student_id } of expected) reports.push(await submitHomeworkReport(school, paper, student_id));
      const asked = reports.flatMap((report_id) => [
        save(school, { report_id, ques_id: paper.questions.essay, user_score: 4.5 }),
        save(school, { report_id, ques_id: paper.questions.partEssay, user_score: 3 }),
        school.as('teacher').post('hw/review/list', { report_id, type: 1 }),
        school.as('teacher').post('hw/review/detail', { report_id, type: 1 }),
        school.as('teacher').post('hw/review/question', { report_id, ques_id: paper.questions.essay }),
      ]);
      expect(asked.length).toBeGreaterThanOrEqual(50);
      expect([...new Set((await Promise.all(asked)).map(({ status }) => status))]).toEqual([200]);
      const finished = await Promise.all(
        reports.map((report_id) => school.as('teacher').post('hw/review/storeReview', { report_id })),
      );
      expect([...new Set(finished.map(({ status }) => status))]).toEqual([200]);
      const sums = await school.database.db
        .selectFrom('report')
        .select(['status', 'subjective_score'])
        .where('homework_id', '=', paper.homeworkId)
        .execute();
      expect(sums).toEqual(reports.map(() => ({ status: 3, subjective_score: 75 })));
      const { not_revised_homework_count } = await school.database.db
        .selectFrom('homework')
        .select('not_revised_homework_count')
        .where('id', '=', paper.homeworkId)
        .executeTakeFirstOrThrow();
      expect(not_revised_homework_count).toBe(0);
    });

    test('finish a report once when simultaneous, and move the counters once', async () => {
      const school = theSchool();
      const { reportId, questions, homeworkId } = await addWaitingReport(school);
      for (const ques_id of [questions.essay, questions.partEssay]) {
        await save(school, { report_id: reportId, ques_id, user_score: 5 });
      }
      const answers = await Promise.all(
        (['teacher', 'assist'] as const).map((who) =>
          school.as(who).post('hw/review/storeReview', { report_id: reportId }),
        ),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
      const counters = await school.database.db
        .selectFrom('homework')
        .select(['submitted_homework_count', 'not_revised_homework_count'])
        .where('id', '=', homeworkId)
        .executeTakeFirstOrThrow();
      expect(counters).toEqual({ submitted_homework_count: 1, not_revised_homework_count: 0 });
    });
  });

  describe('finishing a report', () => {
    test('requires every answer marked, works once, and takes a comment of up to 300 characters', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      const finish = (body: object = {}) =>
        school.as('teacher').post('hw/review/storeReview', { report_id: reportId, ...body });
      const early = await finish();
      expect([early.status, early.body.msg]).toEqual([409, '还有题目未批改，不能完成批改']);
      for (const ques_id of [questions.essay, questions.partEssay]) {
        await save(school, { report_id: reportId, ques_id, user_score: 5 });
      }
      const long = await finish({ comment: '评'.repeat(301) });
      expect([long.status, long.body.errors]).toEqual([422, { comment: ['评语最多300个字'] }]);
      expect((await finish({ comment: '继续努力' })).status).toBe(200);
      expect((await finish()).body).toMatchObject({ code: 409, msg: '该作业已批改完成，不能重复批改' });
      const late = await save(school, { report_id: reportId, ques_id: questions.essay, user_score: 6, version: 1 });
      expect([late.status, late.body.msg]).toEqual([409, '该作业已批改完成，不能重复批改']);
      expect((await list(school, reportId)).report_info).toMatchObject({ test_status: 3, comment: '继续努力' });
    });

    test('answers an identical repeat as the first time', async () => {
      const school = theSchool();
      const { reportId, questions } = await addWaitingReport(school);
      for (const ques_id of [questions.essay, questions.partEssay]) {
        await save(school, { report_id: reportId, ques_id, user_score: 5 });
      }
      const finish = () =>
        school
          .as('teacher')
          .post('hw/review/storeReview', { report_id: reportId }, { 'idempotency-key': `finish ${reportId}` });
      expect([(await finish()).status, (await finish()).status]).toEqual([200, 200]);
    });

    test('is refused for recalled homework, as is grading', async () => {
      const school = theSchool();
      const { reportId, questions, homeworkId } = await addWaitingReport(school);
      await school.as('teacher').post(`hw/withdraw/${homeworkId}`);
      const graded = await save(school, { report_id: reportId, ques_id: questions.essay, user_score: 5 });
      expect([graded.status, graded.body.msg]).toEqual([409, '该作业已撤回，不能批改']);
      for (const path of ['list', 'detail']) {
        const read = await school.as('teacher').post(`hw/review/${path}`, { report_id: reportId });
        expect([read.status, read.body.msg]).toEqual([409, '该作业已撤回，作业记录已消失']);
      }
      expect((await school.as('teacher').post('hw/review/storeReview', { report_id: reportId })).status).toBe(409);
    });
  });

  describe('the next report', () => {
    test('is the oldest of the same homework, then of another, without skipped ones', async () => {
      const school = theSchool();
      // Finishes what earlier tests left waiting.
      await school.database.db.updateTable('report').set({ status: 3 }).where('status', '=', 2).execute();
      const paper = await own(school);
      const elsewhere = await own(school);
      const here = await submitHomeworkReport(school, paper, student(school, first), {}, noon - 50);
      const newer = await submitHomeworkReport(school, paper, student(school, second), {}, noon - 10);
      const older = await submitHomeworkReport(school, paper, student(school, third), {}, noon - 90);
      const inOther = await submitHomeworkReport(school, elsewhere, student(school, first), {}, noon - 99);
      const next = async (skip: number[], more: object = {}) =>
        (await list(school, here, { skip, ...more })).next_report_id;
      expect(await next([])).toBe(older);
      expect(await next([older])).toBe(newer);
      expect(await next([older, newer])).toBe(inOther);
      expect(await next([older, newer, inOther])).toBeNull();
      expect(await next([older, newer], { class_id: school.classes.k2 })).toBe(inOther);
      // An earlier report of the same homework in another class is skipped.
      const both = await addPaper(school, { creator: 'teacher', classes: [school.classes.k2, school.classes.k3] });
      const asked = await submitHomeworkReport(school, both, student(school, first), {}, noon - 20);
      const waits = await submitHomeworkReport(school, both, student(school, second), {}, noon - 10);
      const elsewhereInClass = await submitHomeworkReport(school, both, school.students.k3[1] as number, {}, noon - 30);
      const readReport = async (who: 'teacher' | 'assist', more: object = {}) => {
        const { data } = (await school.as(who).post('hw/review/list', { report_id: asked, type: 1, ...more })).body;
        return [data.next_report_id, data.report_info.waiting_count];
      };
      expect(await readReport('teacher')).toEqual([elsewhereInClass, 3]);
      expect(await readReport('teacher', { class_id: school.classes.k2 })).toEqual([waits, 3]);
      expect(await readReport('assist')).toEqual([waits, 2]);
      await school.as('teacher').post(`hw/withdraw/${both.homeworkId}`);
      await school.as('teacher').post(`hw/withdraw/${elsewhere.homeworkId}`);
      expect(await next([older, newer])).toBeNull();
    });
  });

  describe('grading by question', () => {
    test('keeps the order of submission, or one shuffle for everybody', async () => {
      const school = theSchool();
      const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k3] });
      const reports: number[] = [];
      for (const [index, id] of school.students.k3.entries()) {
        reports.push(
          await submitHomeworkReport(school, paper, id, { essay: essayOf(`答案${index}`) }, noon - 100 + index),
        );
      }
      const [one] = reports as [number];
      const ask = async (report_id: number, more: object = {}) =>
        (await school.as('teacher').post('hw/review/question', { report_id, ques_id: paper.questions.essay, ...more }))
          .body.data;
      const inOrder = await ask(one);
      expect(inOrder.list.map((row: { report_id: number }) => row.report_id)).toEqual(reports);
      expect(inOrder).toMatchObject({ position: 0, next_report_id: reports[1], counts: { total: 5, waiting: 5 } });
      const shuffles = [await ask(one, { order: 'shuffled' }), await ask(reports[2] as number, { order: 'shuffled' })];
      const ids = shuffles.map(({ list: rows }) => rows.map((row: { report_id: number }) => row.report_id));
      expect(ids[0]).toEqual(ids[1]);
      expect(ids[0]).not.toEqual(reports);
      expect([...ids[0]].sort()).toEqual([...reports].sort());
      await save(school, { report_id: reports[1], ques_id: paper.questions.essay, user_score: 1 });
      expect((await ask(one)).next_report_id).toBe(reports[2]);
      expect((await ask(one, { skip: [reports[2]] })).next_report_id).toBe(reports[3]);
      expect((await ask(reports[4] as number)).next_report_id).toBe(one);
      const objective = { report_id: one, ques_id: paper.questions.choice };
      expect((await school.as('teacher').post('hw/review/question', objective)).status).toBe(404);
    });
  });

  test('finishes all fully marked reports in one request', async () => {
    const school = theSchool();
    const paper = await own(school);
    const reports: number[] = [];
    for (const [index, id] of school.students.k2.entries())
      reports.push(await submitHomeworkReport(school, paper, id, { partEssay: '' }, noon - index));
    const finishAll = (who: 'teacher' | 'otherAssist' = 'teacher') =>
      school.as(who).post('hw/review/storeReviews', { report_id: reports[0] });
    expect((await finishAll()).body).toMatchObject({ code: 409, msg: '没有可以完成批改的报告' });
    expect((await finishAll('otherAssist')).status).toBe(404);
    for (const report_id of reports.slice(1))
      await save(school, { report_id, ques_id: paper.questions.essay, user_score: 5 });
    const round = await school
      .as('teacher')
      .post('hw/review/question', { report_id: reports[0], ques_id: paper.questions.essay });
    expect(round.body.data.finishable_count).toBe(reports.length - 1);
    expect((await finishAll()).body.data).toMatchObject({ count: reports.length - 1 });
    expect((await list(school, reports[0] as number)).report_info).toMatchObject({ test_status: 2, waiting_count: 1 });
    expect((await list(school, reports[1] as number)).report_info.test_status).toBe(3);
  });

  describe('equal answers', () => {
    async function equalPaper(school: TestSchool) {
      const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k3] });
      const texts = ['  因为 \n', '因为', '因为', '所以', ''];
      const reports: number[] = [];
      for (const [index, id] of school.students.k3.entries()) {
        reports.push(
          await submitHomeworkReport(school, paper, id, { essay: essayOf(texts[index] as string) }, noon - 100 + index),
        );
      }
      return { paper, reports: reports as [number, number, number, number, number] };
    }
    const same = async (school: TestSchool, paper: Paper, report_id: number) =>
      (await school.as('teacher').post('hw/review/same', { report_id, ques_id: paper.questions.essay })).body.data;

    test('are listed by name, graded together, and undone', async () => {
      const school = theSchool();
      const { paper, reports } = await equalPaper(school);
      expect((await detail(school, reports[0])).list[0].same_count).toBe(2);
      expect((await detail(school, reports[3])).list[0].same_count).toBe(0);
      const listed = await same(school, paper, reports[0]);
      expect(listed.map((answer: { nickname: string }) => answer.nickname)).toEqual(['学生三班2', '学生三班3']);
      const body = {
        report_id: reports[0],
        ques_id: paper.questions.essay,
        version: 0,
        user_score: 6,
        review_comment: '写出理由',
        answers: listed.map(({ report_id, version }: { report_id: number; version: number }) => ({
          report_id,
          version,
        })),
      };
      const stored = await school.as('teacher').post('hw/review/storeSame', body);
      expect(stored.body).toMatchObject({ code: 200, data: { count: 3 } });
      for (const id of reports.slice(0, 3)) {
        expect((await list(school, id)).report_info.subjective_score).toBe(6);
      }
      expect((await list(school, reports[3])).scantron[0].status).toBe(4);
      // Somebody else changes one of them; undo leaves that one.
      const essay = { report_id: reports[1], ques_id: paper.questions.essay, user_score: 2, version: 1 };
      expect((await save(school, essay, 'otherAssist')).status).toBe(200);
      const { batch_id } = stored.body.data;
      const undone = await school.as('teacher').post('hw/review/undoSame', { batch_id });
      expect(undone.body.data).toEqual({ undone: 2, kept: ['学生三班2'] });
      expect((await list(school, reports[0])).scantron[0]).toMatchObject({
        status: 4,
        user_score: null,
        review_comment: '',
      });
      expect((await list(school, reports[0])).report_info.subjective_score).toBe(0);
      expect((await list(school, reports[1])).report_info.subjective_score).toBe(2);
      expect((await school.as('teacher').post('hw/review/undoSame', { batch_id })).status).toBe(409);
      expect((await school.as('otherTeacher').post('hw/review/undoSame', { batch_id })).status).toBe(404);
    });

    test('return to their former mark on undo, except in finished reports', async () => {
      const school = theSchool();
      const { paper, reports } = await equalPaper(school);
      const essay = { report_id: reports[0], ques_id: paper.questions.essay };
      await save(school, { ...essay, user_score: 3.5, review_comment: '原来的评语', version: 0 });
      const answers = [
        { report_id: reports[1], version: 0 },
        { report_id: reports[2], version: 0 },
      ];
      const stored = await school
        .as('teacher')
        .post('hw/review/storeSame', { ...essay, version: 1, user_score: 6, answers });
      expect(stored.body).toMatchObject({ code: 200, data: { count: 3 } });
      await school.database.db.updateTable('report').set({ status: 3 }).where('id', '=', reports[1]).execute();
      const undone = await school.as('teacher').post('hw/review/undoSame', { batch_id: stored.body.data.batch_id });
      expect(undone.body.data).toEqual({ undone: 2, kept: ['学生三班2'] });
      const showScores = async (id: number) => {
        const { report_info, scantron } = await list(school, id);
        return [report_info.subjective_score, scantron[0].user_score, scantron[0].review_comment];
      };
      expect(await showScores(reports[0])).toEqual([3.5, 3.5, '原来的评语']);
      expect(await showScores(reports[1])).toEqual([6, 6, '']);
      expect(await showScores(reports[2])).toEqual([0, null, '']);
      // A page that was opened before the undo does not overwrite its result unnoticed.
      expect((await save(school, { ...essay, user_score: 1, version: 0 }, 'otherAssist')).status).toBe(409);
      const told = await school.database.db
        .selectFrom('history')
        .innerJoin('answer', 'answer.id', 'history.record_id')
        .select(['history.before', 'history.after'])
        .where('history.record', '=', 'answer')
        .where('history.action', '=', 'undo')
        .where('answer.report_id', 'in', reports)
        .orderBy('answer.report_id')
        .execute();
      expect(told).toEqual([
        { before: '{"status":5,"score":60}', after: '{"status":5,"score":35}' },
        { before: '{"status":5,"score":60}', after: '{"status":4,"score":null}' },
      ]);
    });

    test('change all or none: an invalid mark or a simultaneous grade changes nothing', async () => {
      const school = theSchool();
      const { paper, reports } = await equalPaper(school);
      const body = { report_id: reports[0], ques_id: paper.questions.essay, version: 0, user_score: 6 };
      const answers = [
        { report_id: reports[1], version: 0 },
        { report_id: reports[2], version: 0 },
      ];
      const store = (more: object) => school.as('teacher').post('hw/review/storeSame', { ...body, answers, ...more });
      expect((await store({ user_score: 11 })).status).toBe(422);
      expect((await store({ answers: [] })).status).toBe(422);
      for (const ques_id of [999_999, undefined]) expect((await store({ ques_id })).body.msg).toBe('题目不存在');
      expect((await store({ version: 5 })).status).toBe(409);
      expect((await school.as('teacher').post('hw/review/undoSame', {})).status).toBe(404);
      const twice = await store({ answers: [...answers, answers[0]] });
      expect([twice.status, twice.body.errors]).toEqual([422, { answers: ['同一份答案只能选择一次'] }]);
      await save(school, { report_id: reports[2], ques_id: paper.questions.essay, user_score: 1 });
      const refused = await store({});
      expect([refused.status, refused.body.msg]).toEqual([409, '学生三班3的答案已被批改或不再相同，请重新选择']);
      const unknown = await store({ answers: [{ report_id: 999_999, version: 0 }] });
      expect([unknown.status, unknown.body.msg]).toEqual([404, '作业不存在']);
      expect((await list(school, reports[1])).report_info.subjective_score).toBe(0);
      // Without a version, only answers are graded that nobody else has saved.
      const unversioned = await store({ version: null, answers: answers.slice(0, 1) });
      expect(unversioned.body).toMatchObject({ code: 200, data: { count: 2 } });
    });
  });

  test('keep their mark on undo once their homework is recalled', async () => {
    const school = theSchool();
    const paper = await addPaper(school, { creator: 'teacher', classes: [school.classes.k3] });
    const reports: number[] = [];
    for (const id of school.students.k3.slice(0, 2)) {
      reports.push(await submitHomeworkReport(school, paper, id, { essay: essayOf('因为') }));
    }
    const [one, two] = reports as [number, number];
    const stored = await school.as('teacher').post('hw/review/storeSame', {
      report_id: one,
      ques_id: paper.questions.essay,
      version: 0,
      user_score: 6,
      answers: [{ report_id: two, version: 0 }],
    });
    expect(stored.status).toBe(200);
    await school.database.db.updateTable('homework').set({ status: 2 }).where('id', '=', paper.homeworkId).execute();
    const { batch_id } = stored.body.data;
    const undone = await school.as('teacher').post('hw/review/undoSame', { batch_id });
    expect([undone.status, undone.body.msg]).toEqual([409, '该作业已撤回，不能批改']);
    const marks = await school.database.db
      .selectFrom('answer')
      .select('score')
      .where('report_id', 'in', reports)
      .where('question_id', '=', paper.questions.essay)
      .execute();
    expect(marks).toEqual([{ score: 60 }, { score: 60 }]);
  });

  test("offers a grader's earlier comments on a question, the most frequent first, to nobody else", async () => {
    const school = theSchool();
    const paper = await own(school);
    const comments = ['步骤不全', '很好', '步骤不全'];
    const reports: number[] = [];
    for (const [index, id] of school.students.k2.entries())
      reports.push(await submitHomeworkReport(school, paper, id, {}, noon - index));
    for (const [index, review_comment] of comments.entries()) {
      await save(school, { report_id: reports[index], ques_id: paper.questions.essay, user_score: 5, review_comment });
    }
    expect((await detail(school, reports[3] as number)).list[0].my_comments).toEqual(['步骤不全', '很好']);
    const other = await school.as('assist').post('hw/review/detail', { report_id: reports[3], type: 1 });
    expect(other.body.data.list[0].my_comments).toEqual([]);
  });

  test('keeps pinned comments per grader, each once', async () => {
    const school = theSchool();
    const listPinned = async (person: 'teacher' | 'assist') =>
      (await school.as(person).get('hw/review/pinned')).body.data;
    const kept = await school.as('teacher').put('hw/review/pinned', { q: ' 步骤\n不全 ', o: '很好' });
    expect([kept.status, kept.body.msg]).toEqual([200, '保存成功']);
    expect(await listPinned('teacher')).toEqual({
      q: '步骤 不全',
      w: '',
      e: '',
      r: '',
      t: '',
      y: '',
      u: '',
      i: '',
      o: '很好',
    });
    expect((await listPinned('assist')).q).toBe('');
    const twice = await school.as('teacher').put('hw/review/pinned', { w: '很好', o: '很好', t: '字'.repeat(301) });
    expect([twice.status, twice.body.errors]).toEqual([422, { t: ['评语最多300个字'] }]);
    const again = await school.as('teacher').put('hw/review/pinned', { w: '很好', o: '很好' });
    expect([again.status, again.body.errors]).toEqual([422, { o: ['与 W 的评语相同'] }]);
    expect((await listPinned('teacher')).o).toBe('很好');
    await school.as('teacher').put('hw/review/pinned', {});
    expect(Object.values(await listPinned('teacher')).join('')).toBe('');
  });

  describe('the report view', () => {
    test('shows the head, the questions with their statistics, and the changes', async () => {
      const school = theSchool();
      const { reportId, questions, homeworkId } = await finished(school);
      const paper = { homeworkId, questions };
      await submitHomeworkReport(school, paper, student(school, second), { essay: '', choice: '1' });
      await save(school, { report_id: reportId, ques_id: questions.essay, user_score: 9, version: 1 });
      const { data } = (await school.as('teacher').get(`student/report/${reportId}`)).body;
      expect(data.course_arrange).toBeNull();
      expect(data.report).toMatchObject({
        homework_name: '测验',
        status: 3,
        question_num: 4,
        completion_rate: 100,
        score: 25.5,
        user_score: 20,
        object_score: 10,
        subject_score: 10,
        max_score: 20,
        avarage_score: 20,
        correct_rate: 78,
        reviewer_name: '姓名teacher',
        comment: '',
      });
      const [choice, essay] = data.report_questions;
      expect(choice).toMatchObject({ right_count: 1, wrong_count: 1, answered_count: 2, average_right_rate: 0.5 });
      expect(essay).toMatchObject({ un_answer_count: 1, answered_count: 1, average_right_rate: 0.25, user_score: 5 });
      // Percentages are truncated from the counts.
      expect([choice.average_right_percent, essay.average_right_percent]).toEqual([50, 25]);
      expect(data.card_info).toHaveLength(4);
      expect(
        data.review_history.map((row: Record<string, unknown>) => [
          row.action,
          row.sort,
          row.before,
          row.after,
          row.name,
        ]),
      ).toEqual([
        ['finish', '', null, 20, '姓名teacher'],
        ['grade', '3.2', null, 5, '姓名teacher'],
        ['grade', '2', null, 5, '姓名teacher'],
      ]);
    });

    test('names the lesson that the homework was given in', async () => {
      const school = theSchool();
      const { reportId, homeworkId } = await addWaitingReport(school);
      const lessonId = await insertSession(school, { class_id: school.classes.k2, end_time: noon + 5400 });
      await school.database.db
        .updateTable('homework')
        .set({ arrange_id: lessonId })
        .where('id', '=', homeworkId)
        .execute();
      const lesson = { name: '二班', arrange_time: noon, time_name: '12:00-13:30' };
      expect((await list(school, reportId)).course_arrange).toMatchObject(lesson);
      const { data } = (await school.as('teacher').get(`student/report/${reportId}`)).body;
      expect(data.course_arrange).toMatchObject(lesson);
    });

    test("shows the student's pictures to both identities, and disappears with a recalled homework", async () => {
      const school = theSchool();
      const paper = await own(school);
      const images = Array.from({ length: 10 }, (_, place) => `/files/2026/11/${'a'.repeat(20)}${place}.png`);
      const reportId = await submitHomeworkReport(school, paper, student(school, first), {
        essay: essayOf('见图', images),
      });
      for (const who of ['teacher', 'assist'] as const) {
        const { data } = (await school.as(who).get(`student/report/${reportId}`)).body;
        expect(data.report_questions.map(({ imgs }: { imgs: string[] }) => imgs)).toEqual([
          [],
          images.slice(0, 9),
          [],
          [],
        ]);
      }
      await school.database.db.updateTable('homework').set({ status: 2 }).where('id', '=', paper.homeworkId).execute();
      for (const who of ['teacher', 'assist'] as const) {
        for (const path of [`student/report/${reportId}`, `class/student/report/${reportId}/${school.classes.k2}`]) {
          const gone = await school.as(who).get(path);
          expect([gone.status, gone.body.msg]).toEqual([409, '该作业已撤回，作业记录已消失']);
        }
        expect((await school.as(who).get(`student/homework/${reportId}`)).status).toBe(409);
      }
      // The reports of other people respond with 404, whether the homework is recalled or not.
      const unseen = await handedInBefore(school);
      expect((await school.as('assist').get(`student/homework/${unseen}`)).status).toBe(404);
      expect((await school.as('assist').get(`student/report/${unseen}`)).status).toBe(404);
    });

    /** Creates a report of another assistant's class, for a recalled homework that both see. */
    async function handedInBefore(school: TestSchool): Promise<number> {
      const { k2, k3 } = school.classes;
      const paper = await addPaper(school, { creator: 'teacher', classes: [k2, k3] });
      const reportId = await submitHomeworkReport(school, paper, student(school, first, 'k3'));
      await school.database.db.updateTable('homework').set({ status: 2 }).where('id', '=', paper.homeworkId).execute();
      return reportId;
    }

    test('compares a report with its class, and answers 404 under another class', async () => {
      const school = theSchool();
      const { reportId } = await finished(school);
      const path = (classId: number | string) => `class/student/report/${reportId}/${classId}`;
      expect((await school.as('teacher').get(path(school.classes.k2))).status).toBe(200);
      expect((await school.as('assist').get(path(school.classes.k2))).status).toBe(200);
      expect((await school.as('teacher').get(path(school.classes.k1))).status).toBe(404);
      expect((await school.as('teacher').get(path('abc'))).status).toBe(404);
      expect((await school.as('otherAssist').get(`student/report/${reportId}`)).status).toBe(404);
      expect((await school.as('plainTeacher').get('student/report/x')).status).toBe(404);
    });

    test('shows unanswered questions for a student without a submission', async () => {
      const school = theSchool();
      const paper = await own(school);
      const { id } = await school.database.db
        .selectFrom('report')
        .select('id')
        .where('homework_id', '=', paper.homeworkId)
        .limit(1)
        .executeTakeFirstOrThrow();
      const { data } = (await school.as('teacher').get(`student/report/${id}`)).body;
      expect(data.report).toMatchObject({ status: 1, completion_rate: 0, submit_at: 0 });
      expect(data.report_questions.every((one: { status: number }) => one.status === 3)).toBe(true);
    });
  });

  describe("submissions through the learners' application", () => {
    const send = (school: TestSchool, homeworkId: number | string, token: string, body: unknown) =>
      school.ask(`/api/app/homework/${homeworkId}/submission`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const tokenOf = async (school: TestSchool) =>
      (await issueServiceToken(school.database.db, { name: '学习端', now: noon })).token;

    test('are accepted once and scored by the rules; a repeat is answered as the first', async () => {
      const school = theSchool();
      const token = await tokenOf(school);
      const { homeworkId, questions } = await own(school);
      const body = {
        uid: student(school, first),
        answer_time: 300,
        confirm_blank: 1,
        answers: [
          { ques_id: questions.choice, user_answer: [2] },
          { ques_id: questions.essay, user_answer: { content: '答', images: [] } },
        ],
      };
      const answer = await send(school, homeworkId, token, body);
      expect(answer.body).toMatchObject({ code: 200, msg: '提交成功', data: { status: 2, objective_score: null } });
      school.setNow(noon + 2 * day);
      expect((await send(school, homeworkId, token, body)).body.data).toEqual(answer.body.data);
      const [choice, essay] = body.answers;
      const other = await send(school, homeworkId, token, {
        ...body,
        answers: [{ ...choice, user_answer: [1] }, essay],
      });
      expect([other.status, other.body.msg]).toEqual([409, '该作业已提交，不能重复提交']);
      school.setNow(noon);
      const { data } = (await school.as('teacher').get(`student/report/${answer.body.data.report_id}`)).body;
      expect(data.report).toMatchObject({ answer_time: 300, submit_at: noon, completion_rate: 50 });
    });

    test('take pictures and no other files', async () => {
      const school = theSchool();
      const token = await tokenOf(school);
      const upload = (bytes: Uint8Array<ArrayBuffer>, name: string, bearer = token) => {
        const form = new FormData();
        form.set('file', new File([bytes], name));
        return school.ask('/api/app/public/file', {
          method: 'POST',
          headers: { authorization: `Bearer ${bearer}` },
          body: form,
        });
      };
      const png = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      const kept = await upload(new Uint8Array(png), '答案.png');
      expect(kept.body).toMatchObject({ code: 200, data: { originalName: '答案.png' } });
      expect(kept.body.data.path).toMatch(/^\/files\/\d{4}\/\d\d\/\w+\.png$/);
      expect((await upload(new TextEncoder().encode('文字'), 'a.png')).status).toBe(415);
      expect((await upload(new Uint8Array(png), 'a.png', school.people.teacher.token)).status).toBe(401);
      const { homeworkId, questions } = await own(school);
      const images = [kept.body.data.path];
      const answers = [{ ques_id: questions.essay, user_answer: { images } }];
      const body = { uid: student(school, first), confirm_blank: 1, answers };
      const answer = await send(school, homeworkId, token, body);
      const [question] = (await detail(school, answer.body.data.report_id)).list;
      expect(question.answerImages).toEqual([{ url: images[0], draw: '', path: '' }]);
    });

    test('create one report when two are simultaneous', async () => {
      const school = theSchool();
      const token = await tokenOf(school);
      const { homeworkId, questions } = await own(school);
      const body = {
        uid: student(school, first),
        confirm_blank: 1,
        answers: [{ ques_id: questions.essay, user_answer: { content: '答' } }],
      };
      const answers = await Promise.all([send(school, homeworkId, token, body), send(school, homeworkId, token, body)]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
      const answered = await school.database.db
        .selectFrom('homework')
        .select('submitted_homework_count')
        .where('id', '=', homeworkId)
        .executeTakeFirstOrThrow();
      expect(answered.submitted_homework_count).toBe(1);
    });

    test('are refused when late, recalled, unknown or malformed', async () => {
      const school = theSchool();
      const token = await tokenOf(school);
      const { homeworkId, questions } = await own(school);
      const body = { uid: student(school, first), answers: [] };
      expect((await send(school, homeworkId, token, '{')).status).toBe(400);
      expect((await send(school, homeworkId, token, {})).status).toBe(422);
      expect(
        (await send(school, homeworkId, token, { ...body, answers: [{ ques_id: 1, user_answer: '1' }] })).status,
      ).toBe(422);
      const foreign = {
        ques_id: questions.essay,
        user_answer: { content: '', images: ['https://evil.example/x.png'] },
      };
      expect((await send(school, homeworkId, token, { ...body, answers: [foreign] })).status).toBe(422);
      expect((await send(school, 'abc', token, body)).status).toBe(404);
      expect((await send(school, homeworkId, token, { ...body, uid: student(school, first, 'k3') + 1 })).status).toBe(
        404,
      );
      school.setNow(noon + 2 * day);
      expect((await send(school, homeworkId, token, body)).body.msg).toBe('该作业已截止，不能提交');
      school.setNow(noon);
      await school.as('teacher').post(`hw/withdraw/${homeworkId}`);
      expect((await send(school, homeworkId, token, body)).body.msg).toBe('该作业已撤回，不能提交');
    });

    test("require the application's token, which ends when revoked and opens nothing else", async () => {
      const school = theSchool();
      const { homeworkId } = await own(school);
      const { id, token } = await issueServiceToken(school.database.db, { name: '学习端', now: noon });
      const body = { uid: student(school, first), answers: [] };
      for (const wrong of ['', 'app_wrong', school.people.teacher.token, `${token}x`]) {
        expect((await send(school, homeworkId, wrong, body)).status).toBe(401);
      }
      const asStaff = await school.ask('/api/lector/hw/index', { headers: { authorization: `Bearer ${token}` } });
      expect(asStaff.status).toBe(401);
      expect(await revokeServiceToken(school.database.db, id, noon)).toBe(true);
      expect((await send(school, homeworkId, token, body)).status).toBe(401);
    });
  });
});
