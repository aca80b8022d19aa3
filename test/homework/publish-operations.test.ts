import { describe, expect, it } from 'vitest';
import {
  alreadyPresentNotice,
  emptyForm,
  formatTenths,
  type NewQuestion,
  type PublishForm,
  parseTenths,
  totalTenths,
  withCourse,
  withEditedQuestion,
  withNewQuestions,
  withQuestions,
} from '#app/homework/publish/form.ts';
import { readFields } from '#app/homework/publish/form-data.ts';
import * as operations from '#app/homework/publish/operations.ts';
import { packForm, unpackForm } from '#app/homework/publish/packed-form.server.ts';
import { parseForm } from '#app/homework/publish/parse-form.ts';
import { fieldFaultsOf, htmlToLine, needsDisplay } from '#app/homework/publish/view.ts';
import { splitIntent } from '#app/lib/form-data.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';

const draft = (ques_stem: string, ques_type: QuestionDraft['ques_type'] = 1, ques_item: QuestionDraft[] = []) => ({
  ques_type,
  ques_stem,
  ques_option: [],
  right_answer: '',
  ignore_case: 0 as const,
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  ques_item,
});
const question = (stem: string, type: QuestionDraft['ques_type'] = 1, scores: number[] = [5]): NewQuestion => ({
  source_id: null,
  draft: draft(stem, type),
  scores,
});
const material = (...types: QuestionDraft['ques_type'][]): NewQuestion => ({
  source_id: null,
  draft: draft(
    '材料',
    6,
    types.map((type) => draft('小题', type)),
  ),
});

const form = (...stems: string[]): PublishForm =>
  withQuestions(
    emptyForm,
    stems.map((stem) => question(stem)),
  );
const order = ({ questions }: PublishForm) => questions.map((one) => one.draft.ques_stem).join('');
/** Returns the form after a press on the button with this value. */
const operate = (present: PublishForm, value: string) => operations.applyOperation(present, splitIntent(value));
const select = (present: PublishForm, ...selected: number[]) => ({ ...present, selected });

describe('moving questions', () => {
  it("uses each question's button", () => {
    expect(order(operate(form('甲', '乙', '丙'), 'up 3').form)).toBe('甲丙乙');
    expect(order(operate(form('甲', '乙', '丙'), 'down 1').form)).toBe('乙甲丙');
  });

  it('moves ticked ones together, keeping their order', () => {
    expect(order(operate(select(form('甲', '乙', '丙', '丁'), 2, 4), 'up').form)).toBe('乙甲丁丙');
    expect(order(operate(select(form('甲', '乙', '丙', '丁'), 2, 3), 'up').form)).toBe('乙丙甲丁');
    expect(order(operate(select(form('甲', '乙', '丙', '丁'), 1, 2), 'down').form)).toBe('丙甲乙丁');
  });

  it.each([
    ['up', [], '请先选择题目'],
    ['down', [], '请先选择题目'],
    ['remove', [], '请先选择题目'],
    ['up', [1, 3], '已经是第一题'],
    ['down', [1, 3], '已经是最后一题'],
    ['up 1', [], '已经是第一题'],
    ['down 3', [], '已经是最后一题'],
  ])('%s with %j ticked says %s and changes nothing', (operation, selected, msg) => {
    const present = select(form('甲', '乙', '丙'), ...selected);
    expect(operate(present, operation)).toEqual({ form: present, notice: { kind: 'warning', msg } });
  });

  it('accepts a position, clamped to the list', () => {
    expect(order(operate(form('甲', '乙', '丙'), 'move 1 2').form)).toBe('乙丙甲');
    expect(order(operate(form('甲', '乙', '丙'), 'move 3 0').form)).toBe('丙甲乙');
    expect(order(operate(form('甲', '乙', '丙'), 'move 2 99').form)).toBe('甲丙乙');
    for (const nonsense of ['move 9 0', 'move 1 x', 'move', 'nothing', '']) {
      expect(order(operate(form('甲', '乙', '丙'), nonsense).form)).toBe('甲乙丙');
    }
  });
});

