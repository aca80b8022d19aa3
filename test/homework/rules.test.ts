import { describe, expect, test } from 'vitest';
import { sameAnswerKey } from '#server/grading/equal-answers.ts';
import {
  acceptsMark,
  blankMarkFault,
  gradedMeanwhileMessage,
  handGradingFault,
  markedStatus,
  pointsMode,
  rateMode,
  readMark,
  scoreFault,
} from '#server/grading/rules.ts';
import { numberQuestions } from '#server/homework/numbering.ts';
import {
  alreadyPublishedFault,
  deadlineFault,
  gradingFault,
  type HomeworkState,
  hasFigures,
  newDeadlineFault,
  ownerFault,
  publishMoreFault,
  recallFault,
  recordsFault,
  reviewFault,
  submitFault,
} from '#server/homework/rules.ts';
import { yesterdayStart } from '#server/school/calendar.ts';

const noon = 1_795_147_200;
const partly: HomeworkState = {
  status: 1,
  publish_type: 2,
  published_class_count: 1,
  class_count: 2,
  ending_time: noon + 1,
};

test('homework decisions belong to its publisher', () => {
  expect(ownerFault(true)).toBeUndefined();
  expect(ownerFault(false)).toBe('只有发布人可以执行此操作');
});

describe('recall', () => {
  test('happens once', () => {
    expect(recallFault(partly)).toBeUndefined();
    expect(recallFault({ status: 2 })).toBe('该作业已撤回，不能重复撤回');
  });

  test('ends grading and hides reports', () => {
    expect([gradingFault({ status: 1 }), recordsFault({ status: 1 })]).toEqual([undefined, undefined]);
    expect(gradingFault({ status: 2 })).toBe('该作业已撤回，不能批改');
    expect(recordsFault({ status: 2 })).toBe('该作业已撤回，作业记录已消失');
  });
});

describe('continue publishing', () => {
  const fault = (change: Partial<HomeworkState>) => publishMoreFault({ ...partly, ...change }, noon);

  test('is possible until the deadline while a class is missing', () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ status: 2 })).toBe('该作业已撤回，不能继续发布');
    expect(fault({ ending_time: noon })).toBe('该作业已截止，不能继续发布');
  });

  test.each([
    ['published as a whole', { publish_type: 1 }],
    ['partly published, and to all classes since', { published_class_count: 2 }],
    ['partly published, to more classes than it has now', { published_class_count: 3 }],
  ])('has nothing to do when %s', (_, change) => {
    expect(fault(change)).toBe('该作业已发布到全部班级，不能继续发布');
  });
});

describe('homework deadline', () => {
  const fault = (change: Partial<HomeworkState>) => deadlineFault({ ...partly, ...change }, noon);

  test('moves until it has passed', () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ status: 2 })).toBe('该作业已撤回，不能调整截止时间');
    expect(fault({ ending_time: noon })).toBe('该作业已截止，不能调整截止时间');
  });

  test('is yesterday or later, and before 2201', () => {
    const yesterday = yesterdayStart(noon, 'Asia/Shanghai');
    expect(yesterday).toBe(Date.UTC(2026, 10, 18, 16) / 1000);
    const lastSecond = Date.UTC(2200, 11, 31, 23, 59, 59) / 1000;
    const faultOf = (time: number | undefined) => newDeadlineFault(time, yesterday);
    expect(faultOf(yesterday)).toBeUndefined();
    expect(faultOf(yesterday - 1)).toBe('截止时间不能早于昨天');
    expect(faultOf(lastSecond)).toBeUndefined();
    expect(faultOf(lastSecond + 1)).toBe('请选择正确的截止时间');
    expect(faultOf(undefined)).toBe('请选择截止时间');
    expect(faultOf(0)).toBe('请选择截止时间');
  });

  test('opens figures once everything is graded', () => {
    const over = { status: 1, ending_time: noon, submit: 3, revise: 3 };
    expect(hasFigures(over, noon)).toBe(true);
    expect(hasFigures({ ...over, ending_time: noon + 1 }, noon)).toBe(false);
    expect(hasFigures({ ...over, revise: 2 }, noon)).toBe(false);
    expect(hasFigures({ ...over, status: 2 }, noon)).toBe(false);
  });
});

describe('grading permission', () => {
  test.each([
    [1, 1, '该作业未提交，不能批改'],
    [1, 2, undefined],
    [1, 3, '该作业已批改完成，不能重复批改'],
    [2, 2, '该作业已撤回，不能批改'],
    [2, 3, '该作业已撤回，不能批改'],
  ])('for homework status %i and report status %i is: %s', (homework, report, sentence) => {
    expect(reviewFault({ status: homework }, { status: report })).toBe(sentence);
  });
});

