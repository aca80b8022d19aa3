import { describe, expect, test } from 'vitest';
import { isBlankHtml, isEmptyText } from '#server/platform/text/rules.ts';
import { publicBankFault } from '#server/questions/bank.rules.ts';
import {
  checkQuestion,
  isQuestionType,
  judgementOptions,
  normaliseDraft,
  type QuestionDraft,
  type QuestionOption,
} from '#server/questions/rules.ts';

const options = (...right: number[]): QuestionOption[] =>
  [1, 2, 3, 4].map((id) => ({ id, content: `<p>${id}</p>`, is_right: right.includes(id) ? 1 : 2 }));

const draft = (changes: Partial<QuestionDraft>): QuestionDraft => ({
  ques_type: 1,
  ques_stem: '<p>题干</p>',
  ques_option: options(1),
  right_answer: '1',
  ignore_case: 0,
  ques_analysis: '',
  facility_value: 3,
  remark: '',
  ques_item: [],
  ...changes,
});

const short = draft({ ques_type: 5, ques_option: [], right_answer: '<p>答</p>' });

describe('rules of the question form', () => {
  test('accepts a question of each type', () => {
    for (const question of [
      draft({}),
      draft({ ques_type: 2, ques_option: judgementOptions(2), right_answer: '2' }),
      draft({ ques_type: 3, ques_option: options(1, 4) }),
      draft({ ques_type: 4, ques_option: options(2) }),
      short,
      draft({ ques_type: 6, ques_option: [], right_answer: '', ques_item: [draft({}), short] }),
      draft({ ques_type: 7, ques_stem: '<p>____和____</p>', ques_option: [], right_answer: '甲@@乙' }),
    ]) {
      expect(checkQuestion(question)).toEqual({});
    }
  });

  test('requires a stem, a difficulty and the reference answer of a short answer', () => {
    expect(checkQuestion(draft({ ques_stem: '<p>&nbsp;<br></p>', facility_value: 0 }))).toEqual({
      ques_stem: ['请完善信息'],
      facility_value: ['请完善信息'],
    });
    expect(checkQuestion({ ...short, right_answer: '<p></p>' })).toEqual({ right_answer: ['请完善信息'] });
    expect(checkQuestion(draft({ facility_value: 6 }))).toEqual({ facility_value: ['难度为1到5'] });
  });

  test('accepts whole difficulties from 1 to 5', () => {
    const faults = (facility_value: number) => checkQuestion(draft({ facility_value })).facility_value;
    expect([1, 2, 3, 4, 5].map(faults)).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect([-1, 6, 2.5].map(faults)).toEqual(Array(3).fill(['难度为1到5']));
  });

  test('knows the question types 1 to 7', () => {
    expect([1, 2, 3, 4, 5, 6, 7].every(isQuestionType)).toBe(true);
    expect([0, 8, 1.5, Number.NaN, '1', null].some(isQuestionType)).toBe(false);
  });

  test('reports every fault of a field', () => {
    const none = options().map((option) => ({ ...option, content: '' }));
    expect(checkQuestion(draft({ ques_option: none.slice(0, 1) }))).toEqual({
      ques_option: ['选项数量为2到26个'],
      'ques_option.0.content': ['选项A内容不能为空'],
      right_answer: ['请选择一个正确答案'],
    });
    expect(checkQuestion(draft({ ques_option: options(1).slice(0, 2) }))).toEqual({});
  });

  test.each([
    ['甲', '甲'],
    ['<p>甲</p>', ' 甲&nbsp;'],
    ['<p><span style="color:red">3</span></p>', '3'],
  ])('refuses two options that read the same: %s and %s', (one, other) => {
    const contents = [one, '乙', other, '丁'];
    const ques_option = options(1).map((option, index) => ({ ...option, content: contents[index] ?? '' }));
    expect(checkQuestion(draft({ ques_option }))).toEqual({ 'ques_option.2.content': ['选项C与选项A相同'] });
  });

  test('accepts options that look different', () => {
    const contents = ['x2', 'x<sup>2</sup>', 'x<sub>2</sub>', '<img src="/files/1.png">'];
    const ques_option = options(1).map((option, index) => ({ ...option, content: contents[index] ?? '' }));
    expect(checkQuestion(draft({ ques_option }))).toEqual({});
  });

  test('accepts one right option or more for a question of uncertain options', () => {
    const faults = (...right: number[]) => checkQuestion(draft({ ques_type: 4, ques_option: options(...right) }));
    expect(faults()).toEqual({ right_answer: ['请选择一个正确答案'] });
    expect(faults(3)).toEqual({});
    expect(faults(1, 2, 3, 4)).toEqual({});
  });

  test('accepts only the two fixed options for true/false, in their order', () => {
    const [yes, no] = judgementOptions(1) as [QuestionOption, QuestionOption];
    const faults = (ques_option: QuestionOption[]) => checkQuestion(draft({ ques_type: 2, ques_option })).ques_option;
    expect(faults([yes, no])).toBeUndefined();
    expect(faults([{ ...yes, content: ' 正确 ' }, no])).toBeUndefined();
    for (const wrong of [[no, yes], [yes, yes], [yes], [yes, no, no], [yes, { ...no, content: '不对' }]]) {
      expect(faults(wrong)).toEqual(['判断题的选项固定为“正确”和“错误”']);
    }
    expect(judgementOptions(0).map(({ is_right }) => is_right)).toEqual([2, 2]);
    expect(judgementOptions(1).map(({ is_right }) => is_right)).toEqual([1, 2]);
    expect(judgementOptions(2).map(({ is_right }) => is_right)).toEqual([2, 1]);
    expect(judgementOptions(2).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('reports an unknown type as missing information, without throwing', () => {
    expect(checkQuestion(draft({ ques_type: 9 as never }))).toEqual({ ques_type: ['请完善信息'] });
  });

  test('names each empty option by its letter', () => {
    const empty = options(1);
    (empty[2] as QuestionOption).content = '<p> </p>';
    expect(checkQuestion(draft({ ques_option: empty }))).toEqual({ 'ques_option.2.content': ['选项C内容不能为空'] });
  });

  test.each([
    [1, [], '请选择一个正确答案'],
    [1, [1, 2], '请选择一个正确答案'],
    [3, [1], '请至少选择两个正确答案'],
    [4, [], '请选择一个正确答案'],
  ] as const)('refuses type %i with the right options %j: %s', (type, right, message) => {
    expect(checkQuestion(draft({ ques_type: type, ques_option: options(...right) }))).toEqual({
      right_answer: [message],
    });
  });

  test('accepts 2 to 26 options, and the two fixed ones for true/false', () => {
    const many = Array.from(
      { length: 27 },
      (_, i): QuestionOption => ({ id: i + 1, content: `x${i}`, is_right: i ? 2 : 1 }),
    );
    expect(checkQuestion(draft({ ques_option: many }))).toEqual({ ques_option: ['选项数量为2到26个'] });
    expect(checkQuestion(draft({ ques_option: many.slice(0, 26) }))).toEqual({});
    expect(checkQuestion(draft({ ques_option: many.slice(0, 1) }))).toEqual({ ques_option: ['选项数量为2到26个'] });
    expect(checkQuestion(draft({ ques_type: 2 }))).toEqual({ ques_option: ['判断题的选项固定为“正确”和“错误”'] });
  });

  test('accepts a remark of 20 characters, counting an emoji as one', () => {
    expect(checkQuestion(draft({ remark: '😀'.repeat(20) }))).toEqual({});
    expect(checkQuestion(draft({ remark: '字'.repeat(21) }))).toEqual({ remark: ['备注不能超过20个字'] });
  });

  test('requires an answer for every blank', () => {
    const ques_stem = '____和____';
    expect(checkQuestion(draft({ ques_type: 7, ques_stem, right_answer: '甲@@ ' }))).toEqual({
      right_answer: ['请完善信息'],
    });
  });

  test.each([
    ['<p>首都是____，简称____。</p>', 2, undefined],
    ['<p>首都是____，简称____。</p>', 1, '题干有2个空，答案有1个，请改为一致'],
    ['<p>首都是<u>&nbsp; &nbsp;</u>。</p>', 1, undefined],
    ['<p>首都是（　）。</p>', 2, '题干有1个空，答案有2个，请改为一致'],
    ['<p>f(x) 在____处最大。</p>', 1, undefined],
    ['<p>中国的首都</p>', 1, '题干中没有填空，请用“____”标出'],
    ['<p>看图：<img src="/files/2026/11/a.png" /></p>', 3, undefined],
  ])('requires as many answers as blanks: %s, %i', (ques_stem, count, fault) => {
    const right_answer = Array.from({ length: count }, () => '甲').join('@@');
    const errors = checkQuestion(draft({ ques_type: 7, ques_stem, ques_option: [], right_answer }));
    expect(errors.right_answer).toEqual(fault === undefined ? undefined : [fault]);
  });

  test('requires sub-questions for a material, none a material; their errors carry their index', () => {
    expect(checkQuestion(draft({ ques_type: 6 }))).toEqual({ ques_item: ['至少保留一道小题'] });
    const items = [draft({ ques_stem: '' }), draft({ ques_type: 6, ques_item: [draft({})] })];
    expect(checkQuestion(draft({ ques_type: 6, ques_item: items }))).toEqual({
      'ques_item.0.ques_stem': ['请完善信息'],
      'ques_item.1.ques_type': ['小题不能是材料题'],
    });
  });
});

describe('a question normalised for storing', () => {
  test('has no spaces at its ends, and an empty analysis if nothing is visible in it', () => {
    const stored = normaliseDraft(
      draft({ ques_stem: ' <p>题</p> ', ques_analysis: ' <p>因为</p> ', remark: ' 备注 ', ques_option: options(3) }),
    );
    expect(stored).toMatchObject({ ques_stem: '<p>题</p>', ques_analysis: '<p>因为</p>', remark: '备注' });
    expect(stored).toMatchObject({ ques_option: options(3), right_answer: '3' });
    expect(normaliseDraft(draft({ ques_analysis: '<p>&nbsp;</p>' })).ques_analysis).toBe('');
    expect(normaliseDraft({ ...short, right_answer: ' <p>答</p> ' }).right_answer).toBe('<p>答</p>');
    expect(normaliseDraft(draft({ ques_type: 7, right_answer: ' 甲 @@ 乙' })).right_answer).toBe('甲@@乙');
    expect(normaliseDraft(draft({ ques_type: 6, right_answer: '甲' })).right_answer).toBe('');
  });

  test('gives the difficulty of a material to sub-questions without one', () => {
    const parts = [draft({ facility_value: 0 }), draft({ facility_value: 5 })];
    const stored = normaliseDraft(draft({ ques_type: 6, facility_value: 2, ques_item: parts }));
    expect(stored.ques_item.map(({ facility_value }) => facility_value)).toEqual([2, 5]);
  });

  test('numbers its options from 1 and derives the answer from them', () => {
    const stored = normaliseDraft(
      draft({ ques_type: 3, ques_option: options(2, 3).slice(1), right_answer: '9', ques_item: [draft({})] }),
    );
    expect(stored.ques_option.map((option) => option.id)).toEqual([1, 2, 3]);
    expect(stored.right_answer).toBe('1,2');
    expect(stored.ques_item).toEqual([]);
  });

  test('drops the fields that its type does not have', () => {
    const stored = normaliseDraft(
      draft({ ques_type: 6, right_answer: 'x', ques_item: [{ ...short, facility_value: 0 }] }),
    );
    expect([stored.ques_option, stored.right_answer]).toEqual([[], '']);
    expect(stored.ques_item[0]?.facility_value).toBe(3);
  });

  test('passes the rules although the editor wrapped the fixed options in paragraphs', () => {
    const written: QuestionOption[] = judgementOptions(1).map((o) => ({ ...o, content: `<p>${o.content}</p>` }));
    expect(checkQuestion(normaliseDraft(draft({ ques_type: 2, ques_option: written })))).toEqual({});
  });
});

test('a picture, a table or a formula is not blank; an empty table is empty text', () => {
  expect(isBlankHtml('<p><img src="/files/a.png" /></p>')).toBe(false);
  expect(isBlankHtml('<p><span class="math" data-latex="x"></span></p>')).toBe(false);
  expect(isBlankHtml('<p>\u200b\u3000&nbsp;<br /></p>')).toBe(true);
  expect(isBlankHtml('<table><tr><td></td></tr></table>')).toBe(false);
  expect(isEmptyText('<table><tr><td>&nbsp;</td></tr></table><hr />')).toBe(true);
  expect(isEmptyText('<table><tr><td>1</td></tr></table>')).toBe(false);
  expect(isEmptyText('<p><img src="/files/a.png" /></p>')).toBe(false);
  expect(isEmptyText('<p><span class="math" data-latex="x"></span></p>')).toBe(false);
});

test('refuses the public bank where the school has switched it off', () => {
  expect(publicBankFault({ switch_question_module: true })).toBeUndefined();
  expect(publicBankFault({ switch_question_module: false })).toBe('公共题库未开放');
});
