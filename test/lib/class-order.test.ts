import { expect, it } from 'vitest';
import { inClassOrder } from '#server/classes/rules.ts';

const inOrder = (names: string[], places: (number | null)[] = []) =>
  inClassOrder(names.map((name, at) => ({ id: at, name, grade_place: places[at] ?? null }))).map(({ name }) => name);

it('orders classes by numbers in their names, whatever the numbers are written with', () => {
  expect(inOrder(['高一(10)班', '高一（２）班', '高一(1)班'])).toEqual(['高一(1)班', '高一（２）班', '高一(10)班']);
  expect(inOrder(['丙班', '乙班', '甲班'])).toEqual(['甲班', '乙班', '丙班']);
  expect(inOrder(['高三', '高一', '高二'])).toEqual(['高一', '高二', '高三']);
  expect(inOrder(['二十一班', '十二班', '九班', '十班', '二十班'])).toEqual([
    '九班',
    '十班',
    '十二班',
    '二十班',
    '二十一班',
  ]);
});

it('orders classes by the place of their grade first, and classes without a grade last', () => {
  expect(inOrder(['甲班', '乙班', '丙班'], [null, 3, 2])).toEqual(['丙班', '乙班', '甲班']);
});
