import { describe, expect, test } from 'vitest';
import { type Judged, judge, papers, readPaper } from './papers/judgement.ts';

const explain = (judged: readonly Judged[]): string =>
  judged.map(({ paper, verdict, differences }) => `${paper}: ${verdict}: ${differences.join('; ')}`).join('\n');

describe(`${papers.length} papers in the habits of their authors`, async () => {
  const judged = (await Promise.all(papers.map(async (paper) => judge(paper, await readPaper(paper))))).flat();

  test('have no question that is read wrongly without a mark', () => {
    expect(explain(judged.filter(({ verdict }) => verdict === 'silently wrong'))).toBe('');
  });

  test('have at least 98 % of their questions read right', () => {
    const wrong = judged.filter(({ verdict }) => verdict !== 'right');
    expect(wrong.length / judged.length, explain(wrong)).toBeLessThanOrEqual(0.02);
  });

  test('are many, of all types', () => {
    expect(papers.length).toBeGreaterThanOrEqual(300);
    expect(judged.length).toBeGreaterThan(2200);
  });

  test('refuses papers without any question', async () => {
    for (const paper of papers.filter(({ expected }) => expected.length === 0)) {
      expect((await readPaper(paper)).errors.map(({ message }) => message).join()).toContain('没有识别到题目');
    }
  });
});
