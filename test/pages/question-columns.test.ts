import { expect } from 'vitest';
import { formOf, type Page, type Visitor } from '../support/app.ts';
import { it } from '../support/school-fixtures.ts';

const strange = [
  '一,二,三,四,五',
  '首都是哪里,北京或者上海都写在这里,上海,甲,王老师',
  '哪个是偶数,一二三四五六都写在这里,二,乙,李老师',
].join('\n');

/** Uploads a CSV file; returns the page that is shown once it is read, with its address. */
async function upload(visitor: Visitor, address: string, text = strange): Promise<{ page: Page; at: string }> {
  const form = new FormData();
  form.set('file', new File([text], '题目.csv'));
  return settle(visitor, (await visitor.postForm(address, form)).location as string);
}

async function settle(visitor: Visitor, address: string): Promise<{ page: Page; at: string }> {
  for (;;) {
    const page = await visitor.get(address);
    if (page.location) return settle(visitor, page.location);
    if (!page.text.includes('正在读取')) return { page, at: address };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const withFields = (page: Page, more: Record<string, string>): [string, string][] =>
  formOf(page, '按此读取').fields.map(([name, value]) => [name, more[name] ?? value]);

const chosen = (page: Page) =>
  [...page.document.querySelectorAll('select[name^="columns.0."]')].map(
    (select) => select.querySelector('option[selected]')?.getAttribute('value') ?? '',
  );

const [stem, optionA, optionB, answer, none] = [0, 1, 2, 3, 4].map((column) => `columns.0.${column}`) as [
  string,
  string,
  string,
  string,
  string,
];

it('asks for the columns of an unknown spreadsheet, keeps choices that are refused, and reads it again', async ({
  teacher,
  assist,
}) => {
  for (const visitor of [teacher, assist]) {
    const { page, at } = await upload(visitor, '/homework/question/import');
    expect(at).toMatch(/^\/homework\/question\/import\/columns\?id=/);
    expect(page.text).toContain('没有找到“题干”列');
    expect(page.text).toContain('哪个是偶数一二三四五六都写在这里');
    const wrong = { [stem]: 'stem', [optionA]: 'stem', [optionB]: '', [answer]: '', [none]: '' };
    const refused = await visitor.post(at, withFields(page, wrong));
    expect(refused.status).toBe(422);
    for (const fault of ['还没有选择“答案”列', '“题干”选了不止一列']) expect(refused.text).toContain(fault);
    expect(chosen(refused)).toEqual(['stem', 'stem', '', '', '']);
    const right = { [stem]: 'stem', [optionA]: '', [optionB]: '', [answer]: 'answer', [none]: 'remark' };
    const sent = await visitor.post(at, withFields(refused, right));
    const preview = await settle(visitor, sent.location as string);
    expect(preview.page.text).toContain('识别到 2 道题目');
    expect(preview.page.text).toContain('备注：王老师');
    expect(preview.page.document.querySelector('a[href*="/import/columns"]')?.textContent).toBe('调整列对应');
  }
});

it('asks before corrections are lost', async ({ teacher }) => {
  const { page, at } = await upload(teacher, '/homework/question/import');
  const right = { [stem]: 'stem', [optionA]: '', [optionB]: '', [answer]: 'answer', [none]: '' };
  const preview = await settle(teacher, (await teacher.post(at, withFields(page, right))).location as string);
  const row = preview.page.document.querySelector('li[data-row] form');
  const fields = [...(row?.querySelectorAll('input[type=hidden]') ?? [])].map((input): [string, string] => [
    input.getAttribute('name') ?? '',
    input.getAttribute('value') ?? '',
  ]);
  await teacher.post(preview.at, [...fields, ['facility_value', '5'], ['intent', 'save']]);
  const again = await teacher.get(at);
  expect(again.text).toContain('已修改的1道题会恢复为文件的内容');
  const asked = await teacher.post(at, formOf(again, '按此读取').fields);
  expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('确认无误请再次提交')]);
  const sent = await teacher.post(at, formOf(asked, '按此读取').fields);
  expect((await teacher.get(sent.location as string)).text).toContain('已重新读取');
});

it('is missing for others, and says that an import has expired', async ({ teacher, assist }) => {
  const { at } = await upload(teacher, '/homework/question/import');
  const other = await assist.get(at);
  expect([other.status, other.text]).toEqual([404, expect.stringContaining('导入预览已过期，请重新上传')]);
});

it('asks for the columns of a spreadsheet for a paper', async ({ school, admin }) => {
  const own = await school.database.db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow();
  const exam = {
    name: '列对应的考试',
    introduce: '',
    pass_score: '3',
    limit_minutes: '60',
    attempts: '1',
    start_at: 1_800_000_000,
    end_at: 1_800_100_000,
    school_ids: [own.id],
  };
  const id = (await school.as('admin').post('exams', exam)).body.data.id;
  const section = (await school.as('admin').post(`exams/${id}/sections`, { name: '一', introduce: '' })).body.data.id;
  const { page, at } = await upload(admin, `/admin/exams/import?id=${id}&section=${section}`);
  expect(at).toContain('/admin/exams/import/columns?');
  const right = { [stem]: 'stem', [optionA]: '', [optionB]: '', [answer]: 'answer', [none]: '' };
  const preview = await settle(admin, (await admin.post(at, withFields(page, right))).location as string);
  expect(preview.page.text).toContain('识别到 2 道题目');
  const taken = await admin.post(preview.at, formOf(preview.page, '全部导入试卷').fields);
  expect((await admin.follow(taken)).text).toContain('导入成功');
});

it('imports so many questions that their address fits no cookie', async ({ teacher }) => {
  const rows = Array.from({ length: 1000 }, (_, index) => `第${index}题说明理由,略`);
  const { page, at } = await upload(teacher, '/homework/question/import', ['题干,答案', ...rows].join('\n'));
  expect(page.text).toContain('识别到 1000 道题目');
  const done = await teacher.post(at, formOf(page, '全部导入').fields);
  expect([done.status, done.location]).toEqual([302, '/homework?tab=ques']);
  expect((await teacher.follow(done)).text).toContain('导入成功');
});
