import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { type ReadPdf, readPdf } from '../pdf/read.ts';
import { addExam, everyType, review, submitExamReport } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';
import { bytesOf, waitForFile } from '../support/wait-for-file.ts';

type Person = keyof TestSchool['people'];

onBothEngines('the exam paper and the answer sheet', (school, engine) => {
  let exam: Awaited<ReturnType<typeof addExam>>;
  let draft: Awaited<ReturnType<typeof addExam>>;
  let elsewhere: Awaited<ReturnType<typeof addExam>>;
  const reports = { first: 0, last: 0, other: 0, theirs: 0, elsewhere: 0 };
  const db = () => school().database.db;
  const mine = ['teacher', 'assist'] as const;

  // Right, wrong, right, a wrong pair, one right blank, an essay, an empty part, a part's essay.
  const answers = [
    '2',
    '2',
    '3,1',
    '1-3,2-3',
    ' ３@@6',
    '{"content":"甲<b>乙</b>","images":["/files/a.png"],"format":"html"}',
    '',
    '略',
  ];

  beforeAll(async () => {
    const { people, students } = school();
    const first = await db().selectFrom('school').select('id').executeTakeFirstOrThrow();
    const second = await db()
      .insertInto('school')
      .values({ org_name: '分校' })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const person of ['otherTeacher', 'otherAssist'] as const) {
      await db().updateTable('staff').set({ school_id: second.id }).where('id', '=', people[person].id).execute();
    }
    await db().updateTable('student').set({ school_id: second.id }).where('id', 'in', students.k4).execute();
    exam = await addExam(db(), { creator: people.plainTeacher.id, school: first.id, shared: [second.id] });
    draft = await addExam(db(), { creator: people.teacher.id, school: first.id, status: 2 });
    elsewhere = await addExam(db(), { creator: people.otherTeacher.id, school: second.id });
    const [one = 0, two = 0] = students.k2;
    const [distant = 0] = students.k4;
    reports.first = await submitExamReport(db(), exam, one, answers, { at: noon - 7200, seconds: 1859 });
    await review(db(), reports.first, [150, 80]);
    reports.last = await submitExamReport(db(), exam, one, answers, { at: noon - 60 });
    reports.other = await submitExamReport(db(), exam, two, ['2', '1', '1,3', '2-4,1-3', '3@@5', '甲', '1', '乙']);
    await review(db(), reports.other, [200, 200]);
    reports.theirs = await submitExamReport(db(), exam, distant, ['1']);
    reports.elsewhere = await submitExamReport(db(), elsewhere, distant, answers);
  });

  const report = async (id: number, who: Person = 'teacher') => school().as(who).get(`testDetail/report/${id}`);
  const sheet = async (id: number, who: Person = 'teacher') => (await report(id, who)).body.data;

  it.each(mine)('previews the paper with canonical type numbers, for a %s', async (who) => {
    const { status, body } = await school().as(who).get(`testDetail/preview/${exam.id}`);
    expect(status, body.msg).toBe(200);
    const { exam: head, detail } = body.data;
    expect(head).toMatchObject({ name: '期中考试', score: 100, pass_score: 60, limit_time: 3600, ques_num: 8 });
    expect(detail).toHaveLength(1);
    expect(detail[0].section).toMatchObject({ name: '一、全部题目', introduce: '' });
    const questions = detail[0].question;
    expect(questions.map((one: { ques_type: number }) => one.ques_type)).toEqual([1, 2, 3, 4, 7, 5, 6]);
    expect(questions.map((one: { sort: string }) => one.sort)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(questions.map((one: { answer_html: string }) => one.answer_html)).toEqual([
      'B',
      'A',
      'A、C',
      '1–A、2–B',
      '3；5',
      '略',
      '',
    ]);
    expect(questions[4]).toMatchObject({ right_answer: ['3', '5'], answer_score: '3@@7', ques_score: 10 });
    expect(questions[3].ques_option.map((one: { label: string }) => one.label)).toEqual(['1', '2', 'A', 'B']);
    expect(questions[6].children.map((one: { sort: string }) => one.sort)).toEqual(['7.1', '7.2']);
    expect(questions[0].children).toEqual([]);
  });

  it('gives each blank its share of the score, and 2 points by default', async () => {
    const fillIn = (score: number, right: string) => ({ type: 7, score, right });
    const { id } = await addExam(db(), {
      creator: school().people.teacher.id,
      school: 1,
      questions: [fillIn(0, '甲@@乙'), fillIn(40, '甲@@乙'), fillIn(100, '甲@@乙@@丙')],
    });
    const { body } = await school().as('teacher').get(`testDetail/preview/${id}`);
    expect(body.data.detail[0].question.map((one: { answer_score: string }) => one.answer_score)).toEqual([
      '2@@2',
      '2@@2',
      '3.3@@3.3@@3.4',
    ]);
  });

  it.each(mine)('reads the sheet with the exam type numbers, for a %s', async (who) => {
    const { report_info: info, report_list, card_info, question } = await sheet(reports.first, who);
    expect(info).toMatchObject({
      test_name: '期中考试',
      test_status: 3,
      ranking: 2,
      user_count: 3,
      is_pass: 2,
      answer_time: 1859,
      sum_score: 100,
      pass_score: 60,
      user_score: 51,
      objective_score: 28,
      objective_total_score: 60,
      subjective_score: 23,
      subjective_total_score: 40,
    });
    expect(report_list).toEqual([
      { id: reports.last, submit_time: noon - 60 },
      { id: reports.first, submit_time: noon - 7200 },
    ]);
    expect(question.map((one: { ques_type: number }) => one.ques_type)).toEqual([1, 3, 2, 4, 7, 5, 6]);
    const { child } = card_info[0];
    expect(child.map((one: { question_type: number }) => one.question_type)).toEqual([1, 3, 2, 4, 7, 5, 1, 5]);
    expect(child.map((one: { sort: string }) => one.sort)).toEqual(['1', '2', '3', '4', '5', '6', '7.1', '7.2']);
    expect(child.map((one: { status: number }) => one.status)).toEqual([1, 2, 1, 2, 2, 5, 3, 5]);
    expect(question.map((one: { user_answer_text: string }) => one.user_answer_text)).toEqual([
      'B',
      'B',
      'A、C',
      '1–A、2–A',
      '３；6',
      '',
      '',
    ]);
    expect(question[5]).toMatchObject({ answer_content: '甲<strong>乙</strong>', user_score: 15 });
    expect(question[5].answerImages).toEqual([{ url: '/files/a.png', draw: '', path: '' }]);
    // Rates count graded reports of the reader's own school: both students have the first question right, one the
    // second.
    expect(question[0].average_rate).toBe(100);
    expect(question[1].average_rate).toBe(50);
    expect(question[6].ques_item.map((one: { status: number }) => one.status)).toEqual([3, 5]);
  });

  it('shows neither rank nor result before grading', async () => {
    const { report_info: info, card_info } = await sheet(reports.last);
    expect(info).toMatchObject({ test_status: 2, ranking: null, is_pass: 0, user_count: 3 });
    expect(card_info[0].child.map((one: { status: number }) => one.status)).toEqual([1, 2, 1, 2, 2, 4, 3, 4]);
  });

  it('shows no subjective score for an exam without essays', async () => {
    const { students, people } = school();
    const plain = await addExam(db(), { creator: people.teacher.id, school: 1, questions: everyType.slice(0, 2) });
    const id = await submitExamReport(db(), plain, students.k1[1] ?? 0, ['2', '1']);
    const { report_info: info } = await sheet(id);
    expect(info).toMatchObject({ subjective_score: null, objective_score: 15, ranking: 1, user_count: 1, is_pass: 2 });
  });

  it('survives malformed answers, options, marks and attachments', async () => {
    const { students, people } = school();
    const broken = await addExam(db(), {
      creator: people.teacher.id,
      school: 1,
      questions: [
        { type: 5, score: 100, right: '略' },
        { type: 1, score: 100, right: '1', options: 'no JSON' },
        { type: 4, score: 100, right: '1-3', options: everyType[3]?.options },
        { type: 5, score: 100, right: '略' },
      ],
    });
    const id = await submitExamReport(db(), broken, students.k1[0] ?? 0, [
      '{"content":',
      '7',
      'x-y,,9-1',
      '{"images":[1,null,{}]}',
    ]);
    await db()
      .updateTable('exam_answer')
      .set({ review_attachments: '{"a"', review_images: 'null' })
      .where('report_id', '=', id)
      .execute();
    await db().updateTable('exam_question').set({ points: '7', attachments: '[{"url":"http://x/"}]' }).execute();
    const { status, body } = await report(id);
    expect(status, body.msg).toBe(200);
    const [essay, choice, matching, images] = body.data.question;
    expect(essay.answer_content).toBe('{"content":');
    expect([choice.ques_option, choice.user_answer_text]).toEqual([[], '—']);
    expect(matching.user_answer_text).toContain('x-y');
    expect([images.answerImages, images.review_attachments, images.attachments]).toEqual([[], [], []]);
    expect((await school().as('teacher').get(`testDetail/preview/${broken.id}`)).status).toBe(200);
  });

  it('hides papers and sheets of others', async () => {
    const statusOf = async (who: Person, path: string) => (await school().as(who).get(path)).status;
    for (const path of [`testDetail/preview/${elsewhere.id}`, `testDetail/report/${reports.elsewhere}`]) {
      expect([await statusOf('teacher', path), await statusOf('assist', path)], path).toEqual([404, 404]);
      expect([await statusOf('otherTeacher', path), await statusOf('otherAssist', path)], path).toEqual([200, 200]);
    }
    // The exam is shared, so both schools see the paper, and each the answer sheets of its own students.
    expect(await statusOf('otherAssist', `testDetail/preview/${exam.id}`)).toBe(200);
    expect(await statusOf('otherAssist', `testDetail/report/${reports.theirs}`)).toBe(200);
    expect(await statusOf('otherAssist', `testDetail/report/${reports.first}`)).toBe(404);
    expect(await statusOf('assist', `testDetail/report/${reports.theirs}`)).toBe(404);
    expect(await statusOf('plainTeacher', `testDetail/report/${reports.theirs}`)).toBe(200);
    expect([
      await statusOf('teacher', `testDetail/preview/${draft.id}`),
      await statusOf('assist', `testDetail/preview/${draft.id}`),
    ]).toEqual([200, 404]);
    for (const id of ['0', '999999', 'x', '1e3', '99999999999']) {
      expect(await statusOf('teacher', `testDetail/preview/${id}`), id).toBe(404);
      expect(await statusOf('teacher', `testDetail/report/${id}`), id).toBe(404);
    }
    const refused = await school().as('assist').post(`testDetail/download/${elsewhere.id}`, {});
    expect([refused.status, refused.body.msg]).toEqual([404, '考试不存在']);
  });

  async function printPdf(variant: string, examId = exam.id): Promise<ReadPdf> {
    const { status, body } = await school().as('teacher').post(`testDetail/download/${examId}`, { variant });
    expect(status, body.msg).toBe(200);
    const headers = { authorization: `Bearer ${school().people.teacher.token}` };
    const file = await waitForFile(() => school().api.fetch(new Request(`http://api${body.data.path}`, { headers })));
    return readPdf(await bytesOf(file));
  }

  it('prints the paper, the answers, or a blank answer sheet', async () => {
    const [paper, solved, blank] = [
      await printPdf('paper'),
      await printPdf('with-answers'),
      await printPdf('answer-sheet'),
    ];
    for (const pdf of [paper, solved]) {
      const text = pdf.text();
      for (const part of [
        '考试时长：60分钟',
        '总分：100.0分',
        '及格分：60.0分',
        '一、全部题目',
        '1.（单选题，10.0分）第1题',
      ]) {
        expect(text.split(part), part).toHaveLength(2);
      }
      expect(text).toContain('2.（判断题，5.0分）');
      expect(text).toContain('3.（多选题，15.0分）');
      expect(text).toContain('4.（连线题，10.0分）');
      expect(text).toContain('7.2（简答题，20.0分）');
    }
    expect(solved.text()).toContain('答案1–A、2–B');
    expect(paper.text()).not.toContain('答案');
    expect(blank.text()).toContain('4（1）4（2）');
    expect(blank.text()).toContain('7.2（20.0分）');
    expect(blank.text()).not.toContain('第1题');
    const refused = await school().as('teacher').post(`testDetail/download/${exam.id}`, { variant: 'poster' });
    expect([refused.status, refused.body.errors]).toEqual([422, { variant: ['请选择试卷的样式'] }]);
  });

  // The other tests do not depend on the engine.
  if (engine !== 'SQLite') return;

  it('prints an exam of 200 questions completely', async () => {
    const { people } = school();
    const { id } = await addExam(db(), {
      creator: people.teacher.id,
      school: 1,
      name: '两百题',
      questions: Array.from({ length: 200 }, (_, index) => ({
        ...(everyType[index % 3] as (typeof everyType)[number]),
        stem: `<p>起${index + 1}始，${'题干的一句话。'.repeat(1 + (index % 5))}终${index + 1}止</p>`,
      })),
    });
    const pdf = await printPdf('with-answers', id);
    for (let number = 1; number <= 200; number += 1) {
      expect(pdf.find(`终${number}止`).page, `${number}`).toBe(pdf.find(`起${number}始`).page);
    }
    expect(pdf.text(pdf.pages)).toContain(`第${pdf.pages}页共${pdf.pages}页`);
  });

  it('prints the pictures of stems and options, and names missing ones', async () => {
    const green = sharp({ create: { width: 120, height: 80, channels: 3, background: '#00ff00' } });
    const stored = await school().services.storage.put(new Blob([await green.png().toBuffer()]).stream(), {
      extension: 'png',
      limit: 1e6,
    });
    if (!('ok' in stored)) throw new Error(stored.message);
    const gone = `/files/2026/01/${'a'.repeat(26)}.png`;
    const { id } = await addExam(db(), {
      creator: school().people.teacher.id,
      school: 1,
      questions: [
        {
          type: 1,
          score: 10,
          right: '1',
          stem: `<p>看图</p><p><img src="/files/${stored.ok.key}"></p>`,
          options: JSON.stringify([
            { id: 1, content: `甲<img src="${gone}">`, is_right: 1 },
            { id: 2, content: `乙<img src="http://169.254.169.254/">`, is_right: 2 },
          ]),
        },
      ],
    });
    const pdf = await printPdf('paper', id);
    const { x, y } = pdf.find('看图');
    expect((await pdf.picture(1))(x + 20, y + 30)).toEqual([0, 255, 0]);
    expect(pdf.text()).toContain('A.甲〔图片缺失〕B.乙〔图片缺失〕');
  });

  it('prints ten at once', async () => {
    const pdfs = await Promise.all(Array.from({ length: 10 }, () => printPdf('with-answers')));
    for (const pdf of pdfs) expect(pdf.title).toBe('期中考试');
  });
});
