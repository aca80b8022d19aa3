// h5p-blanks #83, Empirical-Core #4659: a phone types a look-alike of the right answer, which is marked wrong.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreExamAnswer } from '#server/exams/submission.ts';
import { foldAnswer } from '#server/grading/answer-folding.ts';
import { scoreAnswer } from '#server/grading/scoring.ts';

const blank = (right_answer: string) => ({ id: 1, ques_type: 7, right_answer, ignore_case: 0, score: 100 });
const full = { status: 1, score: 100 };

describe('a fill-in answer that looks like the right one', () => {
  it.each([
    ["don't", 'don’t'],
    ["don't", 'don`t'],
    ["don't", 'don´t'],
    ['-3', '−3'],
    ['-3', '－3'],
    ['1840-1842', '1840–1842'],
    ['well-known', 'well‑known'],
    ['café', 'cafe\u0301'],
    ['in front of', 'in\u00a0front  of'],
    ['in front of', 'in\u3000front\u2009of\u200b'],
    ['5', '5\u200b'],
    ['5', '\ufeff5\u2060'],
    ['1∶2', '1:2'],
    ['1:2', '1：2'],
    ['“是”', '"是"'],
    ['“是”', '「是」'],
    ['x²', ' x² '],
    ['3×4', '3x4'],
    ['3×4×5', '3 x 4 x 5'],
    ['x+1', 'x + 1'],
    ['(1, 2)', '（1，2）'],
    ['北京', '北 京'],
    ['5cm', '5 ㎝'],
    ['9m²', '9㎡'],
    ['f″(x)', "f''(x)"],
    ['Ⅱ', 'II'],
    ['高', '\u2fbc'],
  ])('%s is right when %s is typed, in homework and exams', (right, typed) => {
    expect(scoreAnswer(blank(right), typed)).toEqual(full);
    expect(scoreAnswer(blank(typed), right)).toEqual(full);
    expect(scoreExamAnswer({ ...blank(right), answer_score: '' }, typed)).toEqual(full);
  });

  it.each([
    ['x²', 'x2'],
    ['①', '1'],
    ['1½', '11/2'],
    ['better', 'bet ter'],
    ['12', '1 2'],
    ['a×b', 'axb'],
    ['2x', '2×'],
    ['Na', 'NA'],
    ['-3', '3'],
    ['“是”', '是'],
    ['H₂O', 'H2O'],
  ])('%s is wrong when %s is typed', (right, typed) => {
    expect(scoreAnswer(blank(right), typed)).toEqual({ status: 2, score: 0 });
  });

  it('takes the Latin and the Greek accent for an apostrophe', () => {
    expect(['\u00b4', '\u1ffd'].map((accent) => foldAnswer(`f${accent}(x)`))).toEqual(["f'(x)", "f'(x)"]);
  });

  it('folds to the same text when folded again, decomposed or surrounded by spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const once = foldAnswer(text);
        expect(foldAnswer(once)).toBe(once);
        expect(foldAnswer(`\u00a0${text}\u3000`)).toBe(once);
        expect(foldAnswer(text.normalize('NFD'))).toBe(once);
      }),
      { numRuns: 300 },
    );
  });
});
