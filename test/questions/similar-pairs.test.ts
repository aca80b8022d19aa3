import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedOf, minComparedLength, nearlyEqual, shinglesOf } from '#server/questions/comparison.ts';
import { type ComparedQuestion, similarQuestions } from '#server/questions/similar-pairs.ts';
import { goal } from '../support/budget.ts';

const asked = (id: number, stem: string, options: string[] = [], type = 1): ComparedQuestion => ({
  id,
  ...comparedOf(
    type,
    stem,
    options.map((content) => ({ content })),
  ),
});

/** Compares every question with every other one. */
function pairsByBruteForce(questions: readonly ComparedQuestion[]): [number, number, number][] {
  const firsts = questions.filter(({ key, id }) => !questions.some((other) => other.key === key && other.id < id));
  const long = firsts.filter(({ text }) => text.length >= minComparedLength);
  return long.flatMap((one) =>
    long.flatMap((other): [number, number, number][] => {
      if (other.id <= one.id) return [];
      const [own, theirs] = [shinglesOf(one.text), shinglesOf(other.text)];
      const shared = [...own].filter((shingle) => theirs.has(shingle)).length;
      const similarity = shared / (own.size + theirs.size - shared);
      return similarity >= nearlyEqual ? [[one.id, other.id, Math.floor(similarity * 100)]] : [];
    }),
  );
}

const found = async (questions: readonly ComparedQuestion[]): Promise<[number, number, number][]> =>
  (await similarQuestions(questions)).near.map(({ one, other, percent }) => [
    Math.min(one, other),
    Math.max(one, other),
    percent,
  ]);

const byIds = (one: number[], other: number[]) => (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);

describe('similar questions', () => {
  test('are equal whatever their width, case, white space and punctuation', async () => {
    const { equal, near } = await similarQuestions([
      asked(3, '下列 ＡＢＣ，正确的是？', ['甲', '乙']),
      asked(1, '下列abc正确的是', ['<p>甲</p>', ' 乙']),
      asked(2, '下列abc正确的是', ['乙', '甲']),
      asked(4, '下列abc正确的是', ['甲', '乙'], 3),
    ]);
    expect([equal, near]).toEqual([[[1, 3]], []]);
  });

  test('are nearly equal from 70 % of common shingles on, as when all are compared with all', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'甲乙丙丁'), minLength: 10, maxLength: 40 });
    const edited = fc
      .tuple(text, fc.nat(40), fc.constantFrom('', '戊', '己庚'), fc.nat(4))
      .map(([base, at, put, cut]) => [base, base.slice(0, at) + put + base.slice(at + cut)]);
    await fc.assert(
      fc.asyncProperty(fc.array(edited, { minLength: 1, maxLength: 30 }), async (texts) => {
        const questions = texts.flat().map((stem, index) => asked(index + 1, stem));
        expect((await found(questions)).sort(byIds)).toEqual(pairsByBruteForce(questions).sort(byIds));
      }),
      { numRuns: 200 },
    );
  });

  test('finds pairs among 20,000 questions without holding up the event loop', async () => {
    const words = Array.from({ length: 3000 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)));
    let seed = 7;
    const next = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (seed >>> 8) % below;
    };
    const textOf = () => Array.from({ length: 60 + next(80) }, () => words[next(words.length)]).join('');
    const bases = Array.from({ length: 19_000 }, textOf);
    const questions = bases.map((stem, index) => asked(index + 1, stem));
    for (let index = 0; index < 1000; index += 1) {
      questions.push(asked(19_001 + index, `${(bases[index] as string).slice(0, -4)}其他结尾`));
    }
    let longest = 0;
    let before = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }, 1);
    const { near } = await similarQuestions(questions);
    clearInterval(timer);
    expect(near.length).toBeGreaterThanOrEqual(1000);
    goal('longest turn of comparing 20,000 questions', longest, 50);
  }, 60_000);
});
