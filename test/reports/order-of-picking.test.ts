/** Questions imported into a homework keep the order of the file, whatever order they are ticked in. */
import { expect, it } from 'vitest';
import { pickedIds } from '../../app/lib/picked-ids.ts';

it('ticked rows keep the stored order, new ones last', () => {
  const fields = (pairs: [string, string][]) => new URLSearchParams(pairs);
  expect(
    pickedIds(
      fields([
        ['picked', '9'],
        ['pick', '14'],
        ['pick', '13'],
        ['pick', '12'],
        ['pick', '11'],
        ['order', '11,12,9,13'],
      ]),
    ),
  ).toEqual([11, 12, 9, 13, 14]);
  expect(
    pickedIds(
      fields([
        ['pick', '3'],
        ['order', '1,x,3'],
      ]),
    ),
  ).toEqual([3]);
});
