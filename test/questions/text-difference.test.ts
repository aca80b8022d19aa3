import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Run, textDifference } from '#app/questions/text-difference.ts';

const marked = (runs: readonly Run[]): string =>
  runs.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join('');

describe('the difference of two texts', () => {
  test.each([
    ['同', '同', '同', '同'],
    ['', '新', '', '[新]'],
    ['下列正确的是', '下列不正确的是', '下列正确的是', '下列[不]正确的是'],
    ['甲乙丙丁戊', '甲丁丙戊', '甲[乙丙]丁戊', '甲丁[丙]戊'],
    ['😀一', '😁一', '[😀]一', '[😁]一'],
  ])('marks the difference of %s and %s in both texts', (one, other, left, right) => {
    const [ofOne, ofOther] = textDifference(one, other);
    expect([marked(ofOne), marked(ofOther)]).toEqual([left, right]);
  });

  test('keeps both texts, and leaves the same text unmarked', () => {
    const text = fc.string({ unit: fc.constantFrom(...'甲乙丙'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const runs = textDifference(one, other);
        const all = (own: Run[]) => own.map((run) => run.text).join('');
        const same = (own: Run[]) => own.flatMap((run) => (run.isDifferent ? [] : run.text)).join('');
        expect(runs.map(all)).toEqual([one, other]);
        expect(same(runs[0])).toBe(same(runs[1]));
      }),
    );
  });

  test('marks long texts from the first difference to the last', () => {
    const [runs] = textDifference(`头${'甲'.repeat(600)}中${'乙'.repeat(600)}尾`, `头${'丙'.repeat(600)}中尾`);
    expect(runs.map(({ isDifferent }) => isDifferent)).toEqual([false, true, false]);
  });
});