describe('typed mark', () => {
  const ten = 100;

  test.each([
    ['8.5', 85],
    ['８。5', 85],
    ['8.', 80],
    [' 10 ', 100],
    ['0', 0],
    [7, 70],
    ['８．５', 85],
    ['８。５', 85],
    ['8，5', 85],
  ])('in points: %j is stored as %i', (typed, score) => {
    expect(readMark(pointsMode, ten, typed)).toEqual({ score });
  });

  test.each([
    ['', '请填写本题得分'],
    [null, '请填写本题得分'],
    ['八', '得分只能填写数字'],
    ['1e1', '得分只能填写数字'],
    ['８。５。', '得分只能填写数字'],
    ['８．５５', '得分最多一位小数'],
    ['8.55', '得分最多一位小数'],
    ['8.50', '得分最多一位小数'],
    ['10.1', '得分应在0.0到10.0之间'],
    ['-1', '得分应在0.0到10.0之间'],
  ])('in points: %j is refused, %s', (typed, fault) => {
    expect(readMark(pointsMode, ten, typed)).toEqual({ fault });
  });

  test.each([
    ['75', { score: 75 }],
    ['75%', { score: 75 }],
    ['', { fault: '请选择本题正确率' }],
    ['70', { fault: '请选择本题正确率' }],
    ['7.5', { fault: '请选择本题正确率' }],
  ])('as a rating: %j', (typed, read) => {
    expect(readMark(rateMode, 100, typed)).toEqual(read);
  });

  test('is a rating, or tenths up to the full score', () => {
    expect(scoreFault(rateMode, 100, 60)).toBeUndefined();
    expect(scoreFault(rateMode, 100, 61)).toBe('请选择本题正确率');
    expect(scoreFault(pointsMode, ten, 0.5)).toBe('得分最多一位小数');
    expect(scoreFault(pointsMode, ten, ten)).toBeUndefined();
    expect(scoreFault(pointsMode, ten, ten + 1)).toBe('得分应在0.0到10.0之间');
  });

  test('gives nothing to a blank answer', () => {
    expect(blankMarkFault(pointsMode, 0)).toBeUndefined();
    expect(blankMarkFault(pointsMode, 1)).toBe('该题未作答，不能评分');
    expect(blankMarkFault(rateMode, 0)).toBe('该题未作答，不能评分');
    expect(acceptsMark({ status: 3 }, 0)).toBe(false);
    expect(acceptsMark({ status: 4 }, null)).toBe(false);
    expect(acceptsMark({ status: 4 }, 0)).toBe(true);
  });

  test('determines right or wrong', () => {
    expect([markedStatus(ten, ten), markedStatus(ten, 1), markedStatus(ten, 0)]).toEqual([1, 5, 2]);
  });
});

describe('question numbers', () => {
  const [single, material, short] = [1, 6, 5];
  const question = (id: number, sort: number, ques_type: number, parent_id: number | null = null) => ({
    id,
    sort,
    ques_type,
    parent_id,
  });

  test("follow their order, with a material's parts", () => {
    const numbered = numberQuestions([
      question(1, 3, single),
      question(2, 2, material),
      question(3, 2, short, 2),
      question(4, 1, single, 2),
      question(5, 1, single),
    ]);
    expect(numbered.map(({ id, number, material: of }) => [id, number, of?.id])).toEqual([
      [5, '1', undefined],
      [4, '2.1', 2],
      [3, '2.2', 2],
      [1, '3', undefined],
    ]);
  });

  test('keep writing order among equals', () => {
    const numbered = numberQuestions([question(12, 1, single), question(11, 1, single), question(13, 1, single)]);
    expect(numbered.map(({ id, number }) => [id, number])).toEqual([
      [11, '1'],
      [12, '2'],
      [13, '3'],
    ]);
  });
});

describe('equal answers', () => {
  const waiting = 4;

  test('have the same text and wait for grading', () => {
    const key = sameAnswerKey('解：略\n二', waiting);
    expect(key).toMatch(/^[\w-]{22}$/);
    expect(sameAnswerKey(' 解：略\r\n二 ', waiting)).toBe(key);
    expect(sameAnswerKey(JSON.stringify({ content: '解：略\n二', images: [] }), waiting)).toBe(key);
    expect(sameAnswerKey('解：略', waiting)).not.toBe(key);
    expect([1, 2, 3, 5].map((status) => sameAnswerKey('解：略\n二', status))).toEqual([null, null, null, null]);
  });

  test('never include pictures or empty text', () => {
    const withPicture = (content: string) => JSON.stringify({ content, images: [{ url: '/a.png' }] });
    expect(sameAnswerKey(withPicture('解'), waiting)).toBeNull();
    expect(sameAnswerKey(withPicture(''), waiting)).toBeNull();
    expect(sameAnswerKey(' ', waiting)).toBeNull();
  });
});

describe('homework submission', () => {
  const fault = (change: Partial<HomeworkState>, status = 1, now = noon) =>
    submitFault({ ...partly, ...change }, { status }, now);

  test('happens once, before the deadline, and not after a recall', () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ status: 2 })).toBe('该作业已撤回，不能提交');
    expect(fault({}, 2)).toBe('该作业已提交，不能重复提交');
    expect(fault({}, 3)).toBe('该作业已提交，不能重复提交');
    expect(fault({}, 1, noon + 1)).toBe('该作业已截止，不能提交');
    expect(fault({ status: 2 }, 2, noon + 1)).toBe('该作业已撤回，不能提交');
  });
});

test('only essays are graded by hand', () => {
  const types = [1, 2, 3, 4, 5, 6, 7];
  const byHand = types.filter((ques_type) => handGradingFault({ ques_type }) === undefined);
  expect(byHand).toEqual([5]);
  expect(handGradingFault({ ques_type: 7 })).toBe('客观题由系统评分，不能批改');
});

test('the second grader is told the first one and their mark', () => {
  expect(gradedMeanwhileMessage(pointsMode, '王老师', 7.5)).toBe('该题已由王老师批改，得分7.5');
  expect(gradedMeanwhileMessage(rateMode, '王老师', 75)).toBe('该题已由王老师批改，正确率75%');
  expect(gradedMeanwhileMessage(rateMode, '王老师', null)).toBe('该题已由王老师批改');
});

test('a class gets a homework once', () => {
  expect(alreadyPublishedFault([])).toBeUndefined();
  expect(alreadyPublishedFault(['一班', '二班'])).toBe('一班、二班已发布过该作业，请勿重复发布');
});
