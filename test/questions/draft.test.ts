import { describe, expect, test } from 'vitest';
import {
  checkQuestion,
  isBlankHtml,
  judgementOptions,
  normaliseDraft,
  type QuestionDraft,
  type QuestionOption,
} from '#server/questions/draft.ts';

const options = (...right: number[]): QuestionOption[] =>
  [1, 2, 3, 4].map((id) => ({ id, content: `<p>${id}</p>`, is_right: right.includes(id) ? 1 : 2 }));

const draft = (changes: Partial<QuestionDraft>): QuestionDraft => ({
  ques_type: 1,
  ques_stem: '<p>题干</p>',
  ques_option: options(1),
  right_answer: '1',
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  ques_item: [],
  ...changes,
});

const short = draft({ ques_type: 5, ques_option: [], right_answer: '<p>答</p>' });

describe('the question form (document 3, section 5)', () => {
  test('one of each type passes', () => {
    for (const question of [
      draft({}),
      draft({ ques_type: 2, ques_option: judgementOptions(2), right_answer: '2' }),
      draft({ ques_type: 3, ques_option: options(1, 4) }),
      draft({ ques_type: 4, ques_option: options(2) }),
      short,
      draft({ ques_type: 6, ques_option: [], right_answer: '', ques_item: [draft({}), short] }),
      draft({ ques_type: 7, ques_option: [], right_answer: '甲@@乙' }),
    ]) {
      expect(checkQuestion(question)).toEqual({});
    }
  });

  test('stem, difficulty and the reference answer of a short answer are required', () => {
    expect(checkQuestion(draft({ ques_stem: '<p>&nbsp;<br></p>', facility_value: 0 }))).toEqual({
      ques_stem: ['请完善信息'],
      facility_value: ['请完善信息'],
    });
    expect(checkQuestion({ ...short, right_answer: '<p></p>' })).toEqual({ right_answer: ['请完善信息'] });
    expect(checkQuestion(draft({ facility_value: 6 }))).toEqual({ facility_value: ['难度为1到5'] });
  });

  test('an unknown type is an incomplete question, not an exception', () => {
    expect(checkQuestion(draft({ ques_type: 9 as never }))).toEqual({ ques_type: ['请完善信息'] });
  });

  test('each empty option is named by its letter', () => {
    const empty = options(1);
    (empty[2] as QuestionOption).content = '<p> </p>';
    expect(checkQuestion(draft({ ques_option: empty }))).toEqual({ 'ques_option.2.content': ['选项C内容不能为空'] });
  });

  test.each([
    [1, [], '请选择一个正确答案'],
    [1, [1, 2], '请选择一个正确答案'],
    [3, [1], '请至少选择两个正确答案'],
    [4, [], '请选择一个正确答案'],
  ] as const)('type %i with right options %j: %s', (type, right, message) => {
    expect(checkQuestion(draft({ ques_type: type, ques_option: options(...right) }))).toEqual({
      right_answer: [message],
    });
  });

  test('options are 2 to 26, and true/false has its fixed two', () => {
    const many = Array.from(
      { length: 27 },
      (_, i): QuestionOption => ({ id: i + 1, content: 'x', is_right: i ? 2 : 1 }),
    );
    expect(checkQuestion(draft({ ques_option: many }))).toEqual({ ques_option: ['选项数量为2到26个'] });
    expect(checkQuestion(draft({ ques_option: many.slice(0, 26) }))).toEqual({});
    expect(checkQuestion(draft({ ques_option: many.slice(0, 1) }))).toEqual({ ques_option: ['选项数量为2到26个'] });
    expect(checkQuestion(draft({ ques_type: 2 }))).toEqual({ ques_option: ['判断题的选项固定为“正确”和“错误”'] });
  });

  test('a remark has at most 20 characters, an emoji being one', () => {
    expect(checkQuestion(draft({ remark: '😀'.repeat(20) }))).toEqual({});
    expect(checkQuestion(draft({ remark: '字'.repeat(21) }))).toEqual({ remark: ['备注不能超过20个字'] });
  });

  test('every blank has its answer', () => {
    expect(checkQuestion(draft({ ques_type: 7, right_answer: '甲@@ ' }))).toEqual({ right_answer: ['请完善信息'] });
  });

  test('a material keeps at least one sub-question, none of them a material; their errors carry their place', () => {
    expect(checkQuestion(draft({ ques_type: 6 }))).toEqual({ ques_item: ['至少保留一道小题'] });
    const items = [draft({ ques_stem: '' }), draft({ ques_type: 6, ques_item: [draft({})] })];
    expect(checkQuestion(draft({ ques_type: 6, ques_item: items }))).toEqual({
      'ques_item.0.ques_stem': ['请完善信息'],
      'ques_item.1.ques_type': ['小题不能是材料题'],
    });
  });
});

describe('the stored form', () => {
  test('options are numbered from 1 and decide the answer', () => {
    const stored = normaliseDraft(
      draft({ ques_type: 3, ques_option: options(2, 3).slice(1), right_answer: '9', ques_item: [draft({})] }),
    );
    expect(stored.ques_option.map((option) => option.id)).toEqual([1, 2, 3]);
    expect(stored.right_answer).toBe('1,2');
    expect(stored.ques_item).toEqual([]);
  });

  test('what a type does not have is emptied', () => {
    const stored = normaliseDraft(
      draft({ ques_type: 6, right_answer: 'x', ques_item: [{ ...short, facility_value: 0 }] }),
    );
    expect([stored.ques_option, stored.right_answer]).toEqual([[], '']);
    expect(stored.ques_item[0]?.facility_value).toBe(3);
  });

  test('an editor wraps the fixed options in paragraphs', () => {
    const written: QuestionOption[] = judgementOptions(1).map((o) => ({ ...o, content: `<p>${o.content}</p>` }));
    expect(checkQuestion(normaliseDraft(draft({ ques_type: 2, ques_option: written })))).toEqual({});
  });
});

test('a picture, a table or a formula is something to see', () => {
  expect(isBlankHtml('<p><img src="/files/a.png" /></p>')).toBe(false);
  expect(isBlankHtml('<p><span class="math" data-latex="x"></span></p>')).toBe(false);
  expect(isBlankHtml('<p>\u200b\u3000&nbsp;<br /></p>')).toBe(true);
});