describe('removing questions', () => {
  it('asks first, and can cancel', () => {
    const one = operate(form('甲', '乙'), 'remove 2').form;
    expect(one.panel).toEqual({ kind: 'remove', keys: [2], selected: false });
    expect(operate(one, 'cancel').form).toEqual(form('甲', '乙'));
    expect(operate(select(form('甲', '乙'), 1), 'remove').form.panel).toMatchObject({ keys: [1], selected: true });
  });

  it('removes after confirmation with ticks, and never reuses a key', () => {
    const asked = operate(select(form('甲', '乙', '丙'), 1, 3), 'remove').form;
    const { form: left, notice } = operate(asked, 'confirm-remove');
    expect(order(left)).toBe('乙');
    expect(left).toMatchObject({ selected: [], panel: null });
    expect(notice?.msg).toBe('移除成功');
    expect(withQuestions(left, [question('新')]).questions.map(({ key }) => key)).toEqual([2, 4]);
    expect(operate(form('甲'), 'confirm-remove').form).toEqual(form('甲'));
  });

  it('copies a question once, and names duplicates', () => {
    const first = withQuestions(emptyForm, [{ ...question('甲'), source_id: 7 }, question('乙')]);
    const sameSource = { ...question('甲，改过'), source_id: 7 };
    const { form, present } = withNewQuestions(first, [question('丙'), sameSource, question('乙'), question('丙')]);
    expect(form.questions.map((one) => one.draft.ques_stem)).toEqual(['甲', '乙', '丙']);
    expect(alreadyPresentNotice(present)).toBe('以下题目已在作业中，未重复添加：第1题、第2题、第3题');
    expect(withNewQuestions(first, [question('丁')]).present).toEqual([]);
  });
});

describe('publish form scores', () => {
  it.each([
    ['1', 10],
    ['100', 1000],
    ['2.5', 25],
    [' 3.0 ', 30],
    ['99.90', 999],
    ['0.9', undefined],
    ['100.1', undefined],
    ['2.55', undefined],
    ['', undefined],
    ['x', undefined],
    ['1e2', undefined],
    ['-1', undefined],
  ])('convert %j to %j tenths', (typed, tenths) => expect(parseTenths(typed)).toBe(tenths));

  it('sum without drift; a material sums its parts', () => {
    const ten = withQuestions(
      emptyForm,
      Array.from({ length: 10 }, () => question('题', 1, [1.1])),
    );
    expect(formatTenths(totalTenths(ten))).toBe('11');
    const whole = withQuestions(ten, [{ ...material(1, 5), scores: [2.5, 4] }]);
    expect(formatTenths(totalTenths(whole))).toBe('17.5');
    expect(formatTenths(totalTenths({ ...whole, is_set_score: '1' }))).toBe('12');
  });

  const batch = (present: PublishForm, values: Record<string, string>) =>
    operate({ ...present, panel: { kind: 'batch', values } }, 'apply-batch');
  const scores = ({ questions }: PublishForm) => questions.map((one) => one.scores.join('+'));
  const mixed = withQuestions(emptyForm, [
    question('单', 1),
    question('判', 2),
    question('填', 7),
    material(1, 5, 7),
    question('简', 5),
  ]);

  it("are set by type with materials' parts, clamped to 1 to 100", () => {
    expect(scores(batch(mixed, { 1: '2.5', 5: '1000', 2: '' }).form)).toEqual(['2.5', '5', '5', '2.5+100+', '100']);
    expect(scores(batch(mixed, { 1: '0.2', 2: '3.46' }).form)).toEqual(['1', '3.5', '5', '1++', '5']);
  });

  it('report errors with the panel open', () => {
    expect(batch(mixed, {}).form.panel).toMatchObject({ kind: 'batch', error: '请输入分数' });
    expect(batch(mixed, { 1: 'x' }).form.panel).toMatchObject({ error: '请输入正确的分数', values: { 1: 'x' } });
    expect(operate(emptyForm, 'batch').notice?.msg).toBe('请选择题目');
  });
});

