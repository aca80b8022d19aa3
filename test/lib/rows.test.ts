import { expect, it } from 'vitest';
import { homeworkList } from '#app/homework/screens.ts';

const limitOf = (limit: string) =>
  homeworkList.at(new URL(`http://school.test/homework?${new URLSearchParams({ limit, name: '一' })}`)).filter.limit;

it('a page renders a limited number of rows at once', () => {
  expect(['999999', ' 5000 ', '201'].map(limitOf)).toEqual([200, 200, 200]);
  expect(['200', '35', '1'].map(limitOf)).toEqual([200, 35, 1]);
  expect(['x', '-3', ''].map(limitOf)).toEqual([20, 20, 20]);
});
