import { beforeAll, describe, expect, it } from 'vitest';
import { countStudents, rightAnswers } from '#server/homework/rules.ts';
import { onBothEnginesAlways } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

// biome-ignore lint/suspicious/noExplicitAny: payloads of every shape, also wrong ones.
type Payload = Record<string, any>;

const single = (more: Payload = {}): Payload => ({
  ques_type: 1,
  ques_stem: '<p>1+1=?</p>',
  ques_option: [
    { content: '2', is_right: 1 },
    { content: '3', is_right: 2 },
  ],
  ques_analysis: '',
  facility_value: 3,
  ques_score: 5,
  ...more,
});
const shortAnswer = (more: Payload = {}): Payload => ({
  ques_type: 5,
  ques_stem: '简述集合的定义',
  right_answer: '<p>略</p>',
  facility_value: 2,
  ques_score: 10,
  ...more,
});
const material = (more: Payload = {}): Payload => ({
  ques_type: 6,
  ques_stem: '阅读材料',
  facility_value: 4,
  ques_item: [single({ ques_score: 2.5 }), shortAnswer({ ques_score: 7 })],
  ...more,
});

onBothEnginesAlways('publishing a homework', (school) => {
  const ids = {} as Record<
    | 'parent'
    | 'childMine'
    | 'childOther'
    | 'childPeriod'
    | 'parentOnly'
    | 'childOnly'
    | 'expired'
    | 'group'
    | 'oneToOne',
    number
  > &
    Record<
      'session' | 'theirSession' | 'cancelledSession' | 'bank' | 'publicBank' | 'theirBank' | 'materialBank',
      number
    >;
  const db = () => school().database.db;
  const teacher = () => school().as('teacher');
  const insert = async (table: string, values: Payload) =>
    (
      (await db()
        .insertInto(table as 'course')
        .values(values as never)
        .returning('id')
        .executeTakeFirstOrThrow()) as { id: number }
    ).id;

  beforeAll(async () => {
    const { people, courses, classes } = school();
    const course = (title: string, parent_id: number | null) =>
      insert('course', { title, parent_id, school_id: 1, created_at: noon });
    ids.parent = await course('高一总课程', null);
    ids.childMine = await course('子课程甲', ids.parent);
    ids.childOther = await course('子课程乙', ids.parent);
    const period = (course_id: number, lecturer: number, title: string) =>
      insert('period', { course_id, title, lecturer_id: lecturer, start_play: noon });
    ids.childPeriod = await period(ids.childMine, people.teacher.id, '子课时');
    await period(ids.childOther, people.otherTeacher.id, '别人的子课时');
    const classOf = (name: string, more: Payload = {}) =>
      insert('class', { name, school_id: 1, created_at: noon, ...more });
    ids.parentOnly = await classOf('总课班');
    ids.childOnly = await classOf('子课班');
    ids.expired = await classOf('过期班', { valid_type: 2, valid_time: noon });
    ids.group = await classOf('团课一班', { class_type: 3 });
    ids.oneToOne = await classOf('一对一', { class_type: 1 });
    await db()
      .insertInto('class_course')
      .values([
        { class_id: ids.parentOnly, course_id: ids.parent },
        { class_id: ids.parentOnly, course_id: ids.childMine },
        { class_id: ids.childOnly, course_id: ids.childMine },
        { class_id: ids.expired, course_id: courses.shared },
        { class_id: ids.group, course_id: courses.shared },
        { class_id: classes.k1, course_id: ids.childOther },
      ])
      .execute();
    const pupil = await insert('student', { nickname: '团课学员', school_id: 1, created_at: noon });
    await db()
      .insertInto('class_student')
      .values(
        [ids.group, ids.oneToOne].map((class_id) => ({ class_id, student_id: pupil, joined_at: noon, left_at: null })),
      )
      .execute();
    await db()
      .insertInto('class_staff')
      .values({ class_id: ids.group, staff_id: people.assist.id, duty: 'assistant' })
      .execute();
    const session = (lecturer_id: number, more: Payload = {}) =>
      insert('class_session', {
        class_id: ids.group,
        course_id: courses.shared,
        lecturer_id,
        start_time: noon + 3600,
        end_time: noon + 7200,
        created_at: noon,
        ...more,
      });
    ids.session = await session(people.teacher.id);
    ids.theirSession = await session(people.otherTeacher.id, {
      class_id: ids.oneToOne,
      start_time: noon - 7200,
      end_time: noon - 3600,
      teaching_mode: 2,
    });
    ids.cancelledSession = await session(people.teacher.id, { cancelled_at: noon, start_time: noon + 10 * day });
    const question = (owner_id: number, more: Payload = {}) =>
      insert('question', {
        owner_id,
        ques_type: 1,
        ques_stem: '<p>题库题</p>',
        stem_text: '题库题',
        ques_option: JSON.stringify([
          { id: 1, content: '对', is_right: 1 },
          { id: 2, content: '错', is_right: 2 },
        ]),
        right_answer: '1',
        created_at: noon,
        updated_at: noon,
        ...more,
      });
    ids.bank = await question(people.teacher.id);
    ids.theirBank = await question(people.otherTeacher.id);
    ids.publicBank = await question(people.otherTeacher.id, { is_public: 1 });
    ids.materialBank = await question(people.teacher.id, { ques_type: 6, ques_option: '[]', right_answer: '' });
    await question(people.teacher.id, { parent_id: ids.materialBank, sort: 1, ques_stem: '第一小题' });
    await question(people.teacher.id, { parent_id: ids.materialBank, sort: 2, ques_stem: '第二小题' });
  });

  const payload = (more: Payload = {}): Payload => ({
    course_basis_id: school().courses.shared,
    type: 1,
    name: '第一次作业',
    ending_time: noon + day,
    is_set_score: 2,
    publish_scope: 3,
    remark: '',
    question: [single()],
    ...more,
  });
  const publish = (more: Payload = {}, as: 'teacher' | 'assist' | 'otherAssist' | 'plainTeacher' = 'teacher') =>
    school().as(as).post('hw/publish', payload(more));
  const storedHomework = (id: number) =>
    db().selectFrom('homework').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const classesOf = async (id: number) =>
    (
      await db().selectFrom('homework_class').selectAll().where('homework_id', '=', id).orderBy('class_id').execute()
    ).map(({ class_id, published_at }) => [class_id, published_at !== null]);
  const homeworkCount = async () =>
    (
      await db()
        .selectFrom('homework')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;

  it.each([noon - 60, noon])('requires confirmation of a deadline already past at %i', async (ending_time) => {
    for (const as of ['teacher', 'assist'] as const) {
      const before = await homeworkCount();
      const { status, body } = await publish({ ending_time }, as);
      expect([status, body.msg, body.errors]).toEqual([
        422,
        '截止时间已过，学员将不能提交',
        { confirm_past: ['截止时间已过，学员将不能提交'] },
      ]);
      expect(await homeworkCount()).toBe(before);
      expect((await publish({ ending_time, confirm_past: 0 }, as)).status).toBe(422);
      expect((await publish({ ending_time, confirm_past: 1 }, as)).body.msg).toBe('作业发布成功');
    }
  });

  describe('fields of the publish form', () => {
    it('lists every missing field under 请完善信息', async () => {
      const before = await homeworkCount();
      const { status, body } = await teacher().post('hw/publish', {});
      expect(status).toBe(422);
      expect(body.msg).toBe('请完善信息');
      expect(body.errors).toEqual({
        course_basis_id: ['请选择课程'],
        publish_scope: ['请选择发布范围'],
        type: ['请选择作业类型'],
        is_set_score: ['请选择题目分数设置'],
        name: ['请输入作业名称'],
        ending_time: ['请选择截止时间'],
        question: ['请选择题目'],
      });
      expect(await homeworkCount()).toBe(before);
    });

    it.each([
      ['a period homework without its period', { type: 2 }, 'course_periods_id', '请选择课时'],
      ['a name of blanks', { name: '  \n ' }, 'name', '请输入作业名称'],
      ['a name of 21 characters', { name: '😀'.repeat(21) }, 'name', '作业名称不能超过20个字'],
      ['a remark of 201 characters', { remark: '注'.repeat(201) }, 'remark', '备注不能超过200个字'],
      ['a deadline two days ago', { ending_time: noon - 2 * day }, 'ending_time', '截止时间不能早于昨天'],
      ['a deadline that is no time', { ending_time: 'soon' }, 'ending_time', '请选择截止时间'],
      ['a type that does not exist', { type: 3 }, 'type', '请选择作业类型'],
      ['a scope that does not exist', { publish_scope: 4 }, 'publish_scope', '请选择发布范围'],
      ['a lesson without its id', { arrange_type: 4 }, 'arrange_id', '请选择课次'],
      ['a way that does not exist', { arrange_type: 5 }, 'arrange_type', '请选择正确的布置方式'],
      ['a source that does not exist', { source: 9 }, 'source', '请选择正确的布置方式'],
      ['no class of those that are reached', { class_ids: [] }, 'class_ids', '请选择班级'],
    ])('refuses %s', async (_, more, field, message) => {
      const { status, body } = await publish(more);
      expect([status, body.msg, body.errors]).toEqual([422, '请完善信息', { [field]: [message] }]);
    });

    it.each([
      ['a name of 20 characters', { name: '😀'.repeat(20) }],
      ['a remark of 200 characters in lines', { remark: `${'注'.repeat(99)}\r\n${'注'.repeat(100)}` }],
      ['a deadline yesterday at 00:00 that is confirmed', { ending_time: noon - day - 12 * 3600, confirm_past: 1 }],
    ])('accepts %s', async (_, more) => {
      expect((await publish(more)).body).toMatchObject({ code: 200, msg: '作业发布成功' });
    });

    it('requires questions when the rest is complete', async () => {
      for (const question of [[], undefined, 'x', {}]) {
        const { status, body } = await publish({ question });
        expect([status, body.msg, body.errors]).toEqual([422, '请选择题目', { question: ['请选择题目'] }]);
      }
    });

    it('answers a non-object body as malformed, not with a 500', async () => {
      expect((await teacher().post('hw/publish', [])).status).toBe(400);
      expect((await publish({ question: [null, 5, 'x', { ques_item: 'x', ques_option: '[' }] })).status).toBe(422);
    });
  });

  describe('questions of published homework', () => {
    it('are sanitised copies in order, with the parts of materials', async () => {
      const { body } = await publish({
        question: [
          shortAnswer({ ques_stem: '<p onclick="x()">一<script>alert(1)</script></p>' }),
          material(),
          { id: ids.bank, ques_score: '１。５' },
          { id: ids.materialBank, ques_item: [{ ques_score: 3 }, { ques_score: 4 }] },
        ],
      });
      expect(body.msg).toBe('作业发布成功');
      const { data } = (await teacher().get(`hw/copy/${body.data.id}`)).body;
      expect(data.question.map((one: Payload) => [one.ques_type, one.ques_score, one.source_id])).toEqual([
        [5, 10, null],
        [6, 9.5, null],
        [1, 1.5, ids.bank],
        [6, 7, ids.materialBank],
      ]);
      expect(data.question[0].ques_stem).toBe('<p>一</p>');
      expect(data.question[1].ques_item.map((one: Payload) => [one.ques_type, one.ques_score])).toEqual([
        [1, 2.5],
        [5, 7],
      ]);
      expect(data.question[1].ques_item[0]).toMatchObject({
        right_answer: '1',
        ques_option: [
          { id: 1, content: '2', is_right: 1 },
          { id: 2, content: '3', is_right: 2 },
        ],
      });
      expect(data.question[3].ques_item.map((one: Payload) => one.ques_stem)).toEqual(['第一小题', '第二小题']);
      expect((await storedHomework(body.data.id)).total_score).toBe(280);
    });

    it('do not follow later edits and deletions in the bank', async () => {
      const own = await insert('question', {
        owner_id: school().people.teacher.id,
        ques_type: 5,
        ques_stem: '原题',
        stem_text: '原题',
        right_answer: '原答案',
        created_at: noon,
        updated_at: noon,
      });
      const { body } = await publish({ question: [{ id: own, ques_score: 2 }] });
      await db()
        .updateTable('question')
        .set({ ques_stem: '改过', right_answer: '改过' })
        .where('id', '=', own)
        .execute();
      const readPublished = async () => (await teacher().get(`hw/choose/${body.data.id}`)).body.data;
      expect(await readPublished()).toMatchObject([{ ques_stem: '原题', right_answer: '原答案' }]);
      await db().deleteFrom('question').where('id', '=', own).execute();
      expect(await readPublished()).toMatchObject([{ ques_stem: '原题', source_id: own }]);
    });

    it('sum ten scores of 1.1 to exactly 11; without scores each counts 1 point', async () => {
      const ten = Array.from({ length: 10 }, () => single({ ques_score: 1.1 }));
      const scored = await publish({ question: ten });
      expect((await storedHomework(scored.body.data.id)).total_score).toBe(110);
      const rated = await publish({ is_set_score: 1, question: [single({ ques_score: undefined }), material()] });
      expect(await storedHomework(rated.body.data.id)).toMatchObject({ total_score: 300, is_set_score: 1 });
      const { data } = (await teacher().get(`hw/copy/${rated.body.data.id}`)).body;
      expect(data.question.map((one: Payload) => one.ques_score)).toEqual([1, 2]);
      // Ratings are stored in hundredths of one point.
      const questions = await db()
        .selectFrom('homework_question')
        .select('score')
        .where('homework_id', '=', rated.body.data.id)
        .orderBy('id')
        .execute();
      expect(questions.map(({ score }) => score)).toEqual([100, 200, 100, 100]);
    });

    it.each([
      [0.9, '分数为1到100，最多一位小数'],
      [100.1, '分数为1到100，最多一位小数'],
      [2.25, '分数为1到100，最多一位小数'],
      [-5, '分数为1到100，最多一位小数'],
      ['', '请设置题目分数'],
      [undefined, '请设置题目分数'],
    ])('refuse a score of %j', async (ques_score, message) => {
      const { status, body } = await publish({ question: [single(), single({ ques_score })] });
      expect([status, body.msg, body.errors]).toEqual([422, '请完善信息', { 'question.1.ques_score': [message] }]);
    });

    it('take every score from 1 to 100', async () => {
      const { body } = await publish({ question: [single({ ques_score: 1 }), single({ ques_score: 100 })] });
      expect((await storedHomework(body.data.id)).total_score).toBe(1010);
    });

    it('keep edits of bank questions, and their owner', async () => {
      const { body } = await publish({ question: [single({ id: ids.bank, ques_stem: '改写的题' })] });
      const { data } = (await teacher().get(`hw/copy/${body.data.id}`)).body;
      expect(data.question).toMatchObject([{ ques_stem: '改写的题', source_id: ids.bank }]);
    });

    it('report errors of a question, and of a part', async () => {
      const { body } = await publish({
        question: [
          single({ ques_stem: '<p> </p>', ques_option: [{ content: '', is_right: 1 }] }),
          material({ ques_item: [] }),
          material({ ques_item: [single({ ques_type: 6, ques_score: 0 })] }),
          {},
        ],
      });
      expect(body.msg).toBe('请完善信息');
      expect(body.errors).toMatchObject({
        'question.0.ques_stem': ['请完善信息'],
        'question.0.ques_option.0.content': ['选项A内容不能为空'],
        'question.1.ques_item': ['至少保留一道小题'],
        'question.2.ques_item.0.ques_type': ['小题不能是材料题'],
        'question.3.ques_type': ['请完善信息'],
      });
    });

    it('may be own and public ones, public ones only while offered', async () => {
      expect((await publish({ question: [{ id: ids.theirBank, ques_score: 1 }] })).status).toBe(404);
      expect((await publish({ question: [single({ id: ids.theirBank })] })).status).toBe(404);
      expect((await publish({ question: [{ id: 999_999, ques_score: 1 }] })).status).toBe(404);
      expect((await publish({ question: [{ id: ids.publicBank, ques_score: 1 }] })).status).toBe(200);
      await db().insertInto('setting').values({ name: 'switch_question_module', value: '0' }).execute();
      school().setNow(noon + 60);
      expect((await publish({ question: [{ id: ids.publicBank, ques_score: 1 }] })).status).toBe(404);
      await db().deleteFrom('setting').where('name', '=', 'switch_question_module').execute();
      school().setNow(noon + 120);
      const kept = await publish({ question: [single({ source_id: ids.theirBank }), single({ source_id: ids.bank })] });
      const { data } = (await teacher().get(`hw/copy/${kept.body.data.id}`)).body;
      expect(data.question.map((one: Payload) => one.source_id)).toEqual([null, ids.bank]);
    });
  });

  describe('classes of published homework', () => {
    it('take the course and are open to the publisher', async () => {
      const { classes, students } = school();
      const byTeacher = await publish();
      expect(await classesOf(byTeacher.body.data.id)).toEqual([
        [classes.k1, true],
        [classes.k2, true],
        [classes.k3, true],
        [classes.k4, true],
      ]);
      expect(await storedHomework(byTeacher.body.data.id)).toMatchObject({
        publish_type: 1,
        class_count: 4,
        published_class_count: 4,
        // A student of two classes counts once, a former one not at all.
        homework_count: students.k1.length - 1 + students.k2.length + students.k3.length + students.k4.length,
      });
      const byAssistant = await publish({}, 'assist');
      expect(await classesOf(byAssistant.body.data.id)).toEqual([
        [classes.k1, true],
        [classes.k2, true],
      ]);
      const seen = (await school().as('otherAssist').get('hw/index')).body.data.list.map((row: Payload) => row.id);
      expect(seen).toContain(byTeacher.body.data.id);
      expect(seen).not.toContain(byAssistant.body.data.id);
    });

    it('cover child courses in scope 1, chosen ones in 2, and the course alone in 3', async () => {
      const scoped = async (more: Payload) => {
        const { status, body } = await publish({ course_basis_id: ids.parent, ...more });
        return status === 200 ? classesOf(body.data.id) : [status, body.msg, body.errors];
      };
      expect(await scoped({ publish_scope: 3 })).toEqual([[ids.parentOnly, true]]);
      expect(await scoped({ publish_scope: 1 })).toEqual([
        [ids.parentOnly, true],
        [ids.childOnly, true],
      ]);
      expect(await scoped({ publish_scope: 2, child_course_basis_ids: `${ids.childMine}` })).toEqual([
        [ids.parentOnly, true],
        [ids.childOnly, true],
      ]);
      expect(await scoped({ publish_scope: 2 })).toEqual([
        422,
        '请选择子课程',
        { child_course_basis_ids: ['请选择子课程'] },
      ]);
      expect(await scoped({ publish_scope: 2, child_course_basis_ids: [ids.childMine, ids.childOther] })).toEqual([
        404,
        '课程不存在',
        undefined,
      ]);
      for (const publish_scope of [1, 2]) {
        const { status, body } = await publish({ publish_scope });
        expect([status, body.msg, body.errors]).toEqual([422, '暂无子课程', { publish_scope: ['暂无子课程'] }]);
      }
    });

    it('can be chosen now and completed later', async () => {
      const { k1, k2, k3, k4 } = school().classes;
      const { body } = await publish({ class_ids: [k2] });
      const id = body.data.id;
      expect(await classesOf(id)).toEqual([
        [k1, false],
        [k2, true],
        [k3, false],
        [k4, false],
      ]);
      expect(await storedHomework(id)).toMatchObject({ publish_type: 2, class_count: 4, published_class_count: 1 });
      expect((await teacher().post(`hw/class/publish/${id}/${k1}`)).body.msg).toBe('继续发布成功');
      expect(
        await storedHomework((await publish({ class_ids: `${k1},${k2},${k3},${k4}` })).body.data.id),
      ).toMatchObject({
        publish_type: 1,
      });
      expect((await publish({ class_ids: [k1, ids.childOnly] })).status).toBe(404);
      expect((await publish({ class_ids: [school().classes.k3] }, 'assist')).status).toBe(404);
    });

    it("have scope errors among the other fields' errors", async () => {
      const { body } = await publish({ course_basis_id: ids.parent, publish_scope: 2, name: '' });
      expect([body.msg, body.errors]).toEqual([
        '请完善信息',
        { name: ['请输入作业名称'], child_course_basis_ids: ['请选择子课程'] },
      ]);
    });

    it('share students, who count once', async () => {
      const { courses, classes } = school();
      const asked = await teacher().get(`hw/publish/classes?course_basis_id=${courses.shared}&publish_scope=3`);
      const { data, extra } = asked.body;
      const { body } = await publish();
      const { homework_count } = await storedHomework(body.data.id);
      expect(extra.shared).toContainEqual([classes.k1, classes.k3]);
      expect(countStudents(data, extra.shared)).toBe(homework_count);
      const some = data.filter(({ id }: { id: number }) => id === classes.k3 || id === classes.k4);
      const part = await publish({ class_ids: [classes.k3, classes.k4] });
      expect(countStudents(some, extra.shared)).toBe((await storedHomework(part.body.data.id)).homework_count);
    });

    it('must not be empty for a scope', async () => {
      const lonely = await insert('course', { title: '无班课程', school_id: 1, created_at: noon });
      await insert('period', {
        course_id: lonely,
        title: '课时',
        lecturer_id: school().people.teacher.id,
        start_play: noon,
      });
      const { status, body } = await publish({ course_basis_id: lonely });
      expect([status, body.msg]).toEqual([422, '所选范围内没有您可以布置作业的班级']);
    });

    it('must still be running', async () => {
      const course = await insert('course', { title: '有效期', school_id: 1, created_at: noon });
      const lecturer_id = school().people.teacher.id;
      await insert('period', { course_id: course, title: '课时', lecturer_id, start_play: noon });
      const add = async (valid_time: number) => {
        const id = await insert('class', { name: '有效期', school_id: 1, created_at: noon, valid_type: 2, valid_time });
        await db().insertInto('class_course').values({ class_id: id, course_id: course }).execute();
        return id;
      };
      await add(noon);
      const valid = await add(noon + 1);
      const { data } = (await teacher().get(`hw/publish/classes?course_basis_id=${course}&publish_scope=3`)).body;
      expect(data).toEqual([{ id: valid, name: '有效期', students_count: 0 }]);
      await db().deleteFrom('period').where('course_id', '=', course).execute();
    });

    it('are listed for the form', async () => {
      const { courses, classes } = school();
      const listed = await teacher().get(`hw/publish/classes?course_basis_id=${courses.shared}&publish_scope=3`);
      expect(listed.body.data.map(({ id }: Payload) => id)).toEqual(Object.values(classes));
      expect(listed.body.data[0]).toEqual({ id: classes.k1, name: '一班', students_count: 2 });
      expect(
        (await teacher().get(`hw/publish/classes?course_basis_id=${courses.shared}&publish_scope=1`)).body.data,
      ).toEqual([]);
      for (const search of [
        '',
        '?publish_scope=3',
        `?course_basis_id=${ids.parent}&child_course_basis_ids=${ids.childMine}`,
      ])
        expect((await teacher().get(`hw/publish/classes${search}`)).body.data, search).toEqual([]);
      const lesson = `course_basis_id=${courses.shared}&publish_scope=3&arrange_id`;
      expect((await teacher().get(`hw/publish/classes?${lesson}=${ids.session}`)).body.data).toMatchObject([
        { id: ids.group },
      ]);
      expect((await teacher().get(`hw/publish/classes?${lesson}=${ids.theirSession}`)).status).toBe(404);
      expect((await teacher().get(`hw/publish/classes?course_basis_id=${courses.theirs}&publish_scope=3`)).status).toBe(
        404,
      );
    });
  });

  describe("other people's records in the publish form", () => {
    it('answer 404 for courses and periods', async () => {
      const { courses, periods } = school();
      expect((await publish({ course_basis_id: courses.theirs })).status).toBe(404);
      expect((await publish({ course_basis_id: 999_999 })).status).toBe(404);
      expect((await publish({ course_basis_id: ids.parent, publish_scope: 1 }, 'assist')).status).toBe(404);
      expect((await publish({ type: 2, course_periods_id: periods.theirs })).status).toBe(404);
      expect((await publish({ type: 2, course_periods_id: 999_999 })).status).toBe(404);
      const elsewhere = await publish({ type: 2, course_periods_id: ids.childPeriod });
      expect([elsewhere.status, elsewhere.body.errors]).toEqual([
        422,
        { course_periods_id: ['请选择发布范围内的课时'] },
      ]);
    });

    it('need the publish permission', async () => {
      expect((await publish({}, 'plainTeacher')).status).toBe(403);
      for (const path of [
        'hw/history',
        'hw/choose/1',
        'hw/copy/1',
        'hw/usualScore',
        'hw/publish/classes',
        'hw/draft/1',
      ]) {
        expect((await school().as('plainTeacher').get(path)).status, path).toBe(403);
      }
    });
  });

  it('shows period homework with its period to its lecturer', async () => {
    const { periods } = school();
    const { body } = await publish({ type: 2, course_periods_id: periods.theirsInShared }, 'assist');
    expect(await storedHomework(body.data.id)).toMatchObject({ type: 2, period_id: periods.theirsInShared });
    const seen = (await school().as('otherTeacher').get('hw/index')).body.data.list;
    expect(seen).toContainEqual(expect.objectContaining({ id: body.data.id, periods_title: '第二讲 函数', type: 2 }));
    const scoped = await publish({
      course_basis_id: ids.parent,
      publish_scope: 1,
      type: 2,
      course_periods_id: ids.childPeriod,
    });
    expect(scoped.status).toBe(200);
    // A course homework ignores the period.
    expect(await storedHomework((await publish({ course_periods_id: periods.mine })).body.data.id)).toMatchObject({
      period_id: null,
    });
  });

  it('publishes all or nothing', async () => {
    const counts = async () =>
      Promise.all(
        (['homework', 'homework_class', 'homework_question', 'report', 'history'] as const).map(
          async (table) =>
            (
              await db()
                .selectFrom(table)
                .select((eb) => eb.fn.countAll<number>().as('n'))
                .executeTakeFirstOrThrow()
            ).n,
        ),
      );
    const before = await counts();
    await expect(
      db()
        .transaction()
        .execute(async (trx) => {
          const { publishNewHomework: publishRule } = await import('#server/homework/publish-homework.ts');
          const { PublishBody } = await import('#server/homework/publication.contract.ts');
          const { defaultSettings } = await import('#server/school/settings.ts');
          const { parse } = await import('valibot');
          const actor = {
            id: school().people.teacher.id,
            identity: 'teacher' as const,
            name: '',
            schoolId: 1,
            permissions: ['dispatch' as const, 'correct' as const],
            everySchool: false,
            mustChangePassword: false,
            awaitsCode: false,
            mustSetSecondFactor: false,
            signInId: 1,
          };
          const done = await publishRule(trx, actor, parse(PublishBody, payload()), {
            now: noon,
            settings: defaultSettings,
          });
          expect(done).toHaveProperty('id');
          throw new Error('the power fails');
        }),
    ).rejects.toThrow('the power fails');
    expect(await counts()).toEqual(before);
    expect((await publish({ class_ids: [school().classes.k1, 999_999] })).status).toBe(404);
    expect(await counts()).toEqual(before);
  });

  it('publishes once for a repeated form', async () => {
    const before = await homeworkCount();
    const key = { 'idempotency-key': 'publish-once' };
    const both = await Promise.all([1, 2].map(() => teacher().post('hw/publish', payload(), key)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.body).toEqual(both[1]?.body);
    expect(await homeworkCount()).toBe(before + 1);
    const history = await db()
      .selectFrom('history')
      .selectAll()
      .where('record', '=', 'homework')
      .where('record_id', '=', both[0]?.body.data.id)
      .execute();
    expect(history).toMatchObject([{ action: 'publish', staff_id: school().people.teacher.id, at: noon }]);
  });

  it('puts new homework first in the list', async () => {
    school().setNow(noon + 500);
    const { body } = await publish({ name: '最新作业' });
    expect((await teacher().get('hw/index')).body.data.list[0]).toMatchObject({
      id: body.data.id,
      name: '最新作业',
      is_owner: 1,
      publish_time: noon + 500,
    });
  });

  describe('homework of a scheduled lesson', () => {
    const fromSession = (more: Payload = {}, as: 'teacher' | 'assist' | 'otherAssist' | 'otherTeacher' = 'teacher') =>
      school()
        .as(as)
        .post('arrangeHomework/homework/publish', payload({ arrange_id: ids.session, arrange_type: 4, ...more }));

    it("reaches the lesson's class only, and is listed with it", async () => {
      const { body } = await fromSession();
      expect(body.msg).toBe('发布成功');
      expect(await classesOf(body.data.id)).toEqual([[ids.group, true]]);
      expect(await storedHomework(body.data.id)).toMatchObject({
        arrange_id: ids.session,
        arrange_type: 4,
        source: 2,
        homework_count: 1,
      });
      for (const person of ['teacher', 'assist'] as const) {
        const { data } = (
          await school().as(person).get(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${ids.session}`)
        ).body;
        expect(data).toMatchObject({
          total: 1,
          list: [{ hw_id: body.data.id, hw_status: 1, submit: 0, shouldSubmit: 1, notRevise: 0, revised: 0 }],
        });
      }
      const byAssistant = await fromSession({ name: '助教布置' }, 'assist');
      expect((await teacher().get('hw/index')).body.data.list).toContainEqual(
        expect.objectContaining({ id: byAssistant.body.data.id, name: '助教布置' }),
      );
      const fromClass = await publish({ source: 2 });
      expect(await storedHomework(fromClass.body.data.id)).toMatchObject({ source: 2, arrange_id: null });
    });

    it("is refused for others' lessons, cancelled ones, other courses, and with lesson homework off", async () => {
      expect((await fromSession({ arrange_id: ids.theirSession })).status).toBe(404);
      expect((await fromSession({}, 'otherTeacher')).status).toBe(404);
      expect((await fromSession({}, 'otherAssist')).status).toBe(404);
      expect((await publish({ arrange_id: ids.theirSession })).status).toBe(404);
      const cancelled = await fromSession({ arrange_id: ids.cancelledSession });
      expect([cancelled.status, cancelled.body.msg]).toEqual([409, '该课次已取消，不能布置作业']);
      const other = await fromSession({ course_basis_id: ids.parent });
      expect([other.status, other.body.errors]).toEqual([422, { course_basis_id: ['请选择该课次的课程'] }]);
      const without = await fromSession({ arrange_id: undefined, arrange_type: undefined });
      expect([without.status, without.body.errors]).toEqual([422, { arrange_id: ['请选择课次'] }]);
      await db().insertInto('setting').values({ name: 'class_homework_module', value: '0' }).execute();
      school().setNow(noon + 600);
      expect((await fromSession()).status).toBe(403);
      for (const path of ['getHomeWorkRecord?type=3&type_id=1', 'getClassHomeWorkRecord?type=3&class_id=1'])
        expect((await school().as('assist').get(`arrangeHomework/${path}`)).body.msg).toBe('课次作业功能未开启');
      await db().deleteFrom('setting').where('name', '=', 'class_homework_module').execute();
      school().setNow(noon + 700);
      expect((await fromSession()).status).toBe(200);
    });

    it("lists each person's lessons with their states", async () => {
      const listLessons = async (person: 'teacher' | 'otherTeacher' | 'assist' | 'otherAssist', search = '') =>
        (await school().as(person).get(`schedule/list${search}`)).body.data.list as Payload[];
      expect((await listLessons('teacher')).map(({ id, status }) => [id, status])).toEqual([
        [ids.session, 2],
        [ids.cancelledSession, 4],
      ]);
      expect(await listLessons('assist')).toHaveLength(2);
      expect(await listLessons('otherAssist')).toEqual([]);
      expect(await listLessons('otherTeacher')).toMatchObject([
        {
          id: ids.theirSession,
          status: 1,
          class_type: 1,
          time_name: '10:00-11:00',
          clue_name: '团课学员',
          allow_enter: 1,
          nickname: '姓名teacher2',
        },
      ]);
      expect((await listLessons('teacher', '?status=4')).map(({ id }) => id)).toEqual([ids.cancelledSession]);
      expect((await listLessons('teacher', '?status=2')).map(({ id }) => id)).toEqual([ids.session]);
      expect((await listLessons('teacher', '?start_at=2026-11-20&end_at=2026-11-20')).map(({ id }) => id)).toEqual([
        ids.session,
      ]);
      school().setNow(noon + 3600);
      expect((await listLessons('teacher', '?status=3')).map(({ id }) => id)).toEqual([ids.session]);
      school().setNow(noon + 7200);
      expect((await listLessons('teacher', '?status=1')).map(({ id }) => id)).toEqual([ids.session]);
      expect((await teacher().get(`arrangeHomework/getHomeWorkRecord?type=3&type_id=${ids.theirSession}`)).status).toBe(
        404,
      );
    });
  });

  describe('choices of the publish form', () => {
    it("are a lecturer's courses with parents, and an assistant's by class", async () => {
      const titles = async (person: 'teacher' | 'assist', search = '') =>
        (
          (
            await school()
              .as(person)
              .get(`${person === 'teacher' ? 'teacher/myCourse' : 'hw/courses/choose'}${search}`)
          ).body.data as Payload[]
        ).map(({ title }) => title);
      expect(await titles('teacher')).toEqual(['高一数学', '高一总课程', '子课程甲', '无班课程']);
      expect(await titles('teacher', `?parent_id=${ids.parent}`)).toEqual(['子课程甲']);
      expect(await titles('teacher', '?title=数')).toEqual(['高一数学']);
      expect(await titles('assist', '?is_create_hw=1')).toEqual(['高一数学', '高一物理', '子课程乙']);
      const { data } = (await teacher().get('teacher/myCourse')).body;
      expect(data[1]).toEqual({
        id: ids.parent,
        title: '高一总课程',
        parent_id: null,
        parent_title: '',
        children_count: 1,
      });
      expect(data[2]).toMatchObject({ parent_id: ids.parent, parent_title: '高一总课程', children_count: 0 });
      expect((await school().as('assist').get('/api/lector/teacher/myCourse')).status).toBe(403);
    });

    it("are the lecturer's own periods first, with child courses", async () => {
      const { courses } = school();
      const titles = async (person: 'teacher' | 'otherTeacher', course: number) =>
        ((await school().as(person).get(`hw/choose/periods/${course}`)).body.data as Payload[]).map(
          ({ title }) => title,
        );
      expect(await titles('teacher', courses.shared)).toEqual(['第一讲 集合', '第二讲 函数']);
      expect(await titles('otherTeacher', courses.shared)).toEqual(['第二讲 函数', '第一讲 集合']);
      expect(await titles('teacher', ids.parent)).toEqual(['子课时']);
      expect((await teacher().get(`hw/choose/periods/${courses.theirs}`)).status).toBe(404);
      expect((await teacher().get('hw/choose/periods/x')).status).toBe(404);
    });

    it("sort periods: the course, its child courses, then other lecturers'", async () => {
      const course = (title: string, parent_id: number | null) =>
        insert('course', { title, parent_id, school_id: 1, created_at: noon });
      const [one, two] = [await course('子课程丙', null), await course('子课程丁', null)];
      const parent = await course('高二总课程', null);
      await db().updateTable('course').set({ parent_id: parent }).where('id', 'in', [one, two]).execute();
      const period = (
        title: string,
        course_id: number,
        sort: number,
        start = noon,
        who: 'teacher' | 'otherTeacher' = 'teacher',
      ) => insert('period', { title, course_id, sort, start_play: start, lecturer_id: school().people[who].id });
      await period('别人的', parent, 0, noon, 'otherTeacher');
      await period('丁', two, 0);
      await period('丙', one, 0);
      await period('总二', parent, 2, noon - day);
      await period('总一晚', parent, 1, noon + day);
      await period('总一早', parent, 1, noon);
      const { data } = (await teacher().get(`hw/choose/periods/${parent}`)).body;
      expect(data.map(({ title, is_mine }: Payload) => [title, is_mine])).toEqual([
        ...['总一早', '总一晚', '总二', '丙', '丁'].map((title) => [title, 1]),
        ['别人的', 0],
      ]);
      // A parent sorts before its children, even if newer.
      const titles = (await teacher().get('teacher/myCourse')).body.data.map(({ title }: Payload) => title);
      expect(titles.slice(-3)).toEqual(['高二总课程', '子课程丙', '子课程丁']);
    });

    it('are visible earlier homework with ordered questions', async () => {
      const { courses, classes, addHomework } = school();
      const theirs = await addHomework({ creator: 'otherTeacher', course: courses.theirs, classes: [classes.k4] });
      const first = (await publish({ name: '旧作业一', question: [single({ ques_stem: '甲' }), material()] })).body.data
        .id;
      const second = (await publish({ name: '旧作业二', question: [single({ ques_stem: '乙' })] })).body.data.id;
      const { data } = (await teacher().get('hw/history?name=旧作业')).body;
      expect(data.list.map(({ name, question_count }: Payload) => [name, question_count])).toEqual([
        ['旧作业二', 1],
        ['旧作业一', 2],
      ]);
      const chosen = (await teacher().get(`hw/choose/${second},${first}`)).body.data as Payload[];
      expect(chosen.map(({ ques_stem }) => ques_stem)).toEqual(['乙', '甲', '阅读材料']);
      expect((await teacher().get(`hw/choose/${first},${theirs}`)).status).toBe(404);
      const none = await teacher().get('hw/choose/');
      expect([none.status, none.body.msg]).toEqual([422, '请选择作业']);
      expect((await teacher().get(`hw/choose/${Array.from({ length: 101 }, (_, n) => n + 1)}`)).status).toBe(422);
    });

    it('suggest usual scores by type from the latest homework', async () => {
      const usual = async () => (await school().as('teacher').get('hw/usualScore')).body.data as Payload[];
      let at = noon + 100 * day;
      const latest = async (more: Payload) => {
        const { body } = await publish(more);
        at += 1;
        await db().updateTable('homework').set({ publish_time: at }).where('id', '=', body.data.id).execute();
      };
      const worth = (ques_score: number) => single({ ques_score });
      await latest({ question: [worth(3), worth(3), worth(8)] });
      expect(await usual()).toContainEqual({ ques_type: 1, ques_score: 3 });
      await latest({ question: [worth(7)] });
      await latest({ is_set_score: 1, question: [single()] });
      expect(await usual()).toContainEqual({ ques_type: 1, ques_score: 7 });
      expect((await school().as('otherAssist').get('hw/usualScore')).body.data).toEqual([]);
    });

    it("name the classes of a copy's original", async () => {
      const { k1, k2 } = school().classes;
      const { body } = await publish({ class_ids: [k2] });
      await teacher().post(`hw/class/publish/${body.data.id}/${k1}`);
      const { data } = (await teacher().get(`hw/copy/${body.data.id}`)).body;
      expect(data.classes.map(({ id }: { id: number }) => id)).toEqual([k1, k2]);
    });

    it('leave copies to their owner', async () => {
      const { classes } = school();
      const { body } = await publish({
        course_basis_id: ids.parent,
        publish_scope: 2,
        child_course_basis_ids: [ids.childMine],
        remark: '注意',
        right_answers: rightAnswers.onceGraded,
      });
      const { data } = (await teacher().get(`hw/copy/${body.data.id}`)).body;
      expect(data.hw_info).toEqual({
        name: '第一次作业',
        course_basis_id: ids.parent,
        course_title: '高一总课程',
        type: 1,
        remark: '注意',
        course_periods_id: null,
        publish_scope: 2,
        child_course_basis_ids: [ids.childMine],
        is_set_score: 2,
        right_answers: rightAnswers.onceGraded,
        ending_time: noon + day,
        arrange_id: null,
        arrange_type: null,
      });
      const again = await teacher().post('hw/publish', {
        ...data.hw_info,
        question: data.question,
      });
      expect(again.body.msg).toBe('作业发布成功');
      const sources = (of: number) =>
        db().selectFrom('homework_question').select('source_id').where('homework_id', '=', of).orderBy('id').execute();
      expect(await sources(again.body.data.id)).toEqual(await sources(body.data.id));
      const seenByAssistant = await school().addHomework({ creator: 'teacher', classes: [classes.k1] });
      expect((await school().as('assist').get(`hw/copy/${seenByAssistant}`)).status).toBe(403);
      expect((await school().as('assist').get(`hw/copy/${body.data.id}`)).status).toBe(404);
    });

    it('refuse a bank question given twice', async () => {
      const { status, body } = await publish({
        question: [{ id: ids.bank, ques_score: 5 }, single(), { ...single(), source_id: ids.bank }],
      });
      expect([status, body.errors]).toEqual([422, { 'question.2.id': ['与第1题是同一道题，请去掉其中一道'] }]);
    });

    it('store the form for its owner', async () => {
      const kept = await teacher().post('hw/draft', { form: '{"name":"草稿"}' });
      const id = kept.body.data.id;
      expect((await teacher().get(`hw/draft/${id}`)).body.data).toEqual({ id, form: '{"name":"草稿"}' });
      expect((await school().as('otherTeacher').get(`hw/draft/${id}`)).status).toBe(404);
      for (let count = 0; count < 50; count += 1) await teacher().post('hw/draft', { form: '' });
      expect((await teacher().get(`hw/draft/${id}`)).status).toBe(404);
    });
  });
});
