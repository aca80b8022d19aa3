import { beforeAll, beforeEach, expect, it } from 'vitest';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, errorsOf, noon, outcomeOf } from '../support/school.ts';

type Person = 'teacher' | 'assist' | 'admin';

onBothEngines('choosing questions by a rule', (school) => {
  const db = () => school().database.db;
  const both = ['teacher', 'assist'] as const;
  let chapter: number;
  let leaf: number;
  let number = 0;

  const addPoint = async (name: string, parent_id: number | null = null) =>
    (
      await db()
        .insertInto('knowledge_point')
        .values({ name, parent_id, sort: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const addQuestion = async (who: Person, more: object = {}) => {
    number += 1;
    const { id } = await db()
      .insertInto('question')
      .values({
        owner_id: school().people[who].id,
        ques_type: 1,
        ques_stem: `<p>第${number}道</p>`,
        stem_text: `第${number}道`,
        ques_option: JSON.stringify([1, 2].map((id) => ({ id, content: `选项${id}`, is_right: id }))),
        right_answer: '1',
        facility_value: 2,
        point_id: leaf,
        created_at: noon,
        updated_at: noon,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  };
  const row = (more: object = {}) => ({ point: '第3章', ques_type: 1, from: 2, to: 3, count: 5, score: '2', ...more });
  const compose = (who: Person, body: object) => school().as(who).post('hw/compose', body);
  const chosen = async (who: Person, body: object) => (await compose(who, body)).body.data;
  const idsOf = ({ rows }: { rows: { questions: { id: number }[] }[] }) =>
    rows.map(({ questions }) => questions.map(({ id }) => id));

  beforeAll(async () => {
    chapter = await addPoint('第3章');
    leaf = await addPoint('单调性', chapter);
  });
  beforeEach(async () => {
    await db().deleteFrom('question').where('parent_id', 'is not', null).execute();
    await db().deleteFrom('question').where('point_id', 'in', [leaf, chapter]).execute();
  });
  const addMany = async (who: Person, count: number, more: object = {}) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1) ids.push(await addQuestion(who, more));
    return ids;
  };

  it.each(both)('takes questions of the chapter, type and difficulty from the bank of a %s', async (who) => {
    const fitting = [...(await addMany(who, 6)), ...(await addMany(who, 6, { facility_value: 3 }))];
    await addMany(who, 3, { facility_value: 4 });
    await addMany(who, 3, { ques_type: 3 });
    await addMany('admin', 3, { is_public: 1 });
    const { seed, rows } = await chosen(who, { rows: [row()] });
    expect(rows).toMatchObject([{ matching: 12, lacking: 0 }]);
    const [ids = []] = idsOf({ rows });
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => fitting.includes(id))).toBe(true);
    expect(rows[0].questions[0]).toMatchObject({ ques_type: 1, point_name: '单调性', preview: { item_count: 0 } });
    // Reloading shows the same; another seed shows others.
    expect(idsOf(await chosen(who, { rows: [row()], seed }))).toEqual([ids]);
    const others = await Promise.all([1, 2, 3, 4, 5].map((seed) => chosen(who, { rows: [row()], seed })));
    expect(new Set(others.map((other) => JSON.stringify(idsOf(other)))).size).toBeGreaterThan(3);
    const publicly = await chosen(who, { rows: [row({ bank: 'public' })] });
    expect(publicly.rows).toMatchObject([{ matching: 3, lacking: 2 }]);
  });

  it('chooses no question twice, and none that the homework has', async () => {
    const ids = await addMany('teacher', 6);
    const present = ids.slice(0, 1);
    const rule = { rows: [row({ count: 3 }), row({ count: 2 })], present, seed: 7 };
    const found = await chosen('teacher', rule);
    expect(idsOf(found).flat().sort()).toEqual(ids.slice(1).sort());
  });

  it('takes questions that have all of the tags, which are the own ones', async () => {
    const [one = 0, two = 0] = await addMany('teacher', 2);
    await addMany('teacher', 2);
    const tag = (ids: number[], add: string) => school().as('teacher').post('ques/tags', { ids, add });
    await tag([one, two], '期中');
    await tag([two], '易错');
    const found = async (text: string) =>
      idsOf(await chosen('teacher', { rows: [row({ tag: text })] }))
        .flat()
        .sort();
    expect(await found('期中')).toEqual([one, two].sort());
    expect(await found('期中 易错')).toEqual([two]);
    expect(await found('没有')).toEqual([]);
    // Tags are private notes: no other owner of a rule finds by them.
    const { rows } = await chosen('assist', { rows: [row({ tag: '期中', bank: 'public' })] });
    expect(rows).toMatchObject([{ matching: 0 }]);
  });

  it('says how many a row lacks, and lets rows with few matches choose first', async () => {
    await addMany('teacher', 4);
    const rare = await addMany('teacher', 2, { facility_value: 3 });
    const { rows } = await chosen('teacher', { rows: [row({ count: 6 }), row({ from: 3, count: 2 })] });
    expect(rows).toMatchObject([
      { matching: 6, lacking: 2 },
      { matching: 2, lacking: 0 },
    ]);
    expect(idsOf({ rows })[1]?.sort()).toEqual(rare.sort());
  });

  it('leaves out questions that were given within some days', async () => {
    const [inHomework = 0, inExam = 0, long = 0, recalled = 0, ofOthers = 0, never = 0] = await addMany('teacher', 6);
    const { people } = school();
    const give = async (source_id: number, more: { creator?: 'assist'; publishTime?: number; status?: 1 | 2 } = {}) => {
      const id = await school().addHomework({
        creator: 'teacher' as const,
        classes: [school().classes.k3],
        publishTime: noon - 29 * day,
        ...more,
      });
      const content = { ques_type: 1, ques_stem: '一', sort: 1, score: 10 };
      await db()
        .insertInto('homework_question')
        .values({ ...content, homework_id: id, source_id })
        .execute();
    };
    await give(inHomework);
    await give(long, { publishTime: noon - 31 * day });
    await give(recalled, { status: 2 });
    await give(ofOthers, { creator: 'assist' });
    const exam = {
      name: '考试',
      score: 10,
      pass_score: 0,
      status: 1 as const,
      creator_id: people.teacher.id,
      school_id: 1,
    };
    const { id: exam_id } = await db()
      .insertInto('exam')
      .values({ ...exam, created_at: noon - 90 * day, published_at: noon - 3 * day })
      .returning('id')
      .executeTakeFirstOrThrow();
    const part = { exam_id, name: '一', sort: 1 };
    const { id: section_id } = await db()
      .insertInto('exam_section')
      .values(part)
      .returning('id')
      .executeTakeFirstOrThrow();
    const content = { ques_type: 1, ques_stem: '一', sort: 1, score: 10 };
    await db()
      .insertInto('exam_question')
      .values({ ...content, exam_id, section_id, source_id: inExam })
      .execute();

    const within = async (unused_days: string) =>
      idsOf(await chosen('teacher', { rows: [row({ count: 6 })], unused_days }))
        .flat()
        .sort();
    expect(await within('30')).toEqual([long, recalled, ofOthers, never].sort());
    expect(await within('32')).toEqual([recalled, ofOthers, never].sort());
    expect(await within('0')).toHaveLength(6);
  });

  it('exchanges a question for another of its row in place, until all were shown', async () => {
    const ids = await addMany('teacher', 5);
    const rule = { rows: [row({ count: 2 })], seed: 3 };
    const [first = []] = idsOf(await chosen('teacher', rule));
    const [kept = 0, changed = 0] = first;
    const seen = new Set([changed]);
    let swaps: [number, number][] = [];
    let exchange = changed;
    for (let press = 0; press < 3; press += 1) {
      const found = await chosen('teacher', { ...rule, swaps, exchange });
      swaps = found.swaps;
      const [[stays, other = 0] = []] = idsOf(found);
      expect(stays).toBe(kept);
      seen.add(other);
      exchange = other;
    }
    expect([...seen, kept].sort()).toEqual(ids.sort());
    // The address holds the exchanges, and another rule drops those that no longer fit.
    expect(idsOf(await chosen('teacher', { ...rule, swaps }))).toEqual([[kept, exchange]]);
    expect((await chosen('teacher', { rows: [row({ from: 3 })], swaps })).swaps).toEqual([]);
    const all = { rows: [row()], exchange: changed };
    expect(outcomeOf(await compose('teacher', all))).toEqual([409, '没有其他符合条件的题目']);
    expect(outcomeOf(await compose('teacher', { ...all, exchange: 99999 }))).toEqual([404, '题目不存在']);
  });

  it('refuses a wrong rule with a message by field', async () => {
    const wrong = [
      row({ count: 0, score: '0.5' }),
      row({ count: 101, score: '2.55', from: 4, to: 2 }),
      row({ count: 'x', point: '没有的章' }),
    ];
    expect(errorsOf(await compose('teacher', { rows: wrong, unused_days: '366' }))).toEqual([
      422,
      {
        unused_days: ['天数为0到365的整数，0为不限'],
        'rows.0.count': ['题数为1到100的整数'],
        'rows.0.score': ['分数为1到100，最多一位小数'],
        'rows.1.count': ['题数为1到100的整数'],
        'rows.1.to': ['难度范围应从低到高'],
        'rows.1.score': ['分数为1到100，最多一位小数'],
        'rows.2.count': ['题数为1到100的整数'],
        'rows.2.point': ['没有知识点“没有的章”，请从列表中选择'],
      },
    ]);
    const rows = (count: number, of = 1) => Array.from({ length: count }, () => row({ count: of }));
    const refused = async (body: object) => errorsOf(await compose('teacher', body))[1];
    expect(await refused({ rows: [] })).toEqual({ rows: ['请添加一行规则'] });
    expect(await refused({ rows: rows(21) })).toEqual({ rows: ['规则最多20行'] });
    expect(await refused({ rows: rows(6, 100) })).toEqual({ rows: ['一次最多选择500道题目'] });
    expect((await compose('teacher', { rows: rows(20) })).status).toBe(200);
  });

  it('returns a similar question for one of the homework', async () => {
    const [given = 0, same = 0] = await addMany('teacher', 2);
    const harder = await addQuestion('teacher', { facility_value: 3 });
    const everybodys = await addQuestion('admin', { is_public: 1 });
    await addQuestion('teacher', { facility_value: 5 });
    await addQuestion('teacher', { point_id: chapter });
    const exchange = (present: number[]) =>
      school().as('teacher').post('hw/exchange', { source_id: given, ques_type: 1, facility_value: 2, present });
    const order = [same, everybodys, harder];
    for (const [index, id] of order.entries()) {
      const { body } = await exchange(order.slice(0, index));
      expect(body.data).toMatchObject({ id, ques_type: 1, point_name: '单调性' });
    }
    expect(outcomeOf(await exchange(order))).toEqual([409, '没有其他符合条件的题目']);
  });

  /** Adds a draft with a section. */
  const addExamDraft = async () => {
    const admin = school().as('admin');
    const [{ id: own = 0 } = {}] = await db().selectFrom('school').select('id').orderBy('id').execute();
    const fields = { name: '期中', introduce: '', pass_score: '3', limit_minutes: '60', attempts: '2' };
    const { body } = await admin.post('exams', { ...fields, start_at: noon, end_at: noon + day, school_ids: [own] });
    const { id } = body.data;
    const part: number = (await admin.post(`exams/${id}/sections`, { name: '一', introduce: '' })).body.data.id;
    const firstOf = async () => (await admin.get(`exams/${id}/paper`)).body.data.detail[0].question[0];
    return { admin, id: id as number, part, firstOf };
  };

  it('exchanges a question of a paper, and puts it back as it was', async () => {
    const { admin, id, part, firstOf } = await addExamDraft();
    const [given = 0, ...others] = await addMany('admin', 3, { is_public: 1 });
    await addMany('admin', 2, { facility_value: 4 });
    await admin.post(`exams/${id}/questions`, { section_id: part, ids: [given], scores: [{ id: given, score: '2' }] });
    const before = await firstOf();
    const path = `exams/${id}/questions/${before.id}/exchange`;
    const sources = async () => (await admin.get(`exams/${id}/paper`)).body.data.sources;
    expect(outcomeOf(await admin.post(`${path}/undo`))).toEqual([409, '该题目没有换过，或之后又有修改，不能撤销']);
    const seen: number[] = [];
    for (const _ of others) {
      expect(outcomeOf(await admin.post(path))).toEqual([200, '已换一道']);
      seen.push(...(await sources()));
      expect(await firstOf()).toMatchObject({ id: before.id, ques_score: 2, sort: '1' });
    }
    expect(seen.sort()).toEqual(others.sort());
    expect(outcomeOf(await admin.post(path))).toEqual([409, '没有其他符合条件的题目']);
    // Two exchanges are undone one after the other; a score typed meanwhile stays.
    const { paper_seen } = (await admin.get(`exams/${id}`)).body.data;
    await admin.put(`exams/${id}/scores`, { scores: [{ id: before.id, score: '3' }], seen: paper_seen });
    await admin.post(`${path}/undo`);
    expect(outcomeOf(await admin.post(`${path}/undo`))).toEqual([200, '已撤销换题']);
    expect(await firstOf()).toEqual({ ...before, ques_score: 3 });
    expect(await sources()).toEqual([given]);
    expect((await admin.post(`${path}/undo`)).status).toBe(409);
    const rows = await db()
      .selectFrom('history')
      .select('action')
      .where('record', '=', 'exam')
      .where('record_id', '=', id)
      .orderBy('id', 'desc')
      .limit(5)
      .execute();
    expect(rows.map(({ action }) => action)).toEqual([
      'undo-exchange',
      'undo-exchange',
      'score',
      'exchange-question',
      'exchange-question',
    ]);
  });

  it('puts back a material question with its parts', async () => {
    const { admin, id, part, firstOf } = await addExamDraft();
    const addMaterial = async (parts: number) => {
      const material = await addQuestion('admin', { ques_type: 6, ques_option: '[]', right_answer: '' });
      for (let sort = 1; sort <= parts; sort += 1)
        await addQuestion('admin', { parent_id: material, sort, ques_type: 5, right_answer: '略', point_id: null });
      return material;
    };
    const [two, three] = [await addMaterial(2), await addMaterial(3)];
    await admin.post(`exams/${id}/questions`, { section_id: part, ids: [two], scores: [{ id: two, score: '4' }] });
    const before = await firstOf();
    expect(before).toMatchObject({ ques_score: 8, children: [{ ques_score: 4 }, { ques_score: 4 }] });
    const path = `exams/${id}/questions/${before.id}/exchange`;
    await admin.post(path);
    expect((await admin.get(`exams/${id}/paper`)).body.data.sources).toEqual([three]);
    expect(await firstOf()).toMatchObject({ ques_score: 12, children: [{}, {}, { ques_score: 4 }] });
    await admin.post(`${path}/undo`);
    const { children, ...after } = await firstOf();
    const withoutId = ({ id: _, ...one }: { id: number }) => one;
    expect({ ...after, children: children.map(withoutId) }).toEqual({
      ...before,
      children: before.children.map(withoutId),
    });
  });

  it('adds the questions to a paper with their scores', async () => {
    const { admin, id, part } = await addExamDraft();
    const ids = await addMany('teacher', 3);
    const owner_id = school().people.teacher.id;
    const rule = { rows: [row({ owner_id, count: 2, score: '0.5' })], seed: 1 };
    const composed = async () => (await admin.post(`exams/${id}/compose`, rule)).body.data;
    const [added = []] = idsOf(await composed());
    const scores = added.map((id) => ({ id, score: '0.5' }));
    const wrong = { section_id: part, ids: added, scores: [{ id: added[0], score: '0' }] };
    expect(errorsOf(await admin.post(`exams/${id}/questions`, wrong))).toEqual([
      422,
      { [`score-${added[0]}`]: ['分值应为0.1到100，最多一位小数'] },
    ]);
    expect((await admin.post(`exams/${id}/questions`, { section_id: part, ids: added, scores })).status).toBe(200);
    const paper = (await admin.get(`exams/${id}/paper`)).body.data;
    expect(paper.sources).toEqual(added);
    expect(paper.detail[0].question.map((one: { ques_score: number }) => one.ques_score)).toEqual([0.5, 0.5]);
    // The rest of the bank is one question.
    const rest = await composed();
    expect(rest.rows).toMatchObject([{ matching: 1, lacking: 1 }]);
    expect(idsOf(rest)).toEqual([ids.filter((id) => !added.includes(id))]);
    const ofNobody = { rows: [row({ owner_id: 99999 })] };
    expect(outcomeOf(await admin.post(`exams/${id}/compose`, ofNobody))).toEqual([404, '题库不存在']);
    expect(outcomeOf(await admin.post('exams/99999/compose', rule))).toEqual([404, '考试不存在']);
  });
});
