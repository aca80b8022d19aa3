import { expect, test } from 'vitest';
import { buildQuestionQueue, queueAnswer } from '#server/grading-desk/by-question-queue.ts';

/** Rows of the queue. Status 4 waits for grading. */
const rowsOf = (count: number, status = 4) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, status, score: null }));
const asked = { seed: 1, skip: [] };
const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

test('queue by question shows thirty neighbours on each side', () => {
  const rows = rowsOf(100);
  const { position, first, shown } = buildQuestionQueue(rows, { ...asked, hereId: 50 });
  expect([position, first, shown.length, shown[0]?.id, shown.at(-1)?.id]).toEqual([49, 19, 61, 20, 80]);
  expect(ids(buildQuestionQueue(rows, { ...asked, hereId: 3 }).shown)).toEqual(ids(rows.slice(0, 33)));
  expect(ids(buildQuestionQueue(rows, { ...asked, hereId: 99 }).shown)).toEqual(ids(rows.slice(68)));
});

test('queue by question continues behind this answer, then from the start, without skipped ones', () => {
  const rows = rowsOf(4);
  const next = (hereId: number, skip: number[] = []) => buildQuestionQueue(rows, { ...asked, hereId, skip }).nextId;
  expect([next(1), next(4), next(4, [1]), next(2, [3, 4])]).toEqual([2, 1, 2, 1]);
  expect(next(2, [1, 3, 4])).toBeNull();
  expect(buildQuestionQueue(rowsOf(4, 1), { ...asked, hereId: 1 }).nextId).toBeNull();
});

test('queue by question shuffles alike for everybody, differently per question, without loss', () => {
  const rows = rowsOf(20);
  const shuffle = (seed: number, of = rows) =>
    ids(buildQuestionQueue(of, { hereId: 1, seed, skip: [], order: 'shuffled' }).rows);
  expect(shuffle(7)).toEqual(shuffle(7, rows.toReversed()));
  expect(shuffle(7)).not.toEqual(shuffle(8));
  expect(shuffle(7)).not.toEqual(ids(rows));
  expect(shuffle(7).toSorted((one, other) => one - other)).toEqual(ids(rows));
});

test('queue by question gives place and mark of each answer, with totals', () => {
  const statuses = [1, 1, 2, 3, 4, 4, 4, 5];
  const rows = statuses.map((status, index) => ({ id: index + 1, status, score: status === 4 ? null : 35 }));
  const round = { rows, position: 2, first: 2, shown: rows.slice(2, 5), nextId: 5 };
  const answer = queueAnswer(round, { mode: 2, nicknames: new Map([[3, '小明']]), finishable: 6 });
  expect(answer.counts).toEqual({ total: 8, right: 2, wrong: 1, unanswered: 1, waiting: 3, reviewed: 1 });
  expect(answer.list.map((one) => [one.report_id, one.position, one.nickname, one.user_score])).toEqual([
    [3, 2, '小明', 3.5],
    [4, 3, '', 3.5],
    [5, 4, '', null],
  ]);
  expect(answer).toMatchObject({ position: 2, next_report_id: 5, finishable_count: 6 });
});
