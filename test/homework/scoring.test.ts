import { describe, expect, test } from 'vitest';
import { markedStatus, pointsMode, pointsOf, rateMode, storedScore } from '#server/grading/rules.ts';
import {
  type AnswerableQuestion,
  competitionRanks,
  evenShares,
  fullScore,
  markOf,
  materialScore,
  refuseMark,
  reportTotals,
  scoreAnswer,
  subjectiveAnswer,
  wholePercent,
} from '#server/grading/scoring.ts';

const question = (ques_type: number, right_answer: string, score = 100): AnswerableQuestion => ({
  id: 1,
  ques_type,
  right_answer,
  ignore_case: 0,
  score,
});
const right = (score: number) => ({ status: 1, score });
const wrong = (score = 0) => ({ status: 2, score });
const unanswered = { status: 3, score: 0 };

describe('scores', () => {
  test('sum ten questions of 0.1 to 1.0', () => {
    const tenth = storedScore(pointsMode, 0.1) as number;
    const all = Array.from({ length: 10 }, () => tenth).reduce((sum, score) => sum + score, 0);
    expect(pointsOf(pointsMode, all)).toBe(1);
    expect(pointsOf(pointsMode, all - tenth)).toBe(0.9);
  });

  test('with more than one decimal are not stored', () => {
    expect(storedScore(pointsMode, 0.3)).toBe(3);
    expect(storedScore(pointsMode, 59.9)).toBe(599);
    expect(storedScore(pointsMode, 0.25)).toBeUndefined();
    expect(storedScore(pointsMode, Number.NaN)).toBeUndefined();
    expect(storedScore(pointsMode, Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  test('keep every settable value exactly', () => {
    for (let tenths = 0; tenths <= 1000; tenths += 1) expect(storedScore(pointsMode, tenths / 10)).toBe(tenths);
    for (let hundredths = 0; hundredths <= 100; hundredths += 1) {
      expect(storedScore(rateMode, hundredths / 100)).toBe(hundredths);
    }
    expect(storedScore(pointsMode, Number.NaN)).toBeUndefined();
    expect(storedScore(pointsMode, Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  test('are shown in points, or in percent for rated homework', () => {
    expect(markOf(pointsMode, 25)).toBe(2.5);
    expect(markOf(rateMode, 25)).toBe(25);
  });

  test('give percentages truncated from exact counts', () => {
    expect(wholePercent(29, 100)).toBe(29);
    expect(wholePercent(57, 100)).toBe(57);
    expect(wholePercent(2, 3)).toBe(66);
    expect(wholePercent(0, 0)).toBe(0);
    expect(wholePercent(7, 7)).toBe(100);
  });

  test('share a rank when equal, and skip the next one', () => {
    expect(competitionRanks([80, 95, 95, 60])).toEqual([3, 1, 1, 4]);
    expect(competitionRanks([])).toEqual([]);
  });

  test.each([
    [10, 3, [3, 3, 4]],
    [100, 3, [33, 33, 34]],
    [10, 4, [2, 3, 2, 3]],
    [1, 3, [0, 0, 1]],
    [50, 1, [50]],
  ])('of %i divided into %i parts add up', (score, count, shares) => {
    expect(evenShares(score, count)).toEqual(shares);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(score);
  });
});

describe('choice scoring', () => {
  test('needs exactly the right set', () => {
    const multiple = question(3, '1,2,4');
    expect(scoreAnswer(multiple, '4,1,2')).toEqual(right(100));
    expect(scoreAnswer(multiple, '1,2')).toEqual(wrong());
    expect(scoreAnswer(multiple, '1,2,3,4')).toEqual(wrong());
    expect(scoreAnswer(multiple, '1,2,3')).toEqual(wrong());
    expect(scoreAnswer(multiple, '1，2，4')).toEqual(right(100));
    expect(scoreAnswer(multiple, '')).toEqual(unanswered);
    expect(scoreAnswer(multiple, ' , ')).toEqual(unanswered);
  });

  test.each([1, 2, 4])('follows the table for type %i', (type) => {
    expect(scoreAnswer(question(type, '2', 15), '2')).toEqual(right(15));
    expect(scoreAnswer(question(type, '2', 15), '1')).toEqual(wrong());
    expect(scoreAnswer(question(type, '2', 15), '12')).toEqual(wrong());
  });

  test('never accepts an answer to a question without a right answer', () => {
    expect(scoreAnswer(question(1, ''), '1')).toEqual(wrong());
  });
});

describe('blank scoring', () => {
  test('gives each right blank its share', () => {
    const three = question(7, '范仲淹@@岳阳楼记@@北宋', 100);
    expect(scoreAnswer(three, '范仲淹@@岳阳楼记@@北宋')).toEqual(right(100));
    expect(scoreAnswer(three, '范仲淹@@@@北宋')).toEqual(wrong(67));
    expect(scoreAnswer(three, '@@@@北宋')).toEqual(wrong(34));
    expect(scoreAnswer(three, '欧阳修')).toEqual(wrong());
    expect(scoreAnswer(three, ' @@　@@')).toEqual(unanswered);
  });

  test('gives each blank its own score if every one has one', () => {
    const two = { ...question(7, '3@@5', 100), blankScores: [30, 70] };
    expect(scoreAnswer(two, '3@@')).toEqual(wrong(30));
    expect(scoreAnswer(two, '@@5')).toEqual(wrong(70));
    expect(scoreAnswer(two, '3@@5')).toEqual(right(100));
    expect(scoreAnswer({ ...two, blankScores: [30, 30, 40] }, '3@@')).toEqual(wrong(50));
    expect(scoreAnswer({ ...two, blankScores: [] }, '3@@')).toEqual(wrong(50));
  });

  test('ignores outer spaces and full-width forms', () => {
    expect(scoreAnswer(question(7, '(1,-2)@@3'), '（１，－２）@@　3 ')).toEqual(right(100));
    expect(scoreAnswer(question(7, 'Ａ＋Ｂ'), 'A+B')).toEqual(right(100));
    expect(scoreAnswer(question(7, 'better'), 'bet ter')).toEqual(wrong());
  });

  test('respects letter case unless the question says otherwise', () => {
    const blanks = question(7, 'Beijing@@DNA@@2x3');
    expect(scoreAnswer(blanks, 'BEIJING@@dna@@2×3')).toEqual(wrong(34));
    expect(scoreAnswer({ ...blanks, ignore_case: 1 }, 'BEIJING@@dna@@2X3')).toEqual(right(100));
    expect(scoreAnswer({ ...blanks, ignore_case: 1 }, 'Peking@@dna@@2×3')).toEqual(wrong(67));
  });

  test('distinguishes signs outside the full-width block', () => {
    expect(scoreAnswer(question(7, 'x²'), 'x2')).toEqual(wrong());
    expect(scoreAnswer(question(7, '①'), '1')).toEqual(wrong());
  });
});

describe('essay scoring', () => {
  const essay = question(5, '略');
  test.each([
    ['{"content":"","images":[]}', unanswered],
    ['{"content":"<p>&nbsp; <br></p>","images":[],"format":"html"}', unanswered],
    ['{"content":"<p>&nbsp; <br></p>","images":[]}', { status: 4, score: null }],
    ['', unanswered],
    ['{"content":"解：略","images":[]}', { status: 4, score: null }],
    ['{"content":"","images":[{"url":"/a.png"}]}', { status: 4, score: null }],
    ['{"content":"<p><img src=\\"/a.png\\"></p>","images":[],"format":"html"}', { status: 4, score: null }],
    ['没有写成 JSON', { status: 4, score: null }],
    ['null', { status: 4, score: null }],
  ])('follows the table: %s', (userAnswer, expected) => {
    expect(scoreAnswer(essay, userAnswer)).toEqual(expected);
  });

  test('splits any answer into its parts', () => {
    const image = { url: '/a.png' };
    expect(subjectiveAnswer(JSON.stringify({ content: '解', images: [image] }))).toEqual({
      content: '解',
      images: [image],
      format: 'text',
    });
    // A number or a word in quotation marks is JSON, too.
    const other = ['{"content":5,"images":"/a.png"}', '{"content":"x","size":3}', '{"content":"x","format":"xml"}'];
    for (const text of ['12', '[1,3]', '[]', '{}', '{1,2}', '{"x":1}', '"甲"', ...other]) {
      expect(subjectiveAnswer(text)).toEqual({ content: text, images: [], format: 'text' });
    }
  });

  test('counts full marks as right, zero as wrong, others as partly right', () => {
    expect([100, 1, 0].map((score) => markedStatus(100, score))).toEqual([1, 5, 2]);
  });
});

describe('allowed marks', () => {
  const kindOf = (mode: 1 | 2, score: number, status = 4) =>
    refuseMark({ mode, full: fullScore(mode, 55), status }, score)?.kind;

  test('are scores from 0 to full', () => {
    expect([0, 1, 55].map((score) => kindOf(pointsMode, score))).toEqual([undefined, undefined, undefined]);
    expect([-1, 56, 1.5].map((score) => kindOf(pointsMode, score))).toEqual(['invalid', 'invalid', 'invalid']);
  });

  test('are ratings for rated homework', () => {
    expect([0, 25, 50, 60, 75, 100].map((score) => kindOf(rateMode, score)).filter(Boolean)).toEqual([]);
    expect([1, 80].map((score) => kindOf(rateMode, score))).toEqual(['invalid', 'invalid']);
  });

  test('are none for a blank answer', () => {
    expect(kindOf(rateMode, 0, 3)).toBe('conflict');
    expect(kindOf(pointsMode, 10, 3)).toBe('conflict');
    expect(kindOf(pointsMode, 1, 3)).toBe('conflict');
    expect(kindOf(pointsMode, 0, 3)).toBeUndefined();
  });
});

describe('report scoring', () => {
  test('sums, and waits while one answer waits', () => {
    const objective = { status: 1, score: 50, subjective: false } as const;
    const marked = { status: 5, score: 33, subjective: true } as const;
    const waiting = { status: 4, score: null, subjective: true } as const;
    expect(reportTotals([objective, marked])).toEqual({
      status: 3,
      objective_score: 50,
      subjective_score: 33,
      user_score: 83,
    });
    expect(reportTotals([objective, marked, waiting])).toEqual({
      status: 2,
      objective_score: 50,
      subjective_score: 33,
      user_score: 83,
    });
    expect(reportTotals([{ ...waiting, subjective: false }])).toMatchObject({ status: 2, user_score: 0 });
    expect(reportTotals([])).toMatchObject({ status: 3, user_score: 0 });
  });

  test('counts each rated question 1 point, with exact quarters', () => {
    const full = fullScore(rateMode, 55);
    expect(pointsOf(rateMode, full)).toBe(1);
    expect(wholePercent(25, full)).toBe(25);
    expect(wholePercent(full + full + full + 25, 4 * full)).toBe(81);
    expect(materialScore([{ score: full }, { score: full }])).toBe(2 * full);
  });
});
