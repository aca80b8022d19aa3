import { describe, expect, it } from 'vitest';
import type { QuestionDraft, QuestionType } from '#server/questions/rules.ts';
import { draftFields, draftForApi, emptyDraft, fieldLabel, readDraft } from '../../app/questions/question-codec.ts';
import {
  type Operation,
  operationValue,
  pendingTypeChange,
  type QuestionFormState,
  readOperation,
  reduceQuestionForm,
  withPicture,
} from '../../app/questions/question-operations.ts';
import { renderDraft, textsOf } from '../../app/questions/rendered-question.ts';
import { htmlOf, plainTextOf } from '../../app/questions/rich-text.ts';

const draftOf = (type: QuestionType, more: Partial<QuestionDraft> = {}): QuestionDraft => ({
  ...emptyDraft(type),
  ques_stem: '<p>题干<strong>一</strong></p>',
  facility_value: 3,
  ...more,
});
const choice = draftOf(3, {
  ques_option: [
    { id: 1, content: '甲', is_right: 1 },
    { id: 2, content: '<p>乙</p>', is_right: 2 },
    { id: 3, content: '丙', is_right: 1 },
  ],
});
const material = draftOf(6, {
  ques_item: [draftOf(5, { ques_stem: '一', right_answer: '<p>答</p>' }), draftOf(1, { ques_stem: '二' })],
});

const formOf = (draft: QuestionDraft, prefix = '') => {
  const form = new FormData();
  for (const [name, value] of draftFields(draft, prefix)) form.append(name, value);
  return form;
};
const run = (draft: QuestionDraft, ...operations: Operation[]): QuestionFormState =>
  operations.reduce<QuestionFormState>((state, operation) => reduceQuestionForm(state, operation), { draft });

describe('question form fields', () => {
  it.each([
    ['a choice', choice],
    [
      'a judgement',
      draftOf(2, { ques_option: emptyDraft(2).ques_option.with(1, { id: 2, content: '错误', is_right: 1 }) }),
    ],
    ['an essay', draftOf(5, { right_answer: '<p>答</p><p>案</p>', ques_analysis: '略' })],
    ['a fill-in', draftOf(7, { right_answer: '2@@<b>@@', ignore_case: 1, remark: '备注' })],
    ['a material', material],
  ])('round-trip %s under any prefix', (_, draft) => {
    expect(readDraft(formOf(draft))).toEqual(draft);
    expect(readDraft(formOf(draft, 'question.3.'), 'question.3.')).toEqual(draft);
    expect(readDraft(new URLSearchParams(formOf(draft) as never))).toEqual(draft);
  });

  it('derive the answer from marked options', () => {
    const edited = { ...choice, right_answer: '2' };
    expect(draftForApi(readDraft(formOf(edited))).right_answer).toBe('1,3');
    expect(draftForApi(draftOf(6, { ques_item: [edited] })).ques_item[0]?.right_answer).toBe('1,3');
    expect(draftForApi(draftOf(5, { right_answer: '<p>1,2</p>' })).right_answer).toBe('<p>1,2</p>');
  });

  it('parse plain text into paragraphs with literal signs', () => {
    const form = new FormData();
    form.set('ques_type', '5');
    form.set('ques_stem', 'a<b\r\n& c');
    form.set('ques_stem.as', 'text');
    expect(readDraft(form).ques_stem).toBe('<p>a&lt;b</p><p>&amp; c</p>');
  });

  it('parse nonsense as an empty question', () => {
    const form = new FormData();
    for (let index = 0; index < 300; index += 1) {
      form.append(`ques_option.${index}.content`, 'x');
      form.append(`ques_item.${index}.ques_type`, '99');
    }
    const draft = readDraft(form);
    expect(draft.ques_type).toBe(1);
    expect(draft.ques_option.length).toBeLessThanOrEqual(27);
    expect(draft.ques_item).toHaveLength(200);
  });

  it.each([
    ['甲', '甲'],
    ['<p>甲</p><p>乙</p>', '甲\n乙'],
    ['甲<br>乙', '甲\n乙'],
    ['a &lt; b &amp; c', 'a < b & c'],
    ['', ''],
    ['<p><strong>甲</strong></p>', undefined],
    ['<p style="text-align:center">甲</p>', undefined],
    ['<img src="/files/a.png">', undefined],
    ['&copy;', undefined],
  ])('show %j in a text area as %j', (html, text) => {
    expect(plainTextOf(html)).toBe(text);
  });

  it('lose nothing in a text area', () => {
    for (const text of ['一行', '两\n行', 'a<b & "c"', ' 空 ', '末行\n']) expect(plainTextOf(htmlOf(text))).toBe(text);
  });
});

