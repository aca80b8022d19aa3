import { describe, expect, test } from 'vitest';
import { categoryLevels, chosenCategories } from '../../app/exams/category.ts';

const leaf = (id: number) => ({ id, name: `分类${id}`, children: [] });
const tree = [{ id: 1, name: '一', children: [{ id: 2, name: '二', children: [leaf(3), leaf(4)] }, leaf(5)] }, leaf(6)];
const chosen = (search: string) => chosenCategories(tree, new URLSearchParams(search)).map(({ id }) => id);
const levels = (search: string) =>
  categoryLevels(tree, chosenCategories(tree, new URLSearchParams(search))).map(({ name, value, choices }) => ({
    [name]: value,
    choices: choices.map(({ id }) => id),
  }));

describe('the classification as nested selects', () => {
  test.each([
    ['', []],
    ['classify_id=', []],
    ['classify_id=999', []],
    ['classify_id=6', [6]],
    ['classify_id=4', [1, 2, 4]],
    ['classify_id=1&classify_1=2&classify_2=4', [1, 2, 4]],
    ['classify_id=1&classify_1=&classify_2=4', [1]],
    // Another one was chosen at the top: what was chosen below the former one counts no more.
    ['classify_id=6&classify_1=2&classify_2=4', [6]],
    ['classify_id=&classify_1=2', []],
    ['classify_id=1&classify_1=6', [1]],
  ])('?%s chooses %j', (search, path) => {
    expect(chosen(search)).toEqual(path);
  });

  test('offer one level more than is chosen, while there is one', () => {
    expect(levels('')).toEqual([{ classify_id: undefined, choices: [1, 6] }]);
    expect(levels('classify_id=1')).toEqual([
      { classify_id: 1, choices: [1, 6] },
      { classify_1: undefined, choices: [2, 5] },
    ]);
    expect(levels('classify_id=4')).toEqual([
      { classify_id: 1, choices: [1, 6] },
      { classify_1: 2, choices: [2, 5] },
      { classify_2: 4, choices: [3, 4] },
    ]);
    expect(levels('classify_id=6')).toEqual([{ classify_id: 6, choices: [1, 6] }]);
  });
});
