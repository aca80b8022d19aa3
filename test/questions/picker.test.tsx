import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { publish } from '#app/homework/screens.ts';
import { pickedIds } from '#app/lib/picked-ids.ts';
import { pickerPage } from '#app/lib/picker-pages.ts';
import { type PickerData, QuestionPicker } from '#app/questions/picker.tsx';
import { pickQuestions } from '#app/questions/screens.ts';
import type { RefusedForm } from '#app/ui/form-state.ts';

const data: PickerData = {
  bank: 'public',
  offersPublic: true,
  closeHref: publish.href({ draft: '7' }),
  filter: { point_id: 3 },
  isPart: false,
  points: [{ id: 1, name: '数学', children: [{ id: 3, name: '函数', children: [] }] }],
  rows: [
    { id: 5, stem_text: '第五题', ques_type: 1, facility_value: 2, note: '函数' },
    { id: 6, stem_text: '第六题', ques_type: 6, facility_value: 4, note: '' },
  ],
  total: 25,
  page: 2,
  limit: 10,
  picked: [9, 5],
  present: [],
};
const renderPicker = (more: Partial<PickerData> = {}, refused?: RefusedForm) =>
  renderToStaticMarkup(
    <MantineProvider>
      <QuestionPicker data={{ ...data, ...more }} refused={refused} />
    </MantineProvider>,
  );

describe('picker address', () => {
  it('holds picks of all pages once, unless cleared', () => {
    expect(pickedIds(new URLSearchParams('picked=9,5&pick=6&pick=5&pick=x'))).toEqual([9, 5, 6]);
    expect(pickedIds(new URLSearchParams('picked=9&clear=1'))).toEqual([]);
    expect(pickedIds(new URLSearchParams('picked=-1,1.5,'))).toEqual([]);
  });

  it("prefers the button's value and a typed page", () => {
    const at = (search: string) => pickQuestions.at(new URL(`http://school.test/homework/publish/questions${search}`));
    expect(at('?bank=mine&bank=public').place.bank).toBe('public');
    expect(pickerPage(at('?jump=3&go=1'))).toBe(3);
    expect(pickerPage(at('?jump=3&page=2'))).toBe(2);
  });

  it('keeps the screen behind separate', () => {
    const search = '?draft=7&course_id=2&bank=mine&pick=1&picked=2&ques_stem=x&point_id=1&go=1&jump=3';
    expect(pickQuestions.behind(new URL(`http://school.test/homework/publish/questions${search}`))).toBe(
      '/homework/publish?draft=7&course_id=2',
    );
  });
});

describe('question picker', () => {
  it('ticks picked questions and carries others', () => {
    const html = renderPicker();
    expect(html).toMatch(/<input[^>]*name="pick"[^>]*checked=""[^>]*value="5"/);
    expect(html).not.toMatch(/<input[^>]*name="pick"[^>]*checked=""[^>]*value="6"/);
    expect(html).toContain('<input type="hidden" name="picked" value="9"/>');
    expect(html).toContain('<input type="hidden" name="draft" value="7"/>');
    expect(html.replace(/<[^>]*>/g, '')).toContain('已选 2 题');
    expect(html).toContain('width:980px');
  });

  it('offers points for an available public bank only', () => {
    expect(renderPicker()).toMatch(/value="3" aria-pressed="true"[^>]*name="point_id"/);
    const mine = renderPicker({ bank: 'mine', points: [], offersPublic: false });
    expect(mine).not.toContain('公共题库');
    expect(mine).toContain('备注');
    expect(renderPicker({ rows: [], total: 0 })).toContain('没有符合条件的题目');
  });

  it("marks the homework's questions", () => {
    const html = renderPicker({ present: [6] });
    expect(html).toContain('已添加');
    expect(html).not.toMatch(/<input[^>]*name="pick"[^>]*value="6"/);
    expect(html).toMatch(/<input[^>]*name="pick"[^>]*value="5"/);
  });

  it('offers every type', () => {
    expect(renderPicker()).toContain('材料题</option>');
    expect(renderPicker()).toContain('填空题</option>');
  });

  it('returns with the reason and picks', () => {
    const html = renderPicker({ picked: [] }, { msg: '请选择题目', typed: [['pick', '6']] });
    expect(html).toMatch(/role="alert".*>请选择题目</s);
    expect(html).toMatch(/<input[^>]*name="pick"[^>]*checked=""[^>]*value="6"/);
  });
});