describe('question form operations', () => {
  it('are encoded in button values', () => {
    const operations: Operation[] = [
      { kind: 'add-option', at: '' },
      { kind: 'remove-option', at: 'ques_item.12.', index: 3 },
      { kind: 'ask-option', at: '', index: 0 },
      { kind: 'move-up', index: 7 },
      { kind: 'upload', field: 'ques_item.0.ques_option.1.content' },
      { kind: 'preview' },
    ];
    for (const operation of operations) {
      const form = new FormData();
      form.set('intent', operationValue(operation));
      expect(readOperation(form)).toEqual(operation);
    }
    expect(readOperation(new FormData())).toEqual({ kind: 'save' });
    const nonsense = new FormData();
    nonsense.set('intent', 'drop table; 1');
    expect(readOperation(nonsense)).toEqual({ kind: 'save' });
  });

  it('keep 2 to 26 options with confirmation before removal', () => {
    expect(emptyDraft(1).ques_option).toHaveLength(4);
    const added = run(choice, { kind: 'add-option', at: '' }).draft;
    expect(added.ques_option.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    const asked = run(choice, { kind: 'ask-option', at: '', index: 1 });
    expect(asked).toEqual({ draft: choice, asking: { at: '', option: 1 } });
    const removed = reduceQuestionForm(asked, { kind: 'remove-option', at: '', index: 1 });
    expect(removed).toEqual({
      draft: { ...choice, ques_option: [choice.ques_option[0], { id: 2, content: '丙', is_right: 1 }] },
    });
    expect(reduceQuestionForm(removed, { kind: 'ask-option', at: '', index: 0 })).toEqual({
      draft: removed.draft,
      message: '选项数量为2到26个',
    });
    const full = run(choice, ...Array.from({ length: 30 }, () => ({ kind: 'add-option', at: '' }) as const));
    expect([full.draft.ques_option.length, full.message]).toEqual([26, '选项数量为2到26个']);
  });

  it('move parts, and report the ends', () => {
    const stems = (state: QuestionFormState) => state.draft.ques_item.map(({ ques_stem }) => ques_stem);
    const down = run(material, { kind: 'move-down', index: 0 });
    expect(stems(down)).toEqual(['二', '一']);
    expect(stems(reduceQuestionForm(down, { kind: 'move-up', index: 1 }))).toEqual(['一', '二']);
    expect(run(material, { kind: 'move-up', index: 0 })).toEqual({ draft: material, message: '已经是第一题' });
    expect(run(material, { kind: 'move-down', index: 1 })).toEqual({ draft: material, message: '已经是最后一题' });
  });

  it('keep one part at least', () => {
    const one = run(material, { kind: 'remove-item', index: 0 });
    expect(one.draft.ques_item).toEqual([material.ques_item[1]]);
    for (const kind of ['ask-item', 'remove-item'] as const) {
      expect(reduceQuestionForm(one, { kind, index: 0 })).toEqual({ draft: one.draft, message: '至少保留一道小题' });
    }
    expect(run(material, { kind: 'add-item' }).draft.ques_item).toHaveLength(3);
  });

  it('change the type and keep shared fields', () => {
    const single = run(choice, { kind: 'change-type', at: '', type: 1 }).draft;
    expect(single.ques_option.map(({ content, is_right }) => [content, is_right])).toEqual([
      ['甲', 1],
      ['<p>乙</p>', 2],
      ['丙', 2],
    ]);
    const back = run(choice, { kind: 'change-type', at: '', type: 5 }, { kind: 'change-type', at: '', type: 3 }).draft;
    expect(back.ques_option).toEqual(choice.ques_option);
    expect(
      run(choice, { kind: 'change-type', at: '', type: 2 }).draft.ques_option.map(({ content }) => content),
    ).toEqual(['正确', '错误']);
    const made = run(choice, { kind: 'change-type', at: '', type: 6 }).draft;
    expect([made.ques_stem, made.ques_item.length]).toEqual([choice.ques_stem, 1]);
    const blanks = run(material, { kind: 'change-type', at: 'ques_item.0.', type: 7 }).draft.ques_item[0];
    expect(blanks?.right_answer).toBe('答');
    expect(run(draftOf(7, { right_answer: 'a@@b' }), { kind: 'change-type', at: '', type: 5 }).draft.right_answer).toBe(
      'a；b',
    );
  });

  it('detect a type change without its button', () => {
    const form = formOf(material);
    form.set('new_type', '6');
    form.set('ques_item.1.new_type', '5');
    expect(pendingTypeChange(form, material)).toEqual({ kind: 'change-type', at: 'ques_item.1.', type: 5 });
    form.set('ques_item.1.new_type', '1');
    expect(pendingTypeChange(form, material)).toBeUndefined();
  });

  it('mark one right option, or several in multiple choice', () => {
    const choose = (draft: QuestionDraft, index: number, isRight = true) =>
      reduceQuestionForm({ draft }, { kind: 'choose-option', at: '', index, isRight }).draft.ques_option.map(
        ({ is_right }) => is_right,
      );
    expect(choose({ ...choice, ques_type: 1 }, 1)).toEqual([2, 1, 2]);
    expect(choose(choice, 1)).toEqual([1, 1, 1]);
    expect(choose(choice, 0, false)).toEqual([2, 2, 1]);
  });

  it('add and remove blanks, keeping one', () => {
    const blanks = draftOf(7, { right_answer: 'a@@b' });
    expect(run(blanks, { kind: 'add-blank', at: '' }).draft.right_answer).toBe('a@@b@@');
    const one = run(blanks, { kind: 'remove-blank', at: '', index: 0 });
    expect(one.draft.right_answer).toBe('b');
    expect(reduceQuestionForm(one, { kind: 'remove-blank', at: '', index: 0 }).draft.right_answer).toBe('b');
  });

  it('insert a picture into the named field', () => {
    const picture = '<p><img src="/files/a.png" alt="图片"></p>';
    expect(withPicture(choice, 'ques_option.1.content', '/files/a.png').ques_option[1]?.content).toBe(
      `<p>乙</p>${picture}`,
    );
    const inItem = withPicture(material, 'ques_item.0.right_answer', '/files/a.png');
    expect(inItem.ques_item[0]?.right_answer).toBe(`<p>答</p>${picture}`);
    expect(inItem.ques_item[1]).toEqual(material.ques_item[1]);
    expect(withPicture(choice, 'ques_type', '/files/a.png')).toEqual(choice);
  });
});

describe('question preview', () => {
  it('returns each text rendered', () => {
    const shown = renderDraft(
      material,
      textsOf(material).map((text) => `[${text}]`),
    );
    expect(shown.display.ques_stem).toBe(`[${material.ques_stem}]`);
    expect(shown.ques_item?.[0]?.display).toMatchObject({ ques_stem: '[一]', right_answer: '[<p>答</p>]' });
    expect(shown.ques_item?.[1]?.display.ques_option).toHaveLength(4);
    expect(renderDraft(choice, textsOf(choice)).display.right_answer).toBe('A、C');
  });

  it("names a message's field", () => {
    expect(fieldLabel('ques_stem')).toBe('题干');
    expect(fieldLabel('ques_item.1.ques_option.0.content')).toBe('第2小题 选项');
  });
});
