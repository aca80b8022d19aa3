import { expect, test } from 'vitest';
import { categoryChoices } from '../../app/exams/category.ts';

const leaf = (id: number) => ({ id, name: `分类${id}`, children: [] });
const tree = [{ id: 1, name: '一', children: [{ id: 2, name: '二', children: [leaf(3), leaf(4)] }, leaf(5)] }, leaf(6)];

test('category select shows every level, each below its parent', () => {
  expect(categoryChoices(tree)).toEqual([
    [1, '一'],
    [2, '　二'],
    [3, '　　分类3'],
    [4, '　　分类4'],
    [5, '　分类5'],
    [6, '分类6'],
  ]);
});