it('edited question keeps position, key and scores of remaining parts', () => {
  const present = withQuestions(form('甲'), [{ ...material(1, 5), scores: [2, 3] }]);
  const edited = withEditedQuestion(present, 2, draft('新材料', 6, [draft('小题'), draft('小题'), draft('小题')]));
  expect(edited.questions[1]).toMatchObject({ key: 2, scores: ['2', '3', ''] });
  expect(withEditedQuestion(edited, 2, draft('单选')).questions[1]?.scores).toEqual(['2']);
});

it("another course clears the old one's periods and classes", () => {
  const present = {
    ...form('甲'),
    course_basis_id: '1',
    course_periods_id: '7',
    class_choice: 'some',
    class_ids: ['3'],
  };
  expect(withCourse(present, { id: '1', scope: '3' })).toBe(present);
  expect(withCourse(present, { id: '2', scope: '3' })).toMatchObject({
    course_basis_id: '2',
    course_periods_id: '',
    class_choice: 'all',
    class_ids: [],
    questions: present.questions,
  });
});

it('publish form reads browser fields, and keeps questions without changes', () => {
  const present = form('甲', '乙');
  const sent = new FormData();
  for (const [name, value] of [
    ['name', '作业'],
    ['score.1.0', '5'],
    ['score.2.0', '７。５'],
    ['selected', '2'],
    ['class_choice', 'some'],
    ['class_ids', '3'],
    ['class_ids', '4'],
  ] as const) {
    sent.append(name, value);
  }
  const read = readFields(sent, present);
  expect(read).toMatchObject({ name: '作业', selected: [2], class_ids: ['3', '4'], publish_scope: '3' });
  expect(read.questions[0]).toBe(present.questions[0]);
  expect(read.questions[1]?.scores).toEqual(['7.5']);
});

it('publish form travels in a hidden field, packed or as JSON', async () => {
  const present = operate(select(form('题干'.repeat(500), '乙'), 1), 'remove').form;
  const packed = await packForm(present);
  expect(packed).toMatch(/^[\w-]+$/);
  expect(packed.length).toBeLessThan(600);
  expect(await unpackForm(packed)).toEqual(present);
  expect(await unpackForm(JSON.stringify(present))).toEqual(present);
  for (const nonsense of ['', '{}', 'x', '{"name":1}', packed.slice(0, -9)]) {
    expect(await unpackForm(nonsense)).toBeUndefined();
  }
  expect(parseForm(JSON.stringify({ ...present, questions: [{ key: 1 }] }))).toBeUndefined();
});

it('errors use current question numbers', () => {
  const errors = {
    name: ['请输入作业名称'],
    'score.2.0': ['请设置题目分数'],
    'score.3.1': ['请设置题目分数'],
    'question.9': ['请完善信息'],
  };
  expect(fieldFaultsOf(errors, operate(form('甲', '乙', '丙'), 'up 2').form)).toEqual([
    { field: 'score.2.0', text: '第1、3题：请设置题目分数' },
    { field: 'name', text: '请输入作业名称' },
  ]);
});

it('plain texts render locally; formulas, pictures and tables need the server', () => {
  expect(htmlToLine('<p>1 &lt; 2&nbsp;&amp; 3</p><p>二</p>')).toBe('1 < 2 & 3 二');
  expect(needsDisplay('<p>一</p>')).toBe(false);
  for (const html of ['$x$', '<img src="/files/a.png">', '<span class="math" data-latex="x"></span>', '<u>一</u>']) {
    expect(needsDisplay(html), html).toBe(true);
  }
});
