import { expect, it } from 'vitest';
import { issueToken } from '#server/platform/auth/sign-in.ts';
import { wordTemplate } from '#server/questions/import/template.ts';
import { submitExamReport } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

const single = (stem: string) => ({
  ques_type: 1,
  ques_stem: `<p>${stem}</p>`,
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  right_answer: '2',
  ques_option: [1, 2, 3].map((id) => ({ id, content: `选项${id}`, is_right: id === 2 ? 1 : 2 })),
});

onBothEngines('administration of exams', (school) => {
  const admin = () => school().as('admin');
  const db = () => school().database.db;
  const own = async () => (await db().selectFrom('school').select('id').orderBy('id').execute())[0]?.id as number;

  const examFields = async (more: object = {}) => ({
    name: '期中考试',
    introduce: '',
    pass_score: '3',
    limit_minutes: '60',
    attempts: '2',
    start_at: noon - day,
    end_at: noon + day,
    school_ids: [await own()],
    ...more,
  });
  const draft = async (more: object = {}) =>
    (await admin().post('exams', await examFields(more))).body.data.id as number;
  const record = async (id: number) => (await admin().get(`exams/${id}`)).body.data;
  const paper = async (id: number) => (await admin().get(`exams/${id}/paper`)).body.data;
  const section = async (id: number, name = '一、选择题') =>
    (await admin().post(`exams/${id}/sections`, { name, introduce: '' })).body.data.id as number;
  const byHand = async (id: number, section_id: number, stem = '一加一等于几') =>
    (await admin().post(`exams/${id}/written`, { ...single(stem), section_id })).body.data.ids[0] as number;
  /** A draft that can be published: one question of 5 points. */
  const composed = async (more: object = {}) => {
    const id = await draft(more);
    const part = await section(id);
    const question = await byHand(id, part);
    await admin().post(`exams/${id}/sections/${part}/score`, { score: '5' });
    return { id, part, question };
  };
  const publishExam = async (more: object = {}) => {
    const { id, question } = await composed(more);
    await admin().post(`exams/${id}/publish`, { acknowledged: (await record(id)).reach });
    return { id, question };
  };
  const historyOf = async (id: number) => {
    const rows = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', 'exam')
      .where('record_id', '=', id)
      .orderBy('id')
      .execute();
    return rows.map((row) => [row.action, JSON.parse(row.before ?? 'null'), JSON.parse(row.after ?? 'null')]);
  };
  const orderOf = async (id: number) =>
    (await paper(id)).detail.map(({ question }: { question: { id: number }[] }) => question.map((one) => one.id));

  let count = 0;
  /** Creates another administrator: of a new school, or of all schools. */
  const colleague = async (everySchool: boolean) => {
    count += 1;
    const there = await db()
      .insertInto('school')
      .values({ org_name: `分校${count}` })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db()
      .insertInto('staff')
      .values({
        identity: 'admin',
        username: `exams-admin${count}`,
        password_hash: 'none',
        real_name: '另一位教务',
        school_id: there.id,
        every_school: everySchool ? 1 : 0,
        can_exams: 1,
        disabled_at: null,
        created_at: noon,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db().insertInto('staff_school').values({ staff_id: id, school_id: there.id }).execute();
    const token = await issueToken(db(), id, { device: '', address: '', now: noon });
    const ask = (method: string, path: string, body?: object) =>
      school().ask(`/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    return { id, school: there.id, ask };
  };

  it('creates drafts that only their maker sees', async () => {
    const answer = await admin().post('exams', await examFields({ name: ' 期中  考试 ' }));
    expect(outcomeOf(answer)).toEqual([200, '添加成功']);
    const { id } = answer.body.data;
    const fields = { name: '期中 考试', pass_score: 3, limit_minutes: 60, attempts: 2, end_at: noon + day };
    expect(await record(id)).toMatchObject({ ...fields, state: 'draft', is_own: 1, score: 0, published_at: null });
    const other = await colleague(true);
    expect(outcomeOf(await other.ask('GET', `exams/${id}`))).toEqual([404, '考试不存在']);
    expect(outcomeOf(await other.ask('PUT', `exams/${id}`, await examFields()))).toEqual([404, '考试不存在']);
    expect((await other.ask('GET', 'exams')).body.data.list).toEqual([]);
    for (const who of ['teacher', 'assist'] as const) {
      expect(outcomeOf(await school().as(who).get(`testDetail/getTestInfo/${id}`))).toEqual([404, '考试不存在']);
    }
    expect((await historyOf(id)).map(([action]) => action)).toEqual(['add']);
  });

  it('refuses invalid values with a message by field', async () => {
    expect(errorsOf(await admin().post('exams', {}))).toEqual([
      422,
      { name: ['请填写考试名称'], pass_score: ['及格分应为0到10000，最多一位小数'], school_ids: ['请选择学校'] },
    ]);
    const wrong = { name: '长'.repeat(250), pass_score: '6.55', limit_minutes: '1441', attempts: '-1' };
    expect(errorsOf(await admin().post('exams', await examFields({ ...wrong, start_at: '明天', end_at: 0 })))).toEqual([
      422,
      {
        name: ['考试名称不能超过100个字'],
        pass_score: ['及格分应为0到10000，最多一位小数'],
        limit_minutes: ['考试时长应为0到1440分钟的整数，0为不限时'],
        attempts: ['答题次数应为0到99的整数，0为不限次'],
        start_at: ['开始时间不正确'],
        end_at: ['结束时间不正确'],
      },
    ]);
    expect(errorsOf(await admin().post('exams', await examFields({ end_at: noon - day })))).toEqual([
      422,
      { end_at: ['结束时间应晚于开始时间'] },
    ]);
    const unknown = await examFields({ school_ids: [await own(), 99999], category_id: 99999 });
    expect(errorsOf(await admin().post('exams', unknown))).toEqual([
      422,
      { school_ids: ['请选择学校'], category_id: ['请选择考试分类'] },
    ]);
  });

  it('records edits in the history, and reports simultaneous edits with both values', async () => {
    const { id } = await publishExam();
    const { seen } = await record(id);
    const rest = await examFields({ seen, category_id: null });
    const other = await colleague(true);
    expect(outcomeOf(await other.ask('PUT', `exams/${id}`, { ...rest, name: '他们的名称' }))).toEqual([
      200,
      '保存成功',
    ]);
    const told = await admin().put(`exams/${id}`, { ...rest, name: '我的名称', introduce: '说明' });
    expect(told.status).toBe(409);
    expect(told.body.msg).toBe(
      '另一位教务刚刚修改了该记录：考试名称现在是“他们的名称”，您填写的是“我的名称”。再次保存将以您填写的为准。',
    );
    const again = { ...rest, name: '我的名称', introduce: '说明', seen: told.body.data.seen };
    expect((await admin().put(`exams/${id}`, again)).status).toBe(200);
    expect((await historyOf(id)).at(-1)).toEqual([
      'edit',
      { name: '他们的名称', introduce: '' },
      { name: '我的名称', introduce: '说明' },
    ]);
    const before = (await historyOf(id)).length;
    await admin().put(`exams/${id}`, { ...again, seen: (await record(id)).seen });
    expect((await historyOf(id)).length).toBe(before);
  });

  it('sorts sections, and deletes a filled one after confirmation', async () => {
    const id = await draft();
    expect(errorsOf(await admin().post(`exams/${id}/sections`, { name: ' ', introduce: '长'.repeat(501) }))).toEqual([
      422,
      { name: ['请填写部分名称'], introduce: ['部分说明不能超过500个字'] },
    ]);
    const [first, second] = [await section(id, '一'), await section(id, '二')];
    const names = async () => (await paper(id)).detail.map((one: { section: { name: string } }) => one.section.name);
    expect(outcomeOf(await admin().post(`exams/${id}/sections/${first}/move`, { to: 'up' }))).toEqual([
      409,
      '已经是第一部分',
    ]);
    expect(outcomeOf(await admin().post(`exams/${id}/sections/${second}/move`, { to: 'down' }))).toEqual([
      409,
      '已经是最后一部分',
    ]);
    expect((await admin().post(`exams/${id}/sections/${second}/move`, { to: 'up' })).status).toBe(200);
    expect(await names()).toEqual(['二', '一']);
    await admin().put(`exams/${id}/sections/${first}`, { name: '填空', introduce: '每空一分' });
    expect(await names()).toEqual(['二', '填空']);
    expect((await historyOf(id)).at(-1)).toEqual([
      'edit-section',
      { id: first, name: '一', introduce: '' },
      { id: first, name: '填空', introduce: '每空一分' },
    ]);
    await byHand(id, first);
    const told = await admin().delete(`exams/${id}/sections/${first}`);
    expect([told.status, told.body.data]).toEqual([409, { acknowledged: '1道题' }]);
    const acknowledged = encodeURIComponent('1道题');
    expect((await admin().delete(`exams/${id}/sections/${first}?acknowledged=${acknowledged}`)).status).toBe(200);
    expect(await names()).toEqual(['二']);
    expect((await record(id)).ques_num).toBe(0);
    expect(outcomeOf(await admin().delete(`exams/${id}/sections/${first}`))).toEqual([404, '试卷的部分不存在']);
  });

  it('copies questions from the banks', async () => {
    const mine = (await school().as('teacher').post('ques/add', single('讲师的题目'))).body.data.id as number;
    const id = await draft();
    const part = await section(id);
    const { colleagues } = (await admin().get('exams/bank/choices')).body.data;
    const teacher = school().people.teacher.id;
    expect(colleagues).toContainEqual({ id: teacher, name: '姓名teacher' });
    const bank = async (query: string) => (await admin().get(`exams/bank?${query}`)).body.data;
    const [row] = (await bank(`bank=colleague&owner_id=${teacher}&ques_stem=${encodeURIComponent('讲师的')}`)).list;
    expect(row).toMatchObject({ id: mine, stem_text: '讲师的题目' });
    expect((await bank('bank=colleague')).total).toBe(0);
    expect((await bank('bank=mine')).total).toBe(0);

    const other = await colleague(false);
    expect(outcomeOf(await other.ask('GET', `exams/bank?bank=colleague&owner_id=${teacher}`))).toEqual([
      404,
      '题库不存在',
    ]);

    expect(errorsOf(await admin().post(`exams/${id}/questions`, { section_id: part, ids: [] }))).toEqual([
      422,
      { ids: ['请选择题目'] },
    ]);
    const added = await admin().post(`exams/${id}/questions`, { section_id: part, ids: [mine] });
    expect(outcomeOf(added)).toEqual([200, '添加成功']);
    expect((await paper(id)).sources).toEqual([mine]);
    expect(errorsOf(await admin().post(`exams/${id}/questions`, { section_id: part, ids: [mine] }))).toEqual([
      422,
      { ids: ['有1道题已在试卷中'] },
    ]);
    await school().as('teacher').put(`ques/update/${mine}`, single('改过的题目'));
    expect((await paper(id)).detail[0].question[0].ques_stem).toContain('讲师的题目');
    const missing = await admin().post(`exams/${id}/questions`, { section_id: part, ids: [999_999] });
    expect(outcomeOf(missing)).toEqual([404, '题目不存在']);
  });

  it('adds questions by hand and from Word without storing them in a bank', async () => {
    const id = await draft();
    const part = await section(id);
    const bare = await admin().post(`exams/${id}/written`, { section_id: part });
    expect([bare.status, bare.body.msg]).toEqual([422, '请完善信息']);
    const question = await byHand(id, part, '原来的题干');
    const shown = (await admin().get(`exams/${id}/questions/${question}`)).body.data;
    expect(shown).toMatchObject({ ques_type: 1, ques_stem: '<p>原来的题干</p>', right_answer: '2' });
    expect(outcomeOf(await admin().put(`exams/${id}/questions/${question}`, single('后来的题干')))).toEqual([
      200,
      '编辑成功',
    ]);
    expect((await historyOf(id)).at(-1)).toEqual([
      'edit-question',
      { question_id: question, ques_stem: '<p>原来的题干</p>' },
      { question_id: question, ques_stem: '<p>后来的题干</p>' },
    ]);

    const form = new FormData();
    form.set('file', new File([new Uint8Array(await wordTemplate())], '试卷.docx'));
    const { import_id } = (await admin().post('exams/importing', form)).body.data;
    const readImport = async () => (await admin().get(`exams/importing/${import_id}`)).body.data;
    await expect.poll(async () => (await readImport()).status).toBe(2);
    const state = await readImport();
    expect(state).toMatchObject({ status: 2, file_name: '试卷.docx', good: state.total });
    const other = await colleague(true);
    expect((await other.ask('GET', `exams/importing/${import_id}`)).status).toBe(404);
    const taken = await admin().post(`exams/${id}/importing/${import_id}`, { section_id: part, scope: 'all' });
    expect(outcomeOf(taken)).toEqual([200, '导入成功']);
    expect(taken.body.data.ids.length).toBe(state.total);
    const types = (await paper(id)).detail[0].question.map((one: { ques_type: number }) => one.ques_type);
    expect(new Set(types)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect((await admin().get('exams/bank?bank=mine')).body.data.total).toBe(0);
    expect((await admin().post(`exams/${id}/importing/${import_id}`, { section_id: part })).status).toBe(404);
  });

  it('merges edits of two windows of the same maker, and reports conflicts with both values', async () => {
    const { id, part, question } = await composed();
    const other = await byHand(id, part, '二加二等于几');
    const { paper_seen: seen } = await record(id);
    const scores = (one: string, two: string) => ({
      scores: [
        { id: question, score: one },
        { id: other, score: two },
      ],
    });
    const keep = (one: string, two: string, was: string) =>
      admin().put(`exams/${id}/scores`, { ...scores(one, two), seen: was });
    expect(outcomeOf(await keep('5', '4', seen))).toEqual([200, '保存成功']);
    // The other window still shows 5 and 5, and its user changes only the first score.
    expect(outcomeOf(await keep('7', '5', seen))).toEqual([200, '保存成功']);
    expect((await paper(id)).detail[0].question.map((one: { ques_score: number }) => one.ques_score)).toEqual([7, 4]);
    const both = await keep('6', '5', seen);
    expect([both.status, both.body.msg]).toEqual([
      409,
      '姓名admin刚刚修改了该记录：第1题分值现在是“7”，您填写的是“6”。再次保存将以您填写的为准。',
    ]);
    expect(outcomeOf(await keep('6', '4', both.body.data.seen))).toEqual([200, '保存成功']);

    const section = (name: string) => admin().put(`exams/${id}/sections/${part}`, { name, introduce: '', seen });
    expect(outcomeOf(await section('一、单选题'))).toEqual([200, '保存成功']);
    const renamed = await section('一、选择');
    expect([renamed.status, renamed.body.msg]).toEqual([
      409,
      '姓名admin刚刚修改了该记录：部分名称现在是“一、单选题”，您填写的是“一、选择”。再次保存将以您填写的为准。',
    ]);

    const address = `exams/${id}/questions/${question}`;
    const { seen: shown } = (await admin().get(address)).body.data;
    const edit = (more: object) => admin().put(address, { ...single('一加一等于几'), ...more, seen: shown });
    expect(outcomeOf(await edit({ ques_stem: '<p>一加一是几</p>' }))).toEqual([200, '编辑成功']);
    expect(outcomeOf(await edit({ ques_analysis: '<p>数一数</p>' }))).toEqual([200, '编辑成功']);
    expect((await admin().get(address)).body.data).toMatchObject({
      ques_stem: '<p>一加一是几</p>',
      ques_analysis: '<p>数一数</p>',
    });
    const again = await edit({ ques_stem: '<p>1+1=？</p>' });
    expect([again.status, again.body.msg]).toEqual([
      409,
      '姓名admin刚刚修改了该记录：题干现在是“一加一是几”，您填写的是“1+1=？”。再次保存将以您填写的为准。',
    ]);
  });

  it('sets scores one by one or per section, and updates the sums', async () => {
    const id = await draft();
    const part = await section(id);
    const [first, second] = [await byHand(id, part), await byHand(id, part, '二')];
    const scores = (score: string) => ({ scores: [first, second].map((one) => ({ id: one, score })) });
    expect(errorsOf(await admin().put(`exams/${id}/scores`, scores('0')))).toEqual([
      422,
      {
        [`score-${first}`]: ['分值应为0.1到100，最多一位小数'],
        [`score-${second}`]: ['分值应为0.1到100，最多一位小数'],
      },
    ]);
    expect(outcomeOf(await admin().put(`exams/${id}/scores`, scores('２。５')))).toEqual([200, '保存成功']);
    expect(await record(id)).toMatchObject({ score: 5, ques_num: 2 });
    expect((await historyOf(id)).at(-1)).toEqual([
      'score',
      { questions: [first, second], scores: [0, 0] },
      { questions: [first, second], scores: [2.5, 2.5] },
    ]);
    // The next question of the type gets the same score.
    const third = await byHand(id, part, '三');
    expect((await record(id)).score).toBe(7.5);
    expect(errorsOf(await admin().post(`exams/${id}/sections/${part}/score`, { score: 'x' }))).toEqual([
      422,
      { score: ['分值应为0.1到100，最多一位小数'] },
    ]);
    await admin().post(`exams/${id}/sections/${part}/score`, { score: 4 });
    expect((await record(id)).score).toBe(12);
    await admin().delete(`exams/${id}/questions/${third}`);
    expect(await record(id)).toMatchObject({ score: 8, ques_num: 2 });
    expect(outcomeOf(await admin().delete(`exams/${id}/questions/${third}`))).toEqual([404, '试卷中没有该题目']);
  });

  it('moves questions within and across sections', async () => {
    const id = await draft();
    const [one, two] = [await section(id, '一'), await section(id, '二')];
    const [a, b] = [await byHand(id, one, 'a'), await byHand(id, one, 'b')];
    const move = (question: number, to: string) => admin().post(`exams/${id}/questions/${question}/move`, { to });
    expect(outcomeOf(await move(a, 'up'))).toEqual([409, '已经是第一题']);
    await move(a, 'down');
    expect(await orderOf(id)).toEqual([[b, a], []]);
    await move(a, 'down');
    expect(await orderOf(id)).toEqual([[b], [a]]);
    expect(outcomeOf(await move(a, 'down'))).toEqual([409, '已经是最后一题']);
    await move(b, 'down');
    expect(await orderOf(id)).toEqual([[], [b, a]]);
    await move(b, 'up');
    expect(await orderOf(id)).toEqual([[b], [a]]);
    expect((await historyOf(id)).at(-1)).toEqual([
      'move-question',
      { question_id: b, section_id: two, place: 1 },
      { question_id: b, section_id: one, place: 1 },
    ]);
  });

  it('moves a question to a typed number, across sections', async () => {
    const id = await draft();
    const [one, two] = [await section(id, '一'), await section(id, '二')];
    const [a, b, c] = [await byHand(id, one, 'a'), await byHand(id, one, 'b'), await byHand(id, one, 'c')];
    const [d, e] = [await byHand(id, two, 'd'), await byHand(id, two, 'e')];
    const move = (question: number, place: string) => admin().post(`exams/${id}/questions/${question}/move`, { place });
    await move(c, '1');
    expect(await orderOf(id)).toEqual([
      [c, a, b],
      [d, e],
    ]);
    await move(c, '3');
    expect(await orderOf(id)).toEqual([
      [a, b, c],
      [d, e],
    ]);
    await move(a, '4');
    expect(await orderOf(id)).toEqual([
      [b, c],
      [d, a, e],
    ]);
    await move(e, '2');
    expect(await orderOf(id)).toEqual([
      [b, e, c],
      [d, a],
    ]);
    await move(b, '1');
    expect(await orderOf(id)).toEqual([
      [b, e, c],
      [d, a],
    ]);
    for (const place of ['0', '6', '1.5', '']) {
      expect(errorsOf(await move(a, place))).toEqual([422, { place: ['题号为1到5的整数'] }]);
    }
    expect((await historyOf(id)).map(([action]) => action)).toContain('move-question');
  });

  it('validates the whole paper before publishing', async () => {
    const id = await draft({ pass_score: '60', end_at: noon - 1 });
    expect(errorsOf(await admin().post(`exams/${id}/publish`, {}))).toEqual([
      422,
      { paper: ['试卷还没有题目', '结束时间已过'] },
    ]);
    const part = await section(id);
    await section(id, '二、简答题');
    const question = await byHand(id, part);
    await byHand(id, part, '二');
    await byHand(id, part, '三');
    await admin().put(`exams/${id}/scores`, { scores: [{ id: question, score: '5' }] });
    await db().updateTable('exam_question').set({ right_answer: '' }).where('id', '=', question).execute();
    const faults = [
      '“二、简答题”没有题目',
      '第2、3题没有分值',
      '第1题没有正确答案',
      '及格分60.0高于总分5.0',
      '结束时间已过',
    ];
    expect((await record(id)).faults).toEqual(faults);
    const refused = await admin().post(`exams/${id}/publish`, {});
    expect([refused.status, refused.body.msg]).toEqual([422, `试卷还不能发布：${faults.join('；')}`]);
    expect((await record(id)).state).toBe('draft');
  });

  it('publishes after naming the reach; lecturers and assistants then see and grade the exam', async () => {
    const { id, question } = await composed({ name: '发布的考试' });
    const { reach } = await record(id);
    const students = (
      await db()
        .selectFrom('student')
        .select('id')
        .where('school_id', '=', await own())
        .execute()
    ).length;
    expect(reach).toBe(`1所学校，${students}名学员`);
    const told = await admin().post(`exams/${id}/publish`, { acknowledged: '' });
    expect([told.status, told.body.data]).toEqual([409, { acknowledged: reach }]);
    expect(outcomeOf(await admin().post(`exams/${id}/publish`, { acknowledged: reach }))).toEqual([200, '发布成功']);
    expect((await record(id)).state).toBe('running');
    expect((await historyOf(id)).at(-1)).toEqual(['publish', { status: 2 }, { status: 1, reach }]);
    expect(outcomeOf(await admin().post(`exams/${id}/publish`, { acknowledged: reach }))).toEqual([
      409,
      '该考试已发布',
    ]);

    const student = school().students.k1[0] as number;
    await submitExamReport(db(), { id, questions: [question] }, student, ['2']);
    for (const who of ['teacher', 'assist'] as const) {
      const teacher = school().as(who);
      const { list } = (await teacher.get(`test/list?name=${encodeURIComponent('发布的考试')}`)).body.data;
      expect(list).toMatchObject([{ id, score: 5, status: 1, submitted: 1, waiting: 0, nickname: '姓名admin' }]);
      expect((await teacher.get(`testDetail/getTestInfo/${id}`)).body.data).toMatchObject({
        name: '发布的考试',
        pass_score: 3,
        limit_time: 3600,
        ques_num: 1,
        answer_users_num: 1,
      });
      expect((await teacher.get(`testDetail/list/${id}`)).body.data.list).toMatchObject([
        { user_score: 5, is_pass: 1 },
      ]);
      expect((await teacher.get(`testDetail/preview/${id}`)).body.data.detail[0].question[0].ques_stem).toContain(
        '一加一等于几',
      );
      expect((await teacher.get(`test/questionStatistics/${id}`)).body.data.list).toHaveLength(1);
    }
    expect(await record(id)).toMatchObject({ submitted: 1, waiting: 0, reports: 1 });
  });

  it('freezes the paper on publishing, and the pass score at the first submission', async () => {
    const { id, question } = await publishExam();
    const { seen, state } = await record(id);
    expect(state).toBe('running');
    for (const answer of [
      await admin().post(`exams/${id}/sections`, { name: '二', introduce: '' }),
      await admin().put(`exams/${id}/scores`, { scores: [{ id: question, score: '9' }] }),
      await admin().delete(`exams/${id}/questions/${question}`),
      await admin().put(`exams/${id}/questions/${question}`, single('改')),
    ]) {
      expect(outcomeOf(answer)).toEqual([409, '考试已发布，试卷不能修改']);
    }
    const change = { seen, limit_minutes: '90', end_at: noon + 2 * day, attempts: '1' };
    expect(errorsOf(await admin().put(`exams/${id}`, await examFields(change)))).toEqual([
      422,
      {
        limit_minutes: ['考试已发布，考试时长不能修改'],
        end_at: ['考试已发布，结束时间不能修改'],
        attempts: ['考试已发布，答题次数不能修改'],
      },
    ]);
    expect((await admin().put(`exams/${id}`, await examFields({ seen, pass_score: '4' }))).status).toBe(200);
    await submitExamReport(db(), { id, questions: [question] }, school().students.k1[0] as number, ['1']);
    const later = await examFields({ seen: (await record(id)).seen, pass_score: '5' });
    expect(errorsOf(await admin().put(`exams/${id}`, later))).toEqual([
      422,
      { pass_score: ['已有1份答卷，及格分不能修改'] },
    ]);
    expect(outcomeOf(await admin().delete(`exams/${id}`))).toEqual([409, '已发布的考试不能删除']);
    const { reach } = await record(id);
    expect(outcomeOf(await admin().post(`exams/${id}/withdraw`, { acknowledged: reach }))).toEqual([
      409,
      '已有1份答卷，不能撤回',
    ]);
  });

  it('extends and closes after confirmation, also by another administrator', async () => {
    const { id, question } = await publishExam();
    const other = await colleague(true);
    const { reach, seen } = await record(id);
    const extend = (end_at: number | undefined, more: object = {}) =>
      admin().post(`exams/${id}/extend`, { end_at, seen, acknowledged: reach, ...more });
    expect(errorsOf(await extend(undefined))).toEqual([422, { end_at: ['请填写新的结束时间'] }]);
    expect(errorsOf(await extend(noon + day - 60))).toEqual([422, { end_at: ['新的结束时间应晚于现在的结束时间'] }]);
    const told = await extend(noon + 2 * day, { acknowledged: '' });
    expect([told.status, told.body.data]).toEqual([409, { acknowledged: reach }]);
    expect(
      (await other.ask('POST', `exams/${id}/extend`, { end_at: noon + 3 * day, seen, acknowledged: reach })).status,
    ).toBe(200);
    const both = await extend(noon + 2 * day);
    expect(outcomeOf(both)).toEqual([
      409,
      '另一位教务刚刚修改了该记录：结束时间现在是“2026-11-23 12:00”，您填写的是“2026-11-22 12:00”。再次保存将以您填写的为准。',
    ]);
    expect(outcomeOf(await extend(noon + 4 * day, { seen: both.body.data.seen }))).toEqual([200, '已延长']);
    expect((await historyOf(id)).at(-1)).toEqual([
      'extend',
      { end_at: noon + 3 * day },
      { end_at: noon + 4 * day, reach },
    ]);

    const student = school().students.k1[0] as number;
    await submitExamReport(db(), { id, questions: [question] }, student, ['2']);
    const { closing } = await record(id);
    expect(closing).toBe(`${reach}，已交1份答卷`);
    expect((await admin().post(`exams/${id}/close`, { acknowledged: reach })).status).toBe(409);
    expect(outcomeOf(await admin().post(`exams/${id}/close`, { acknowledged: closing }))).toEqual([200, '已结束']);
    expect((await record(id)).state).toBe('closed');
    expect(outcomeOf(await admin().post(`exams/${id}/close`, { acknowledged: closing }))).toEqual([
      409,
      '该考试已结束',
    ]);
    await expect(submitExamReport(db(), { id, questions: [question] }, student, ['2'])).rejects.toThrow(
      '该考试已结束，不能提交',
    );

    const later = await publishExam({ start_at: noon + 60 });
    expect((await record(later.id)).state).toBe('published');
    const ending = (await record(later.id)).closing;
    expect(outcomeOf(await admin().post(`exams/${later.id}/close`, { acknowledged: ending }))).toEqual([
      409,
      '该考试尚未开始，可以撤回',
    ]);
    const endless = await publishExam({ end_at: null });
    expect(outcomeOf(await admin().post(`exams/${endless.id}/extend`, { end_at: noon + day }))).toEqual([
      409,
      '该考试没有结束时间，不用延长',
    ]);
  });

  it('limits the number of submissions', async () => {
    const { id, question } = await publishExam({ attempts: '' });
    const student = school().students.k1[1] as number;
    await submitExamReport(db(), { id, questions: [question] }, student, ['1']);
    await expect(submitExamReport(db(), { id, questions: [question] }, student, ['2'])).rejects.toThrow(
      '该考试只能提交1次',
    );
  });

  it('lets the maker withdraw until somebody starts, and deletes drafts', async () => {
    const { id } = await publishExam();
    const { reach } = await record(id);
    const other = await colleague(true);
    expect(outcomeOf(await other.ask('POST', `exams/${id}/withdraw`, { acknowledged: reach }))).toEqual([
      403,
      '只有创建人可以撤回',
    ]);
    expect((await admin().post(`exams/${id}/withdraw`, {})).body.data).toEqual({ acknowledged: reach });
    expect(outcomeOf(await admin().post(`exams/${id}/withdraw`, { acknowledged: reach }))).toEqual([200, '已撤回']);
    expect(outcomeOf(await other.ask('GET', `exams/${id}`))).toEqual([404, '考试不存在']);
    expect(outcomeOf(await admin().post(`exams/${id}/withdraw`, { acknowledged: reach }))).toEqual([
      409,
      '该考试还没有发布',
    ]);
    expect(outcomeOf(await admin().delete(`exams/${id}`))).toEqual([200, '删除成功']);
    expect(outcomeOf(await admin().get(`exams/${id}`))).toEqual([404, '考试不存在']);
    expect((await historyOf(id)).map(([action]) => action).slice(-2)).toEqual(['withdraw', 'remove']);
    expect(await draft()).toBeGreaterThan(id);
  });

  it('hides exams of other schools, and leaves shared ones to administrators of all their schools', async () => {
    const { id } = await publishExam();
    const other = await colleague(false);
    expect(outcomeOf(await other.ask('GET', `exams/${id}`))).toEqual([404, '考试不存在']);
    for (const path of ['publish', 'extend', 'close', 'withdraw'].map((what) => `exams/${id}/${what}`)) {
      expect(outcomeOf(await other.ask('POST', path, {}))).toEqual([404, '考试不存在']);
    }
    const theirs = await other.ask('POST', 'exams', await examFields());
    expect(errorsOf(theirs)).toEqual([422, { school_ids: ['请选择学校'] }]);

    const shared = await publishExam({ name: '两校联考', school_ids: [await own(), other.school] });
    const seen = (await other.ask('GET', `exams/${shared.id}`)).body.data;
    await submitExamReport(db(), { id: shared.id, questions: [shared.question] }, school().students.k1[0] as number, [
      '2',
    ]);
    const after = (await other.ask('GET', `exams/${shared.id}`)).body.data;
    // Students and submissions of the other school are not counted.
    expect(after).toMatchObject({ submitted: 0, reports: 0, reach: '1所学校，0名学员' });
    expect(after.closing).toBe('1所学校，0名学员，已交0份答卷');
    expect(await record(shared.id)).toMatchObject({ submitted: 1, reports: 1 });
    expect(seen).toMatchObject({ name: '两校联考', is_own: 0, submitted: 0 });
    expect(seen.refusals.close).toBe('该考试也属于您不管理的学校：总校');
    expect(outcomeOf(await other.ask('POST', `exams/${shared.id}/close`, { acknowledged: seen.closing }))).toEqual([
      403,
      '该考试也属于您不管理的学校：总校',
    ]);
  });

  it('lists exams by name, category, state and school, page by page', async () => {
    const category = await db()
      .insertInto('exam_category')
      .values({ name: '月考', parent_id: null, sort: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { school: branch } = await colleague(false);
    const name = '列表里的考试';
    const made = {
      draft: await draft({ name }),
      published: (await publishExam({ name, start_at: noon + 60, category_id: category.id })).id,
      running: (await publishExam({ name, start_at: null, end_at: null, school_ids: [await own(), branch] })).id,
      closed: (await publishExam({ name })).id,
    };
    await admin().post(`exams/${made.closed}/close`, { acknowledged: (await record(made.closed)).closing });
    const list = async (query: string) =>
      (await admin().get(`exams?name=${encodeURIComponent(name)}&${query}`)).body.data.list.map(
        (row: { id: number }) => row.id,
      );
    for (const [state, id] of Object.entries(made)) expect(await list(`state=${state}`)).toEqual([id]);
    expect(await list(`classify_id=${category.id}`)).toEqual([made.published]);
    expect(await list(`school_id=${branch}`)).toEqual([made.running]);
    const {
      list: rows,
      total,
      page,
    } = (await admin().get(`exams?name=${encodeURIComponent(name)}&limit=3&page=9`)).body.data;
    expect([rows.length, total, page]).toEqual([1, 4, 2]);
    const choices = (await admin().get('exams/choices')).body.data;
    expect(choices.categories).toContainEqual({ id: category.id, name: '月考', children: [] });
  });

  it('requires the permission', async () => {
    const other = await colleague(true);
    await db().updateTable('staff').set({ can_exams: 0, can_people: 1 }).where('id', '=', other.id).execute();
    expect((await other.ask('GET', 'exams')).status).toBe(403);
    expect((await other.ask('POST', 'exams', await examFields())).status).toBe(403);
  });
});
