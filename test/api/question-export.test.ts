import { expect, it } from 'vitest';
import { addExam } from '../support/exams.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { addPaper } from '../support/paper.ts';
import type { TestSchool } from '../support/school.ts';

const single = {
  ques_type: 1,
  ques_stem: '<p>水的化学式是</p>',
  ques_option: [
    { id: 1, content: 'H<sub>2</sub>O', is_right: 1 },
    { id: 2, content: 'CO<sub>2</sub>', is_right: 2 },
  ],
  ques_analysis: '',
  facility_value: 2,
  remark: '化学',
};
const essay = { ques_type: 5, ques_stem: '简述光合作用', right_answer: '把光能变为化学能', facility_value: 3 };

const add = async (school: TestSchool, who: keyof TestSchool['people'], question: object): Promise<number> =>
  (await school.as(who).post('ques/add', question)).body.data.id;

onBothEngines('the export of questions', (school) => {
  const plan = async (who: keyof TestSchool['people'], path: string) => (await school().as(who).get(path)).body.data;

  it('answers a file of the chosen questions, and says before what the format cannot hold', async () => {
    for (const who of ['teacher', 'assist'] as const) {
      const ids = [await add(school(), who, single), await add(school(), who, essay)].join(',');
      const planned = await plan(who, `ques/export?ids=${ids}&format=aiken`);
      expect(planned).toEqual({
        title: '我的题目',
        total: 2,
        count: 1,
        file_name: '我的题目-Aiken-2026-11-20.txt',
        fault: '',
        losses: [
          { where: '第1题', message: '文字格式（加粗、上下标、列表等）没有保留' },
          { where: '第1题', message: '难度、备注没有导出' },
          { where: '第2题', message: '简答题，这种格式不支持，没有导出' },
        ],
      });
      const file = await school().as(who).get(`ques/export/aiken?ids=${ids}`);
      expect(file.status).toBe(200);
      expect(file.headers.get('content-disposition')).toContain(encodeURIComponent(planned.file_name));
      expect(file.body).toBe('水的化学式是\nA. H2O\nB. CO2\nANSWER: A\n');
    }
  });

  it('exports all that the filter of the list finds, if none is ticked', async () => {
    const marked = { ...single, remark: '只此一题' };
    await add(school(), 'otherTeacher', marked);
    await add(school(), 'otherTeacher', essay);
    expect(await plan('otherTeacher', 'ques/export?format=gift')).toMatchObject({ total: 2, count: 2 });
    const remark = encodeURIComponent('只此一题');
    expect(await plan('otherTeacher', `ques/export?format=gift&remark=${remark}`)).toMatchObject({ total: 1 });
    const file = await school().as('otherTeacher').get(`ques/export/gift?remark=${remark}`);
    expect(file.body).toContain('// [tag:难度:2] [tag:备注:只此一题]\n::水的化学式是::[html]');
  });

  it("refuses somebody else's questions as missing, and a file without any question", async () => {
    const own = await add(school(), 'teacher', essay);
    const others = await add(school(), 'assist', essay);
    for (const path of ['ques/export', 'ques/export/gift']) {
      const refused = await school().as('teacher').get(`${path}?ids=${own},${others}`);
      expect([refused.status, refused.body.msg]).toEqual([404, '题目不存在']);
    }
    expect(await plan('teacher', `ques/export?ids=${own}&format=aiken`)).toMatchObject({
      count: 0,
      fault: '这种格式不支持所选的题目，请换一种格式',
    });
    const refused = await school().as('teacher').get(`ques/export/aiken?ids=${own}`);
    expect([refused.status, refused.body.errors]).toEqual([422, { ids: ['这种格式不支持所选的题目，请换一种格式'] }]);
    const nothing = await school().as('teacher').get('ques/export/aiken?ques_stem=nothing-has-this-stem');
    expect([nothing.status, nothing.body.errors]).toEqual([422, { ids: ['没有可以导出的题目'] }]);
    expect((await school().as('teacher').get(`ques/export/unknown?ids=${own}`)).status).toBe(404);
  });

  it('refuses more questions than one file may have', async () => {
    const { db } = school().database;
    const { id } = school().people.otherAssist;
    const row = { owner_id: id, ques_type: 5, ques_stem: '问', stem_text: '问', ques_option: '[]', right_answer: '答' };
    const more = { parent_id: null, sort: 0, facility_value: 1, created_at: 1, updated_at: 1 } as const;
    await db
      .insertInto('question')
      .values(Array.from({ length: 501 }, () => ({ ...row, ...more, ques_analysis: '', remark: '' })))
      .execute();
    const planned = await plan('otherAssist', 'ques/export');
    expect(planned).toMatchObject({ total: 501, fault: '一次最多导出500道题目，请先筛选或勾选', losses: [] });
    expect((await school().as('otherAssist').get('ques/export/gift')).status).toBe(422);
    expect((await school().as('plainTeacher').get('ques/export/gift')).status).toBe(403);
  });

  it('exports a homework to those who see it, with scores and parts', async () => {
    const { classes } = school();
    const { homeworkId } = await addPaper(school(), {
      name: '第一单元',
      creator: 'teacher',
      classes: [classes.k1],
    });
    const planned = await plan('teacher', `hw/export/${homeworkId}?format=gift`);
    expect(planned).toMatchObject({ title: '第一单元', total: 3, count: 3, fault: '' });
    expect(planned.losses).toContainEqual({ where: '第3.1题', message: '分值没有导出' });
    const file = await school().as('teacher').get(`hw/export/${homeworkId}/gift`);
    expect(file.status).toBe(200);
    expect(file.body).toContain('[tag:材料题:1]');
    expect((await school().as('otherAssist').get(`hw/export/${homeworkId}`)).status).toBe(404);
    expect((await school().as('otherAssist').get(`hw/export/${homeworkId}/gift`)).status).toBe(404);
  });

  it('exports an exam to staff and administrators who see it, and names its matching question', async () => {
    const { db } = school().database;
    const { people } = school();
    const { school_id } = await db
      .selectFrom('staff')
      .select('school_id')
      .where('id', '=', people.teacher.id)
      .executeTakeFirstOrThrow();
    const exam = await addExam(db, { creator: people.teacher.id, school: school_id as number });
    const paths = { teacher: 'testDetail/export', assist: 'testDetail/export', admin: '' } as const;
    for (const [who, start] of Object.entries(paths) as ['teacher' | 'assist' | 'admin', string][]) {
      const path = who === 'admin' ? `exams/${exam.id}/export` : `${start}/${exam.id}`;
      const planned = await plan(who, path);
      expect(planned).toMatchObject({ title: '期中考试', fault: '' });
      expect(planned.losses[0]).toEqual({ where: '第4题', message: '连线题不能导出' });
      expect((await school().as(who).get(`${path}/gift`)).status).toBe(200);
    }
    const draft = await addExam(db, { creator: people.teacher.id, school: school_id as number, status: 2 });
    expect((await school().as('assist').get(`testDetail/export/${draft.id}/gift`)).status).toBe(404);
    expect((await school().as('admin').get(`exams/${draft.id}/export/gift`)).status).toBe(404);
  });
});
