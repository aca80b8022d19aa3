import { expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { noon, type TestSchool } from '../support/school.ts';

const single = {
  ques_type: 1,
  ques_stem: '下列词语中没有错别字的是',
  ques_option: [
    { id: 1, content: '再接再厉', is_right: 1 },
    { id: 2, content: '一愁莫展', is_right: 2 },
  ],
  ques_analysis: '应为“一筹莫展”',
  facility_value: 2,
  remark: '第一单元',
};
const essay = { ques_type: 5, ques_stem: '简述光合作用', right_answer: '把光能变为化学能', facility_value: 3 };
const material = {
  ques_type: 6,
  ques_stem: '阅读下文',
  facility_value: 4,
  ques_item: [essay, { ...single, facility_value: 0 }],
};

const add = async (school: TestSchool, who: keyof TestSchool['people'], question: object): Promise<number> =>
  (await school.as(who).post('ques/add', question)).body.data.id;

/** Publishes a question as administration does, at a knowledge point. */
async function publish(school: TestSchool, id: number, pointId: number | null = null): Promise<void> {
  await school.database.db
    .updateTable('question')
    .set({ is_public: 1, point_id: pointId })
    .where('id', '=', id)
    .execute();
}

async function addPoint(school: TestSchool, name: string, parent_id: number | null = null, sort = 0): Promise<number> {
  const { id } = await school.database.db
    .insertInto('knowledge_point')
    .values({ name, parent_id, sort })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const setting = async (school: TestSchool, value: '0' | '1') => {
  await school.database.db
    .insertInto('setting')
    .values({ name: 'switch_question_module', value })
    .onConflict((c) => c.column('name').doUpdateSet({ value }))
    .execute();
  // Settings are cached for some seconds.
  school.setNow(noon + (value === '0' ? 100 : 200));
};

onBothEngines('question editing', (school) => {
  it('refuses an answer that contradicts the marked options', async () => {
    const post = (more: object) =>
      school()
        .as('teacher')
        .post('ques/add', { ...single, ...more });
    const refused = await post({ right_answer: '2' });
    expect([refused.status, refused.body.errors]).toEqual([422, { right_answer: ['正确答案与选项的标记不一致'] }]);
    const inMaterial = await school()
      .as('teacher')
      .post('ques/add', { ...material, ques_item: [essay, { ...single, right_answer: '1,2' }] });
    expect(inMaterial.body.errors).toEqual({ 'ques_item.1.right_answer': ['正确答案与选项的标记不一致'] });
    // Equal or single values do not contradict.
    for (const same of [
      { right_answer: ' 1 ' },
      {},
      { right_answer: '1', ques_option: single.ques_option.map(({ content }) => ({ content })) },
    ]) {
      expect((await post(same)).status).toBe(200);
    }
  });

  it('adds each type, and shows it as written with the answer in words', async () => {
    const written = {
      judgement: { ques_type: 2, ques_stem: '地球是圆的', right_answer: '1', facility_value: 1 },
      multiple: {
        ...single,
        ques_type: 3,
        ques_option: single.ques_option.map((option) => ({ ...option, is_right: 1 })),
      },
      indefinite: { ...single, ques_type: 4 },
      blanks: { ques_type: 7, ques_stem: '1+1=__，a__b', right_answer: '2@@<', facility_value: 5 },
    };
    const ids = [
      await add(school(), 'teacher', single),
      await add(school(), 'teacher', written.judgement),
      await add(school(), 'teacher', written.multiple),
      await add(school(), 'teacher', written.indefinite),
      await add(school(), 'teacher', essay),
      await add(school(), 'teacher', material),
      await add(school(), 'teacher', written.blanks),
    ];
    const { body } = await school()
      .as('teacher')
      .get(`ques/show/${ids.join(',')}`);
    expect(body.data.map((question: { id: number }) => question.id)).toEqual(ids);
    const nthQuestion = (index: number) => body.data[index];
    expect(nthQuestion(0)).toMatchObject({ ...single, right_answer: '1', display: { right_answer: 'A' } });
    expect(nthQuestion(1)).toMatchObject({
      ques_option: [
        { id: 1, content: '正确', is_right: 1 },
        { id: 2, content: '错误', is_right: 2 },
      ],
      display: { right_answer: '正确' },
    });
    expect(nthQuestion(2)).toMatchObject({ right_answer: '1,2', display: { right_answer: 'A、B' } });
    expect(nthQuestion(3)).toMatchObject({ right_answer: '1', ques_item: [] });
    expect(nthQuestion(4)).toMatchObject({ right_answer: '把光能变为化学能', ques_option: [] });
    // A part without a difficulty takes its material's.
    expect(nthQuestion(5).ques_item).toMatchObject([
      { ques_type: 5, facility_value: 3 },
      { ques_type: 1, facility_value: 4, right_answer: '1' },
    ]);
    expect(nthQuestion(6)).toMatchObject({ right_answer: '2@@<', display: { right_answer: '2；&lt;' } });
  });

  it('accepts ques_option and ques_item as JSON text', async () => {
    const id = await add(school(), 'assist', {
      ...single,
      ques_type: '1',
      facility_value: '2',
      ques_option: JSON.stringify(single.ques_option),
    });
    const parts = await add(school(), 'assist', { ...material, ques_item: JSON.stringify(material.ques_item) });
    const { body } = await school().as('assist').get(`ques/show/${id},${parts}`);
    expect(body.data[0].ques_option).toEqual(single.ques_option);
    expect(body.data[1].ques_item).toHaveLength(2);
  });

  it.each([
    ['nothing at all', {}, { ques_type: ['请完善信息'], ques_stem: ['请完善信息'], facility_value: ['请完善信息'] }],
    ['an unknown type', { ...single, ques_type: 8 }, { ques_type: ['请完善信息'] }],
    ['a stem of markup alone', { ...single, ques_stem: '<p><br></p>' }, { ques_stem: ['请完善信息'] }],
    ['a stem of a script alone', { ...single, ques_stem: '<script>alert(1)</script>' }, { ques_stem: ['请完善信息'] }],
    ['a difficulty of 6', { ...single, facility_value: 6 }, { facility_value: ['难度为1到5'] }],
    [
      'an empty option',
      { ...single, ques_option: [single.ques_option[0], { id: 2, content: '', is_right: 2 }] },
      { 'ques_option.1.content': ['选项B内容不能为空'] },
    ],
    ['one option', { ...single, ques_option: [single.ques_option[0]] }, { ques_option: ['选项数量为2到26个'] }],
    [
      '27 options',
      { ...single, ques_option: Array.from({ length: 27 }, (_, i) => ({ content: `${i}`, is_right: i ? 2 : 1 })) },
      { ques_option: ['选项数量为2到26个'] },
    ],
    [
      'no right option',
      { ...single, ques_option: single.ques_option.map((option) => ({ ...option, is_right: 2 })) },
      { right_answer: ['请选择一个正确答案'] },
    ],
    [
      'one right option of a multiple choice',
      { ...single, ques_type: 3 },
      { right_answer: ['请至少选择两个正确答案'] },
    ],
    ['no reference answer', { ...essay, right_answer: '<p> </p>' }, { right_answer: ['请完善信息'] }],
    [
      'more answers than blanks',
      { ...essay, ques_type: 7, ques_stem: '1+1=____', right_answer: '2@@3' },
      { right_answer: ['题干有1个空，答案有2个，请改为一致'] },
    ],
    ['an empty blank', { ...essay, ques_type: 7, right_answer: '2@@' }, { right_answer: ['请完善信息'] }],
    ['a remark of 21 characters', { ...single, remark: '备'.repeat(21) }, { remark: ['备注不能超过20个字'] }],
    ['a material without questions', { ...material, ques_item: [] }, { ques_item: ['至少保留一道小题'] }],
    ['broken JSON', { ...material, ques_item: '[{' }, { ques_item: ['至少保留一道小题'] }],
    [
      'a material in a material',
      { ...material, ques_item: [{ ...essay, ques_type: 6 }] },
      { 'ques_item.0.ques_type': ['小题不能是材料题'] },
    ],
    [
      'a part without stem',
      { ...material, ques_item: [{ ...essay, ques_stem: '' }] },
      { 'ques_item.0.ques_stem': ['请完善信息'] },
    ],
  ])('refuses %s by field', async (_, question, errors) => {
    const before = (await school().as('teacher').get('ques/index')).body.data.total;
    const answer = await school().as('teacher').post('ques/add', question);
    expect([answer.status, answer.body.msg]).toEqual([422, '请完善信息']);
    expect(answer.body.errors).toEqual(errors);
    expect((await school().as('teacher').get('ques/index')).body.data.total).toBe(before);
  });

  it('keeps formats, pictures and formulas, and strips active content', async () => {
    const id = await add(school(), 'teacher', {
      ...single,
      ques_stem:
        '<p onclick="x()">求 <span class="math" data-latex="\\frac{1}{2}">x</span> \u0000 <img src="/files/2026/11/abc.png" onerror="x()"><script>x()</script><a href="javascript:x()">链接</a></p>',
    });
    const { body } = await school().as('teacher').get(`ques/show/${id}`);
    const [question] = body.data;
    expect(question.ques_stem).toContain('data-latex="\\frac{1}{2}"');
    expect(question.ques_stem).toContain('src="/files/2026/11/abc.png"');
    expect(question.ques_stem).not.toMatch(/onclick|onerror|script|javascript|evil|\p{Cc}/u);
    expect(question.display.ques_stem).toContain('<math');
    expect(question.stem_text).toContain('\\frac{1}{2}');
    expect((await school().as('teacher').get('ques/index?ques_stem=frac')).body.data.list).toContainEqual(
      expect.objectContaining({ id }),
    );
  });

  it('edits a question and its parts in place', async () => {
    const id = await add(school(), 'teacher', material);
    school().setNow(noon + 60);
    const edited = await school()
      .as('teacher')
      .put(`ques/update/${id}`, { ...material, ques_stem: '改过的材料', ques_item: [single] });
    expect(edited.body).toEqual({ code: 200, msg: '编辑成功', data: null });
    const [shown] = (await school().as('teacher').get(`ques/show/${id}`)).body.data;
    expect(shown).toMatchObject({ ques_stem: '改过的材料', updated_at: noon + 60 });
    expect(shown.ques_item).toMatchObject([{ ques_stem: single.ques_stem }]);
    const refused = await school()
      .as('teacher')
      .put(`ques/update/${id}`, { ...material, ques_item: [] });
    expect(refused.status).toBe(422);
    expect((await school().as('teacher').get(`ques/show/${id}`)).body.data[0].ques_item).toHaveLength(1);
  });

  it('creates one question for a repeated request', async () => {
    const headers = { 'idempotency-key': 'add-once' };
    const first = await school().as('assist').post('ques/add', single, headers);
    const again = await school().as('assist').post('ques/add', single, headers);
    expect(first.body.msg).toBe('添加成功');
    expect(again.body).toEqual(first.body);
  });

  it('deletes all or none, by the owner alone', async () => {
    const [one, two] = [await add(school(), 'teacher', single), await add(school(), 'teacher', material)];
    const theirs = await add(school(), 'otherTeacher', single);
    const part = (await school().as('teacher').get(`ques/show/${two}`)).body.data[0].ques_item[0].id;
    for (const ids of [`${one},${theirs}`, `${one},999999`, `${one},${part}`, `${one},x`]) {
      expect((await school().as('teacher').delete(`ques/del/${ids}`)).status).toBe(404);
    }
    expect((await school().as('teacher').get(`ques/show/${one},${two}`)).status).toBe(200);
    const none = await school().as('teacher').delete('ques/del/');
    expect([none.status, none.body.msg]).toEqual([422, '请先选择题目']);
    const deleted = await school().as('teacher').delete(`ques/del/${one},${two}`);
    expect(deleted.body).toEqual({ code: 200, msg: '删除成功', data: null });
    expect((await school().as('teacher').get(`ques/show/${one}`)).status).toBe(404);
    const left = await school().database.db.selectFrom('question').select('id').where('id', '=', part).execute();
    expect(left).toEqual([]);
  });

  it("answers 404 for others' and invalid ids, and 403 without the permission", async () => {
    const theirs = await add(school(), 'otherTeacher', single);
    for (const id of [theirs, 999_999, 'x', '1,x', '0']) {
      expect((await school().as('teacher').get(`ques/show/${id}`)).status).toBe(404);
      expect((await school().as('teacher').get(`ques/public/detail/${id}`)).status).toBe(404);
    }
    expect((await school().as('teacher').put(`ques/update/${theirs}`, single)).status).toBe(404);
    expect((await school().as('plainTeacher').get('ques/index')).status).toBe(403);
    expect((await school().as('plainTeacher').post('ques/add', single)).status).toBe(403);
  });

  it('previews texts as rendered', async () => {
    const { body } = await school()
      .as('teacher')
      .post('ques/display', { texts: ['<b>甲</b><script>x</script>', '半径 $r^2$'] });
    expect(body.data[0]).toBe('<strong>甲</strong>');
    expect(body.data[1]).toContain('<math');
  });
});

onBothEngines('ids above the range of questions', (school) => {
  it('match no question or point', async () => {
    const far = 7_000_000_000;
    const teacher = school().as('teacher');
    expect((await teacher.get(`ques/show/${far}`)).status).toBe(404);
    expect((await teacher.delete(`ques/del/${far}`)).status).toBe(404);
    expect((await teacher.get(`ques/index?point_id=${far}`)).body.data?.list ?? []).toEqual([]);
    expect((await teacher.post('ques/public', { point_id: far })).status).toBeLessThan(500);
    expect((await school().as('teacher').post('/api/app/collect', { ques_id: far, type: 3 })).status).toBe(404);
    expect((await teacher.post('ques/add', { ...single, point_id: far })).status).toBeLessThan(500);
  });
});

onBothEngines('question lists', (school) => {
  it('search stem, type, difficulty and remark, with short previews', async () => {
    const id = await add(school(), 'teacher', { ...single, remark: '期中' });
    const long = await add(school(), 'teacher', { ...material, ques_stem: `<p>${'长'.repeat(2000)}</p>` });
    const list = async (search: string) => (await school().as('teacher').get(`ques/index?${search}`)).body.data;
    expect((await list('ques_stem=错别字')).list).toMatchObject([{ id }]);
    expect((await list('ques_type=6')).list).toMatchObject([{ id: long }]);
    expect((await list('facility_value=4')).list).toMatchObject([{ id: long }]);
    expect((await list('remark=期中')).list).toMatchObject([{ id }]);
    expect((await list('ques_type=nonsense&facility_value=9')).total).toBe(2);
    expect((await list('limit=1&page=2')).list).toMatchObject([{ id }]);
    expect((await list('')).list[0]).not.toHaveProperty('preview');
    const [longRow, shortRow] = (await list('with_preview=1')).list;
    expect(shortRow.preview).toEqual({
      ques_stem: single.ques_stem,
      ques_option: [
        { content: '再接再厉', is_right: 1 },
        { content: '一愁莫展', is_right: 2 },
      ],
      right_answer: 'A',
      item_count: 0,
    });
    expect(longRow.preview.item_count).toBe(2);
    expect(longRow.preview.ques_stem.length).toBeLessThan(200);
  });

  it('offer the public bank by point with children, and bookmarks', async () => {
    const algebra = await addPoint(school(), '代数');
    const functions = await addPoint(school(), '函数', algebra);
    const geometry = await addPoint(school(), '几何');
    const inFunctions = await add(school(), 'otherTeacher', { ...single, ques_stem: '函数题', remark: '私人备注' });
    const inGeometry = await add(school(), 'otherTeacher', { ...essay, ques_stem: '几何题' });
    await publish(school(), inFunctions, functions);
    await publish(school(), inGeometry, geometry);
    // Excludes private questions, and parts of public materials.
    await add(school(), 'otherTeacher', { ...single, ques_stem: '未公开的题' });
    const inMaterial = await add(school(), 'otherTeacher', { ...material, ques_stem: '材料题' });
    await publish(school(), inMaterial, geometry);
    await school()
      .database.db.updateTable('question')
      .set({ is_public: 1 })
      .where('parent_id', '=', inMaterial)
      .execute();
    const list = async (filter: object) => (await school().as('assist').post('ques/public', filter)).body.data;

    const listed = (await list({})).list.map(({ id }: { id: number }) => id);
    expect(listed.toSorted()).toEqual([inFunctions, inGeometry, inMaterial].toSorted());
    expect((await list({ point_id: algebra })).list).toMatchObject([
      { id: inFunctions, point_name: '函数', collect_id: null },
    ]);
    expect((await list({ point_id: geometry, ques_type: 1 })).total).toBe(0);
    expect((await list({ point_id: 999_999 })).total).toBe(0);
    expect((await list({ ques_stem: '几何' })).list).toMatchObject([{ id: inGeometry }]);
    expect((await list({ page: 2, limit: 1 })).list).toHaveLength(1);
    expect((await school().as('assist').get('ques/point')).body.data).toEqual([
      { id: algebra, name: '代数', children: [{ id: functions, name: '函数', children: [] }] },
      { id: geometry, name: '几何', children: [] },
    ]);

    const [seen] = (await school().as('assist').get(`ques/public/detail/${inFunctions}`)).body.data;
    expect(seen).toMatchObject({ is_owner: 0, is_public: 1, point_name: '函数', remark: '' });
    // Public, but not editable or listed as one's own.
    expect((await school().as('assist').get(`ques/show/${inFunctions}`)).status).toBe(404);
    expect((await school().as('assist').put(`ques/update/${inFunctions}`, single)).status).toBe(404);
    expect((await school().as('assist').delete(`ques/del/${inFunctions}`)).status).toBe(404);
  });

  it("sort points as the school does, with each one's own questions", async () => {
    const root = await addPoint(school(), '语文', null, 30);
    const last = await addPoint(school(), '物理', null, 50);
    const first = await addPoint(school(), '英语', null, 20);
    const below = await addPoint(school(), '文言文', root, 2);
    const above = await addPoint(school(), '现代文', root, 1);
    const tree = (await school().as('assist').get('ques/point')).body.data as {
      id: number;
      children: { id: number }[];
    }[];
    const added = tree.filter(({ id }) => [root, last, first].includes(id));
    expect(added.map(({ id }) => id)).toEqual([first, root, last]);
    expect(added[1]?.children.map(({ id }) => id)).toEqual([above, below]);
    const inLast = await add(school(), 'otherTeacher', { ...single, ques_stem: '物理题' });
    const inBelow = await add(school(), 'otherTeacher', { ...single, ques_stem: '文言文题' });
    await publish(school(), inLast, last);
    await publish(school(), inBelow, below);
    const ids = async (point_id: number) =>
      (await school().as('assist').post('ques/public', { point_id })).body.data.list.map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids(last)).toEqual([inLast]);
    expect(await ids(root)).toEqual([inBelow]);
    expect(await ids(below)).toEqual([inBelow]);
    expect(await ids(above)).toEqual([]);
  });

  it('offer fill-ins in pickers like all types', async () => {
    const blanks = await add(school(), 'otherAssist', {
      ...essay,
      ques_type: 7,
      right_answer: '2',
      ques_stem: '1+1=____',
    });
    const all = (await school().as('otherAssist').get('ques/index')).body.data;
    const offered = (await school().as('otherAssist').get('ques/index?for_picker=1')).body.data;
    expect(all.list).toContainEqual(expect.objectContaining({ id: blanks }));
    expect(offered.list).toContainEqual(expect.objectContaining({ id: blanks }));
    expect(offered.total).toBe(all.total);
  });

  it("hide the public bank by the school's switch", async () => {
    const id = await add(school(), 'otherTeacher', single);
    await publish(school(), id);
    await setting(school(), '0');
    const closed = await school().as('assist').post('ques/public', {});
    expect([closed.status, closed.body.msg]).toEqual([403, '公共题库未开放']);
    expect((await school().as('assist').get(`ques/public/detail/${id}`)).status).toBe(404);
    expect((await school().as('otherTeacher').get(`ques/public/detail/${id}`)).status).toBe(200);
    await setting(school(), '1');
    expect((await school().as('assist').post('ques/public', {})).status).toBe(200);
  });
});

onBothEngines('error reports and bookmarks of questions', (school) => {
  const app = '/api/app';

  it('store a complete report from either identity', async () => {
    const id = await add(school(), 'otherTeacher', single);
    await publish(school(), id);
    const hidden = await add(school(), 'otherTeacher', single);
    const report = (body: object) => school().as('assist').post(`${app}/myExam/correction`, body);
    const done = await report({ ques_id: id, type: 3, error_msg: ' 答案应为B ' });
    expect(done.body).toEqual({ code: 200, msg: '提交成功', data: null });
    const kept = await school().database.db.selectFrom('question_correction').selectAll().execute();
    expect(kept).toMatchObject([
      {
        question_id: id,
        staff_id: school().people.assist.id,
        type: 3,
        error_msg: '答案应为B',
        stem_text: single.ques_stem,
      },
    ]);
    await expect(school().database.db.deleteFrom('question_correction').execute()).rejects.toThrow(/append-only/);

    const refused = await report({ ques_id: id });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { type: ['请选择纠错类型'], error_msg: ['请输入纠错内容'] },
    ]);
    expect((await report({ ques_id: id, type: 9, error_msg: 'x' })).body.msg).toBe('请选择纠错类型');
    expect((await report({ ques_id: id, type: 1, error_msg: '  ' })).body.msg).toBe('请输入纠错内容');
    expect((await report({ ques_id: id, type: 1, error_msg: '错'.repeat(501) })).body.msg).toBe(
      '纠错内容不能超过500个字',
    );
    expect((await report({ ques_id: id, type: 1, error_msg: '错'.repeat(500) })).status).toBe(200);
    for (const ques_id of [hidden, 999_999, undefined]) {
      expect((await report({ ques_id, type: 1, error_msg: 'x' })).status).toBe(404);
    }
    // A reported question may be deleted; the report stays.
    expect((await school().as('otherTeacher').delete(`ques/del/${id}`)).status).toBe(200);
    expect(await school().database.db.selectFrom('question_correction').selectAll().execute()).toHaveLength(2);
  });

  it("bookmark once, show and remove one's own", async () => {
    const id = await add(school(), 'otherTeacher', single);
    await publish(school(), id);
    const collect = (who: 'teacher' | 'assist') => school().as(who).post(`${app}/collect`, { ques_id: id, type: 3 });
    const first = await collect('teacher');
    expect(first.body.msg).toBe('收藏成功');
    const { collect_id } = first.body.data;
    expect((await collect('teacher')).body.data).toEqual({ collect_id });
    expect((await collect('assist')).body.data.collect_id).not.toBe(collect_id);
    const [row] = (await school().as('teacher').post('ques/public', {})).body.data.list;
    expect(row).toMatchObject({ id, collect_id });
    expect((await school().as('teacher').post(`${app}/collect`, { ques_id: id, type: 1 })).status).toBe(422);
    expect((await school().as('teacher').post(`${app}/collect`, { ques_id: 999_999, type: 3 })).status).toBe(404);

    const cancel = (who: 'teacher' | 'assist', target = collect_id) =>
      school().as(who).put(`${app}/collect/cancel/${target}/3`);
    expect((await cancel('assist')).status).toBe(404);
    expect((await cancel('teacher')).body).toEqual({ code: 200, msg: '取消收藏成功', data: null });
    expect((await cancel('teacher')).status).toBe(404);
    expect((await school().as('teacher').post('ques/public', {})).body.data.list[0].collect_id).toBeNull();
  });
});
