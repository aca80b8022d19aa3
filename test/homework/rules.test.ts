import { describe, expect, test } from 'vitest';
import { numberQuestions } from '#server/homework/numbering.ts';
import {
  type HomeworkState,
  refuseAdjustDeadline,
  refuseContinuePublishing,
  refuseCorrection,
  refuseDeadline,
  refuseRecall,
} from '#server/homework/rules.ts';
import { sameAnswerKey } from '#server/homework/submission.ts';
import type { Refusal } from '#server/platform/calls/outcome.ts';

const noon = 1_795_147_200;
const [owner, stranger] = [7, 8];
const partly: HomeworkState = {
  status: 1,
  publish_type: 2,
  published_class_count: 1,
  class_count: 2,
  ending_time: noon + 1,
  creator_id: owner,
};
const said = (refusal: Refusal | undefined) => refusal && [refusal.kind, refusal.msg];
const notOwner = ['forbidden', '只有发布人可以执行此操作'];

describe('recall', () => {
  test('is the publisher’s, once', () => {
    expect(refuseRecall(partly, owner)).toBeUndefined();
    expect(said(refuseRecall(partly, stranger))).toEqual(notOwner);
    expect(said(refuseRecall({ ...partly, status: 2 }, owner))).toEqual(['conflict', '该作业已撤回，不能重复撤回']);
  });

  test('ends the correction', () => {
    expect(refuseCorrection({ status: 1 })).toBeUndefined();
    expect(said(refuseCorrection({ status: 2 }))).toEqual(['conflict', '该作业已撤回，不能批改']);
  });
});

describe('continue publishing', () => {
  const refused = (change: Partial<HomeworkState>, staff = owner) =>
    said(refuseContinuePublishing({ ...partly, ...change }, staff, noon));

  test('is the publisher’s, while a class is left, until the deadline', () => {
    expect(refused({})).toBeUndefined();
    expect(refused({}, stranger)).toEqual(notOwner);
    expect(refused({ status: 2 })).toEqual(['conflict', '该作业已撤回，不能继续发布']);
    expect(refused({ ending_time: noon })).toEqual(['conflict', '该作业已截止，不能继续发布']);
  });

  test.each([
    ['published as a whole', { publish_type: 1 }],
    ['partly published, and to all classes since', { published_class_count: 2 }],
    ['partly published, to more classes than it has now', { published_class_count: 3 }],
  ])('has nothing to do for what is %s', (_, change) => {
    expect(refused(change)).toEqual(['conflict', '该作业已发布到全部班级，不能继续发布']);
  });
});

describe('the deadline', () => {
  const refused = (change: Partial<HomeworkState>, staff = owner) =>
    said(refuseAdjustDeadline({ ...partly, ...change }, staff, noon));

  test('is moved by the publisher until it has come', () => {
    expect(refused({})).toBeUndefined();
    expect(refused({}, stranger)).toEqual(notOwner);
    expect(refused({ status: 2 })).toEqual(['conflict', '该作业已撤回，不能调整截止时间']);
    expect(refused({ ending_time: noon })).toEqual(['conflict', '该作业已截止，不能调整截止时间']);
  });

  test('is yesterday or later, and a time that calendars can write', () => {
    const yesterday = Date.UTC(2026, 10, 18, 16) / 1000;
    const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;
    const errors = (time: number | undefined) => refuseDeadline(time, noon, 'Asia/Shanghai')?.errors?.ending_time;
    expect(errors(yesterday)).toBeUndefined();
    expect(errors(yesterday - 1)).toEqual(['截止时间不能早于昨天']);
    expect(errors(lastSecond)).toBeUndefined();
    expect(errors(lastSecond + 1)).toEqual(['请选择正确的截止时间']);
    expect(errors(undefined)).toEqual(['请选择截止时间']);
    expect(errors(0)).toEqual(['请选择截止时间']);
  });
});

describe('the numbers of questions', () => {
  const [single, material, short] = [1, 6, 5];
  const question = (id: number, sort: number, ques_type: number, parent_id: number | null = null) => ({
    id,
    sort,
    ques_type,
    parent_id,
  });

  test('go by their order, and by the parts of a material question', () => {
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

  test('keep the order of writing among equals', () => {
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

  test('are those of the same text that wait for review', () => {
    const key = sameAnswerKey('解：略\n二', waiting);
    expect(key).toMatch(/^[\w-]{22}$/);
    expect(sameAnswerKey(' 解：略\r\n二 ', waiting)).toBe(key);
    expect(sameAnswerKey(JSON.stringify({ content: '解：略\n二', images: [] }), waiting)).toBe(key);
    expect(sameAnswerKey('解：略', waiting)).not.toBe(key);
    expect([1, 2, 3, 5].map((status) => sameAnswerKey('解：略\n二', status))).toEqual([null, null, null, null]);
  });

  test('are none where there is a picture, or nothing to read', () => {
    const withPicture = (content: string) => JSON.stringify({ content, images: [{ url: '/a.png' }] });
    expect(sameAnswerKey(withPicture('解'), waiting)).toBeNull();
    expect(sameAnswerKey(withPicture(''), waiting)).toBeNull();
    expect(sameAnswerKey(' ', waiting)).toBeNull();
  });
});
