import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formOf, openApp, type Page, signInAs, type Visitor } from '../support/app.ts';
import { day, noon, openTestSchool, type TestSchool } from '../support/school.ts';
import { insertSession } from '../support/sessions.ts';

const local = (seconds: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })
    .format(seconds * 1000)
    .replace(' ', 'T');

describe('HomeworkPublish without client JS', () => {
  let school: TestSchool;
  let app: Awaited<ReturnType<typeof openApp>>;
  let teacher: Visitor;
  let assist: Visitor;
  let earlier: number;

  beforeAll(async () => {
    school = await openTestSchool('SQLite');
    app = await openApp(school);
    teacher = await signInAs(school, app, 'teacher');
    assist = await signInAs(school, app, 'assist');
    const published = await school.as('teacher').post('hw/publish', {
      course_basis_id: school.courses.shared,
      type: 1,
      name: '旧作业',
      ending_time: noon + day,
      publish_scope: 3,
      is_set_score: 2,
      remark: '旧备注',
      question: ['甲', '乙', '丙'].map((stem, index) => ({
        ques_type: 5,
        ques_stem: `题干${stem}`,
        right_answer: '略',
        facility_value: 2,
        ques_score: index + 1,
      })),
    });
    earlier = published.body.data.id;
  });
  beforeEach(() => school.setNow(noon + 1));
  afterAll(() => school.close());

  /** Presses a button of the form with other values typed in. */
  const press = async (
    visitor: Visitor,
    page: Page,
    button: string,
    typed: Record<string, string> = {},
    ticked: [string, string][] = [],
  ) => {
    const { action, fields } = formOf(page, button);
    const sent = fields
      .filter(([name]) => !ticked.some(([other]) => other === name))
      .map(([name, value]): [string, string] => [name, typed[name] ?? value]);
    return visitor.post(action, [...sent, ...ticked]);
  };
  /** A button in a question's row. */
  const pressValue = async (visitor: Visitor, page: Page, value: string) => {
    const { action, fields } = formOf(page, '提交');
    return visitor.post(action, [...fields.filter(([name]) => name !== 'intent'), ['intent', value]]);
  };
  const stems = (page: Page) =>
    [...page.document.querySelectorAll('tr[data-key]')].map(
      (row) => /题干[甲乙丙]|新题/.exec(row.textContent ?? '')?.[0],
    );
  const value = (page: Page, name: string) => page.document.querySelector(`[name="${name}"]`)?.getAttribute('value');
  const checked = (page: Page, name: string) =>
    [...page.document.querySelectorAll(`[name="${name}"][checked]`)].map((one) => one.getAttribute('value'));
  const alert = (page: Page) => page.document.querySelector('[role=alert]')?.textContent ?? '';
  const notice = (page: Page) => page.document.querySelector('[role=status]')?.textContent ?? '';
  const copy = () => teacher.get(`/homework/publish?type=copy&id=${earlier}`);

  it('takes whole scores, and keeps a decimal set by batch', async () => {
    const start = await press(teacher, await copy(), '批量设置分数');
    const set = await press(teacher, start, '确定', { 'batch.5': '2.5' });
    const [first = '', second = ''] = [...set.document.querySelectorAll('input[name^="score."]')].map(
      (one) => one.getAttribute('name') ?? '',
    );
    expect(value(set, first)).toBe('2.5');
    expect(set.text).toContain('总分 7.5 分');
    const typed = { name: '分数', ending_time: local(noon + day) };
    const refused = await press(teacher, set, '提交', { ...typed, [first]: '1.5', [second]: '2.5' });
    expect(refused.status).toBe(422);
    expect(alert(refused)).toContain('第1题：请输入1到100的整数');
    expect(value(refused, first)).toBe('1.5');
    const sent = await press(teacher, refused, '提交', { [first]: '4' });
    expect(sent.status).toBe(302);
    const { body } = await school.as('teacher').get('hw/index?name=分数');
    const { body: copied } = await school.as('teacher').get(`hw/copy/${body.data.list[0].id}`);
    expect(copied.data.question.map((one: { ques_score: number }) => one.ques_score)).toEqual([4, 2.5, 2.5]);
  });

  it.each([
    ['/classes/detail?id=1&tab=homework&name=x', '/classes/detail?id=1&tab=homework&name=x'],
    ['https://elsewhere.test/', '/homework?tab=main'],
    ['//elsewhere.test/', '/homework?tab=main'],
    ['', '/homework?tab=main'],
  ])('returns to where it was opened: %s', async (back, to) => {
    const page = await teacher.get(
      `/homework/publish?type=copy&id=${earlier}&source=2&back=${encodeURIComponent(back)}`,
    );
    const link = [...page.document.querySelectorAll('a')].find((one) => one.textContent === '返回');
    expect(link?.getAttribute('href')).toBe(to);
    const moved = await press(teacher, page, '全选');
    const sent = await press(teacher, moved, '提交', { name: `回${to.length}`, ending_time: local(noon + day) });
    expect([sent.status, sent.location]).toEqual([302, to]);
  });

  it('stores a posted form as a draft on the workbench until published or discarded', async () => {
    const drafts = async () =>
      [...(await teacher.get('/')).document.querySelectorAll('section[aria-label="作业草稿"] li')].map(
        (row) => row.textContent ?? '',
      );
    const copied = await copy();
    const typed = await press(teacher, copied, '全选', { name: '没有写完' });
    const refused = await press(teacher, typed, '提交', { name: '没有写完，改过', ending_time: '' });
    expect(refused.status).toBe(422);
    const other = await press(teacher, await teacher.get('/homework/publish'), '全选', { name: '另一份' });
    expect(other.status).toBe(200);
    const [one, two] = await drafts();
    expect([one, two].sort().map((row) => /“(.*?)”/.exec(row ?? '')?.[1])).toEqual(['另一份', '没有写完，改过']);
    const home = await teacher.get('/');
    const links = [...home.document.querySelectorAll('a')].filter((a) => a.textContent === '继续布置');
    const way = links.map((a) => a.getAttribute('href') ?? '').find((href) => href.includes('type=copy')) ?? '';
    const gone = await teacher.get(way);
    expect(value(gone, 'name')).toBe('没有写完，改过');
    expect((await press(teacher, gone, '提交', { ending_time: local(noon + day) })).status).toBe(302);
    expect(await drafts()).toHaveLength(1);
    const { action, fields } = formOf(await teacher.get('/'), '确定删除');
    const dropped = await teacher.follow(await teacher.post(action, fields));
    expect(dropped.text).toContain('草稿已删除');
    expect(await drafts()).toEqual([]);
  });

  it('stores no empty form, and lists drafts by course and number of questions', async () => {
    const drafts = async () =>
      [
        ...(await teacher.get('/')).document.querySelectorAll('section[aria-label="作业草稿"] li > div:first-child'),
      ].map((row) => row.textContent ?? '');
    const address = `/homework/publish?course_id=${school.courses.shared}`;
    const page = await teacher.get(address);
    const left = await press(teacher, page, '从我的题库选择');
    expect(left.location).toBe(`/homework/publish/questions?course_id=${school.courses.shared}`);
    expect((await teacher.follow(left)).status).toBe(200);
    await press(teacher, page, '全选');
    expect(await drafts()).toEqual([]);
    const history = await press(teacher, page, '从历史作业选择', { name: '' });
    const back = await teacher.post(history.location as string, [['picked', String(earlier)]]);
    expect(stems(await teacher.follow(back))).toEqual(['题干甲', '题干乙', '题干丙']);
    expect(await drafts()).toEqual([expect.stringMatching(/^作业草稿：高一数学，3题，保存于 /)]);
    const { action, fields } = formOf(await teacher.get('/'), '确定删除');
    await teacher.post(action, fields);
  });

  it('starts without questions, and in the course of a person with one course', async () => {
    for (const [visitor, course, name] of [
      [teacher, String(school.courses.shared), `高一数学 ${local(noon).slice(5, 10)}`],
      [assist, '', ''],
    ] as const) {
      const page = await visitor.get('/homework/publish');
      expect(page.status).toBe(200);
      expect([value(page, 'course_basis_id'), value(page, 'name')]).toEqual([course, name]);
      for (const text of ['课程', '发布范围', '全部子课程', '部分子课程', '仅当前课程', '批量设置分数', '暂无题目']) {
        expect(page.text).toContain(text);
      }
    }
  });

  it('shows a summary, and sets a deadline by one button', async () => {
    const page = await teacher.get('/homework/publish');
    expect(page.text).toContain(' · 未选题目 · 未设截止时间');
    const evening = await press(teacher, await copy(), '明晚 22:00');
    const tomorrow = `${local(noon + day).slice(0, 10)}T22:00`;
    expect(value(evening, 'ending_time')).toBe(tomorrow);
    expect(evening.text).toMatch(/一班、二班、三班等4个班，共\d+人 · 3题 6\.0分 · \d\d-\d\d 周. 22:00 截止/);
    const rated = await press(teacher, evening, '全选', { is_set_score: '1' });
    expect(rated.text).toContain('3题 按正确率批改');
    const sent = await press(teacher, evening, '提交', { name: '摘要' });
    const next = [...(await teacher.follow(sent)).document.querySelectorAll('a')];
    const detail = await teacher.get(next.find((a) => a.textContent === '查看作业')?.getAttribute('href') ?? '');
    expect(detail.text).toContain('摘要');
  });

  it("starts from a course with periods and classes, and answers 404 for others' courses", async () => {
    const page = await assist.get(`/homework/publish?course_id=${school.courses.shared}`);
    expect(value(page, 'course_basis_id')).toBe(String(school.courses.shared));
    expect(page.text).toContain('第一讲 集合');
    expect(page.text).toContain('全部班级（2个）');
    expect((await teacher.get(`/homework/publish?course_id=${school.courses.theirs}`)).status).toBe(404);
  });

  it('starts from a calendar lesson, named after it, due tomorrow evening', async () => {
    const { courses, periods } = school;
    for (const visitor of [teacher, assist]) {
      const page = await visitor.get(`/homework/publish?course_id=${courses.shared}&period_id=${periods.mine}`);
      expect(value(page, 'course_basis_id')).toBe(String(courses.shared));
      expect(page.document.querySelector('[name=type][checked]')?.getAttribute('value')).toBe('2');
      expect(page.document.querySelector('[name=course_periods_id] [selected]')?.textContent).toContain('第一讲 集合');
      expect([value(page, 'name'), value(page, 'ending_time')]).toEqual(['课后：第一讲 集合', '2026-11-21T22:00']);
    }
    const elsewhere = `/homework/publish?course_id=${courses.shared}&period_id=${periods.theirs}`;
    const { status, text } = await teacher.get(elsewhere);
    expect([status, text.includes('课时不存在')]).toEqual([404, true]);
  });

  it('starts as a copy of own homework', async () => {
    const page = await copy();
    expect(value(page, 'name')).toBe('旧作业');
    expect(value(page, 'ending_time')).toBe(local(noon + day));
    expect(stems(page)).toEqual(['题干甲', '题干乙', '题干丙']);
    expect(page.text).toContain('共 3 题，总分 6.0 分');
    expect(page.text).toContain('旧备注');
    expect((await assist.get(`/homework/publish?type=copy&id=${earlier}`)).status).toBe(403);
    expect((await teacher.get('/homework/publish?type=copy&id=999999')).status).toBe(404);
  });

  it('starts from a class with that class alone', async () => {
    const { courses, classes } = school;
    for (const visitor of [teacher, assist]) {
      const start = `/homework/publish?source=2&class_id=${classes.k2}&course_id=${courses.shared}`;
      const page = await visitor.get(start);
      expect([checked(page, 'class_choice'), checked(page, 'class_ids')]).toEqual([['some'], [String(classes.k2)]]);
      expect(page.text).toContain('二班，共4人 · 未选题目');
    }
    const list = await teacher.get(`/classes/detail?id=${classes.k2}&tab=homework`);
    const link = [...list.document.querySelectorAll('a')].find((one) => one.textContent === '布置作业');
    expect(link?.getAttribute('href')).toContain(`class_id=${classes.k2}`);
    const elsewhere = await teacher.get(`/homework/publish?source=2&class_id=999&course_id=${courses.shared}`);
    expect(elsewhere.text).toContain('所选课程中没有原来的班级，请勾选班级');
    expect(elsewhere.text).toContain('未选班级');
  });

  it('starts as a copy at the classes of its original', async () => {
    const { k1, k2 } = school.classes;
    const again = await press(teacher, await copy(), '提交', { name: '只给一班' }, [
      ['class_choice', 'some'],
      ['class_ids', String(k1)],
    ]);
    await press(teacher, again, '确定布置');
    const { id } = (await school.as('teacher').get('hw/index')).body.data.list.find(
      ({ name }: { name: string }) => name === '只给一班',
    );
    expect(checked(await teacher.get(`/homework/publish?type=copy&id=${id}`), 'class_ids')).toEqual([String(k1)]);
    await school.as('teacher').post(`hw/class/publish/${id}/${k2}`);
    const page = await teacher.get(`/homework/publish?type=copy&id=${id}`);
    expect([checked(page, 'class_choice'), checked(page, 'class_ids')]).toEqual([['some'], [String(k1), String(k2)]]);
    expect(page.text).toMatch(/一班、二班，共\d+人/);
  });

  it('starts from a parent course with its children, and names empty scopes', async () => {
    const { db } = school.database;
    const course = (more: object) =>
      db
        .insertInto('course')
        .values({ title: '总课程', school_id: 1, created_at: noon, ...more } as never)
        .returning('id')
        .executeTakeFirstOrThrow();
    const parent = await course({});
    const child = await course({ title: '子课程', parent_id: parent.id });
    for (const course_id of [parent.id, child.id])
      await db
        .insertInto('period')
        .values({ course_id, title: '第一讲', lecturer_id: school.people.teacher.id, start_play: noon })
        .execute();
    await db.insertInto('class_course').values({ class_id: school.classes.k1, course_id: child.id }).execute();
    const page = await teacher.get(`/homework/publish?course_id=${parent.id}`);
    expect(checked(page, 'publish_scope')).toEqual(['1']);
    expect(page.text).toMatch(/全部子课程 1个班.*仅当前课程 0个班/);
    expect(page.text).toContain('一班，共');
    const own = await press(teacher, page, '更新可选班级', { publish_scope: '3' });
    const radios: [string, string][] = [['publish_scope', '3']];
    const alone = own.text.includes('未选班级') ? own : await press(teacher, page, '更新可选班级', {}, radios);
    expect(alone.text).toContain('所选范围内没有您可以布置作业的班级');
  });

  it('asks for confirmation of a past deadline', async () => {
    const before = (await school.as('teacher').get('hw/index')).body.data.total;
    const over = local(noon - 3600);
    const asked = await press(teacher, await copy(), '提交', { name: '已经截止', ending_time: over });
    expect(asked.status).toBe(422);
    expect(asked.document.querySelector('dialog')?.textContent).toMatch(/截止时间已过，学员将不能提交.*共\d+名学员/);
    expect((await school.as('teacher').get('hw/index')).body.data.total).toBe(before);
    const back = await press(teacher, asked, '取消');
    expect([value(back, 'name'), value(back, 'ending_time')]).toEqual(['已经截止', over]);
    const sent = await press(teacher, asked, '仍然布置');
    expect((await teacher.follow(sent)).text).toContain('作业发布成功');
  });

  it('links an error summary to its field', async () => {
    const page = await press(teacher, await copy(), '提交', { name: '' }, [['class_ids', '999999']]);
    const links = [...page.document.querySelectorAll('#refusal a')].map((a) => a.getAttribute('href'));
    expect(links).toEqual(['#class_ids', '#name']);
    for (const link of links) expect(page.document.querySelector(link ?? '')).not.toBeNull();
    expect(page.document.querySelector('#refusal ul:empty')).toBeNull();
  });

  it('answers 404 for a lesson missing in the address', async () => {
    const { status, text } = await teacher.get('/homework/publish?arrange_type=4');
    expect([status, text.includes('课次不存在')]).toEqual([404, true]);
  });

  it('requires the publish permission', async () => {
    const plain = await signInAs(school, app, 'plainTeacher');
    const page = await plain.get('/homework/publish');
    expect([page.status, page.text.includes('您没有布置作业的权限')]).toEqual([403, true]);
  });

  describe('course of the publish form', () => {
    it('is chosen in a dialog without losing typed text', async () => {
      const page = await teacher.get('/homework/publish');
      const left = await press(teacher, page, '选择课程', {
        name: '新作业',
        remark: '注意',
        ending_time: local(noon + 2 * day),
      });
      const dialog = await teacher.follow(left);
      expect(left.location).toMatch(/^\/homework\/publish\/course\?draft=\d+$/);
      expect(dialog.text).toContain('高一数学');
      const none = await teacher.post(left.location as string, []);
      expect([none.status, alert(none)]).toEqual([422, '请选择一门课程']);
      const filtered = await teacher.get(`${left.location}&title=没有的`);
      expect(filtered.text).toContain('没有符合条件的课程');
      const back = await teacher.follow(
        await teacher.post(left.location as string, { course_id: String(school.courses.shared) }),
      );
      expect(value(back, 'course_basis_id')).toBe(String(school.courses.shared));
      expect(value(back, 'name')).toBe('新作业');
      expect(value(back, 'ending_time')).toBe(local(noon + 2 * day));
      expect(back.document.querySelector('textarea')?.textContent).toBe('注意');
      // The browser's back button returns to the dialog. Other people cannot open the draft.
      expect((await teacher.get(left.location as string)).status).toBe(200);
      const theirs = await assist.get((left.location as string).replace('/course', ''));
      expect(theirs.text).toContain('草稿已失效，请重新填写');
      expect(theirs.text).not.toContain('注意');
    });

    it('says that it has no child courses', async () => {
      const page = await teacher.get(`/homework/publish?course_id=${school.courses.shared}`);
      const refreshed = await press(teacher, page, '更新可选班级', {}, [['publish_scope', '2']]);
      expect(refreshed.status).toBe(200);
      expect(refreshed.document.querySelector('#publish_scope-error')?.textContent).toBe('暂无子课程');
      expect(checked(refreshed, 'publish_scope')).toEqual(['2']);
    });
  });

  describe('questions of the publish form', () => {
    it('move without losing typed text', async () => {
      const page = await copy();
      const moved = await press(teacher, page, '上移', { name: '改名', 'score.3.0': '8.5' }, [['selected', '2']]);
      expect(stems(moved)).toEqual(['题干乙', '题干甲', '题干丙']);
      expect(value(moved, 'name')).toBe('改名');
      expect(value(moved, 'score.3.0')).toBe('8.5');
      expect(checked(moved, 'selected')).toEqual(['2']);
      expect(moved.text).toContain('总分 11.5 分');
      expect(notice(await press(teacher, moved, '上移'))).toBe('已经是第一题');
      expect(stems(await pressValue(teacher, moved, 'down 2'))).toEqual(['题干甲', '题干乙', '题干丙']);
      const again = await pressValue(teacher, moved, 'down 3');
      expect(notice(again)).toBe('已经是最后一题');
    });

    it('cannot be moved or deleted while none is ticked', async () => {
      const page = await copy();
      for (const button of ['上移', '下移', '删除']) {
        expect(notice(await press(teacher, page, button, {}, [['selected', '']])), button).toBe('请先选择题目');
      }
    });

    it('are removed after confirmation', async () => {
      const page = await copy();
      const asked = await press(teacher, page, '删除', {}, [
        ['selected', '1'],
        ['selected', '3'],
      ]);
      expect(asked.text).toContain('是否移除选中题目？');
      expect(stems(asked)).toHaveLength(3);
      expect(stems(await press(teacher, asked, '取消'))).toHaveLength(3);
      const left = await press(teacher, asked, '确定');
      expect([stems(left), notice(left)]).toEqual([['题干乙'], '移除成功']);
      expect((await pressValue(teacher, left, 'remove 2')).text).toContain('是否移除该题目？');
    });

    it('are scored by type at once', async () => {
      const panel = await press(teacher, await copy(), '批量设置分数');
      expect(alert(await press(teacher, panel, '确定'))).toBe('请输入分数');
      const scored = await press(teacher, panel, '确定', { 'batch.5': '2.5' });
      expect([1, 2, 3].map((key) => value(scored, `score.${key}.0`))).toEqual(['2.5', '2.5', '2.5']);
      expect(scored.text).toContain('总分 7.5 分');
    });

    it('have no batch scores when graded by rating', async () => {
      const asked = await press(teacher, await copy(), '批量设置分数', {}, [['is_set_score', '1']]);
      expect(notice(asked)).toBe('未设置题目分数，按正确率批改');
      expect(asked.document.querySelector('[name="batch.5"]')).toBeNull();
    });

    it('come from earlier homework', async () => {
      const page = await teacher.get('/homework/publish');
      const left = await press(teacher, page, '从历史作业选择', { name: '选题中' });
      const dialog = await teacher.follow(left);
      expect(dialog.text).toContain('旧作业');
      const none = await teacher.post(left.location as string, []);
      expect([none.status, alert(none)]).toEqual([422, '请选择作业']);
      const chosen = await teacher.follow(await teacher.post(left.location as string, { pick: String(earlier) }));
      expect(stems(chosen)).toEqual(['题干甲', '题干乙', '题干丙']);
      expect([1, 2, 3].map((key) => value(chosen, `score.${key}.0`))).toEqual(['1', '2', '3']);
      expect(value(chosen, 'name')).toBe('选题中');
    });

    it('come from either bank, across pages, and stay unchanged later', async () => {
      const { db } = school.database;
      const add = async (owner: number, stem: string, is_public: 0 | 1) =>
        (
          await db
            .insertInto('question')
            .values({
              owner_id: owner,
              is_public,
              parent_id: null,
              ques_type: 5,
              ques_stem: stem,
              stem_text: stem,
              right_answer: '略',
              facility_value: 2,
              created_at: noon,
              updated_at: noon,
              point_id: null,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      const { teacher: me, otherTeacher } = school.people;
      const [mine, offered, theirs] = [
        await add(me.id, '题干甲', 0),
        await add(otherTeacher.id, '题干丙', 1),
        await add(otherTeacher.id, '题干乙', 0),
      ];
      const page = await teacher.get('/homework/publish');
      const left = await press(teacher, page, '从公共题库选择', { name: '选题中' });
      const dialog = await teacher.follow(left);
      expect(dialog.text).toContain('题干丙');
      expect(dialog.text).not.toContain('题干甲');
      const none = await teacher.post(left.location as string, []);
      expect([none.status, alert(none)]).toEqual([422, '请选择题目']);
      expect((await teacher.post(left.location as string, { pick: String(theirs) })).status).toBe(404);
      const chosen = await teacher.follow(
        await teacher.post(left.location as string, { picked: String(offered), pick: String(mine) }),
      );
      expect(stems(chosen)).toEqual(['题干丙', '题干甲']);
      expect(value(chosen, 'name')).toBe('选题中');
      await db.deleteFrom('question').execute();
      expect(stems(await press(teacher, chosen, '全选'))).toEqual(['题干丙', '题干甲']);
    });

    it('are found by any of thousands of points, of which some are shown', async () => {
      const { db } = school.database;
      const point = (name: string, parent_id: number | null = null) => ({ name, parent_id, sort: 1, subject_id: null });
      const inserted = (rows: ReturnType<typeof point>[]) =>
        db.insertInto('knowledge_point').values(rows).returning(['id', 'name']).execute();
      const chapters = await inserted(['甲编', '乙编'].map((name) => point(name)));
      const [first, second] = chapters.map(({ id }) => id) as [number, number];
      const leaves = await inserted([
        ...Array.from({ length: 400 }, (_, at) => point(`甲节${at}`, first)),
        ...Array.from({ length: 30 }, (_, at) => point(`乙节${at}`, second)),
      ]);
      const { id: lowest } = (await inserted([point('乙段', leaves.at(-1)?.id)]))[0] as { id: number };
      const { id: question } = await db
        .insertInto('question')
        .values({
          owner_id: school.people.otherTeacher.id,
          is_public: 1,
          parent_id: null,
          ques_type: 5,
          ques_stem: '题干丁',
          stem_text: '题干丁',
          created_at: noon,
          updated_at: noon,
          point_id: lowest,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const left = await press(teacher, await teacher.get('/homework/publish'), '从公共题库选择', { name: '选题中' });
      const at = (more: Record<string, string>) => {
        const url = new URL(left.location as string, 'http://school.test');
        for (const [name, said] of Object.entries(more)) url.searchParams.set(name, said);
        return teacher.get(url.pathname + url.search);
      };
      const points = (page: Awaited<ReturnType<typeof at>>) =>
        [...page.document.querySelectorAll('nav[aria-label=知识点] button')].map((button) => button.textContent);
      expect(points(await at({}))).toEqual(['全部知识点', '甲编，还有400个下级 ▸', '乙编，还有30个下级 ▸']);
      const opened = points(await at({ point_id: String(second) }));
      expect([opened.length, opened[2], opened.at(-1)]).toEqual([33, '乙编', '乙节29，还有1个下级 ▸']);
      const sought = await at({ point_name: '乙段', picked: String(question + 1) });
      expect(points(sought)).toEqual(['全部知识点', '乙编，还有29个下级 ▸', '乙节29', '乙段']);
      expect(sought.document.querySelectorAll('nav[aria-label=知识点] details:not([open])')).toHaveLength(0);
      expect(formOf(sought, '确定').fields).toContainEqual(['point_name', '乙段']);
      expect(formOf(sought, '确定').fields).toContainEqual(['picked', String(question + 1)]);
      const found = await at({ point_name: '乙段', point_id: String(lowest) });
      expect(found.text).toContain('题干丁');
      expect(points(await at({ point_name: '节' }))).toHaveLength(1 + 1 + 50);
      const nothing = await at({ point_name: '丙' });
      expect(nothing.text).toContain('没有这个名称的知识点');
      await db.deleteFrom('question').execute();
      await db.deleteFrom('knowledge_point').where('id', '=', lowest).execute();
      await db.deleteFrom('knowledge_point').where('parent_id', 'in', [first, second]).execute();
      await db.deleteFrom('knowledge_point').where('id', 'in', [first, second]).execute();
    });

    it('are written in place, and edited without changing the bank', async () => {
      const left = await press(teacher, await copy(), '新建题目');
      expect(left.location).toMatch(/^\/homework\/publish\/question\?type=copy&id=\d+&draft=\d+$/);
      const empty = await teacher.follow(left);
      const refused = await teacher.post(left.location as string, formOf(empty, '保存').fields);
      expect([refused.status, alert(refused).includes('请完善信息')]).toEqual([422, true]);
      const written = formOf(empty, '保存').fields.map(([name, present]): [string, string] => {
        if (name === 'ques_stem') return [name, '新题'];
        if (name === 'facility_value') return [name, '3'];
        const option = /^ques_option\.(\d)\.content$/.exec(name)?.[1];
        return [name, option ? `选项${option}` : present];
      });
      const added = await teacher.follow(
        await teacher.post(left.location as string, [...written, ['right_option', '0']]),
      );
      expect(stems(added)).toEqual(['题干甲', '题干乙', '题干丙', '新题']);
      const edit = await pressValue(teacher, added, 'edit 2');
      expect(edit.location).toContain('key=2');
      const form = formOf(await teacher.follow(edit), '保存').fields;
      expect(form).toContainEqual(['ques_stem', '题干乙']);
      const changed = form.map(([name, present]): [string, string] => [
        name,
        name === 'ques_stem' ? '题干丙' : present,
      ]);
      const back = await teacher.follow(await teacher.post(edit.location as string, changed));
      expect(stems(back)).toEqual(['题干甲', '题干丙', '题干丙', '新题']);
      expect(value(back, 'score.2.0')).toBe('2');
      const bank = await school.database.db.selectFrom('question').select('id').execute();
      expect(bank).toEqual([]);
    });
  });

  describe('submitting the publish form', () => {
    it('reports every error by field and keeps the rest', async () => {
      const page = await press(teacher, await copy(), '提交', {
        name: '很长'.repeat(11),
        remark: '注'.repeat(201),
        ending_time: local(noon - 3 * day),
        'score.2.0': '0.5',
      });
      expect(page.status).toBe(422);
      expect(alert(page)).toContain('请完善信息');
      expect(alert(page)).toContain('第2题：请输入1到100的整数');
      const at = (field: string) => page.document.querySelector(`[id="${field}-error"]`)?.textContent;
      expect(at('name')).toBe('作业名称不能超过20个字');
      expect(at('remark')).toBe('备注不能超过200个字');
      expect(at('ending_time')).toBe('截止时间不能早于昨天');
      expect(at('score.2.0')).toBe('请输入1到100的整数');
      expect(value(page, 'name')).toBe('很长'.repeat(11));
      expect(value(page, 'score.2.0')).toBe('0.5');
      expect(stems(page)).toEqual(['题干甲', '题干乙', '题干丙']);
    });

    it('asks for the course, then for questions', async () => {
      const empty = await press(teacher, await teacher.get('/homework/publish'), '提交');
      expect([empty.status, alert(empty).includes('请完善信息')]).toEqual([422, true]);
      for (const text of ['请选择课程', '请输入作业名称', '请选择截止时间', '请选择题目'])
        expect(alert(empty)).toContain(text);
      const page = await teacher.get(`/homework/publish?course_id=${school.courses.shared}`);
      const without = await press(teacher, page, '提交', { name: '空作业', ending_time: local(noon + day) });
      expect([without.status, alert(without)]).toEqual([422, '请选择题目']);
    });

    it('returns to the list with a message and the new homework first', async () => {
      school.setNow(noon + 10);
      const sent = await press(teacher, await copy(), '提交', { name: '新的一份' });
      expect([sent.status, sent.location]).toEqual([302, '/homework?tab=main']);
      const list = await teacher.follow(sent);
      expect(list.text).toContain('作业发布成功');
      expect(list.document.querySelector('tbody tr')?.textContent).toContain('新的一份');
    });

    it('publishes to some classes, and later to the rest', async () => {
      school.setNow(noon + 20);
      const asked = await press(teacher, await copy(), '提交', { name: '只给二班' }, [
        ['class_choice', 'some'],
        ['class_ids', String(school.classes.k2)],
        ['class_ids', '999999'],
      ]);
      // The classes have changed since the page was opened, so the form asks first.
      expect(asked.document.querySelector('dialog')?.textContent).toContain('布置到：二班，共4名学员');
      const sent = await press(teacher, asked, '确定布置');
      const list = await teacher.follow(sent);
      const row = list.document.querySelector('tbody tr')?.textContent ?? '';
      expect(row).toContain('只给二班');
      expect(row).toContain('继续发布');
      const none = await press(teacher, await copy(), '提交', {}, [['class_ids', '999999']]);
      expect(none.document.querySelector('#class_ids-error')?.textContent).toBe('请选择班级');
    });

    it('publishes once for a repeated form, and again after a change', async () => {
      const { action, fields } = formOf(await copy(), '提交');
      const count = async () => (await school.as('teacher').get('hw/index')).body.data.total;
      const before = await count();
      await Promise.all([teacher.post(action, fields), teacher.post(action, fields)]);
      expect(await count()).toBe(before + 1);
      const changed = await teacher.post(
        action,
        fields.map(([name, present]): [string, string] => [name, name === 'name' ? '改过的' : present]),
      );
      expect([changed.status, await count()]).toEqual([409, before + 1]);
      expect(changed.document.querySelector('main [role=alert]')?.textContent).toContain('内容已变化，请重新提交');
      expect(value(changed, 'name')).toBe('改过的');
      const again = await press(teacher, changed, '提交');
      expect([again.status, await count()]).toEqual([302, before + 2]);
    });

    it('continues after a new sign-in with the typed form', async () => {
      const person = school.people.otherTeacher;
      const visitor = await signInAs(school, app, 'otherTeacher');
      const page = await visitor.get(`/homework/publish?course_id=${school.courses.theirs}`);
      await school.database.db
        .updateTable('sign_in')
        .set({ revoked_at: noon })
        .where('staff_id', '=', person.id)
        .execute();
      const expired = await press(visitor, page, '提交', { name: '未丢失的作业' });
      expect(expired.status).toBe(401);
      const resume = new URLSearchParams(
        expired.document.querySelector('[name=resume_body]')?.getAttribute('value') ?? '',
      );
      expect(resume.get('name')).toBe('未丢失的作业');
      expect(resume.get('held')).toBe(value(page, 'held'));
      expect(expired.document.querySelector('[name=resume]')?.getAttribute('value')).toBe(
        `/homework/publish?course_id=${school.courses.theirs}`,
      );
    });
  });

  it('survives nonsense in a form', async () => {
    const nonsense = await teacher.post('/homework/publish', { held: 'x', intent: 'publish', name: '作业' });
    expect([nonsense.status, value(nonsense, 'name')]).toEqual([422, '作业']);
    expect((await teacher.get('/homework/publish?draft=x')).status).toBe(200);
    expect((await teacher.get('/homework/publish/question?draft=1&key=99')).status).toBe(302);
  });

  describe('publish form of a scheduled lesson', () => {
    let session: number;
    beforeAll(async () => {
      const { db } = school.database;
      const { id: group } = await db
        .insertInto('class')
        .values({
          name: '数学小班',
          school_id: 1,
          grade_id: null,
          classify_id: null,
          large_class_id: null,
          created_at: noon,
          class_type: 3,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      session = await insertSession(school, { class_id: group, period_id: school.periods.mine });
    });

    it('publishes to its class, with its course and period chosen', async () => {
      const address = `/homework/publish?arrange_id=${session}&arrange_type=4`;
      const page = await teacher.get(address);
      expect(page.text).toContain('数学小班');
      expect(checked(page, 'type')).toEqual(['2']);
      const filled = await press(teacher, page, '从历史作业选择', { name: '课次作业', ending_time: local(noon + day) });
      expect(filled.location).toContain('arrange_id');
      const chosen = await teacher.follow(await teacher.post(filled.location as string, { pick: String(earlier) }));
      const list = await teacher.follow(await press(teacher, chosen, '提交'));
      expect(list.text).toContain('发布成功');
      expect(
        (await school.as('teacher').get(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${session}`)).body.data,
      ).toMatchObject({ list: [{ name: '课次作业' }] });
      expect((await assist.get(address)).status).toBe(404);
    });

    it('is copied to its lesson', async () => {
      const { list } = (await school.as('teacher').get(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${session}`))
        .body.data;
      const page = await teacher.get(`/homework/publish?type=copy&id=${list[0].hw_id}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain('数学小班');
      const again = await press(teacher, page, '提交', { name: '再来一次', ending_time: local(noon + day) });
      expect((await teacher.follow(again)).text).toContain('复制成功，发布成功');
      expect(
        (await school.as('teacher').get(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${session}`)).body.data.total,
      ).toBe(2);
    });
  });
});
