import { describe, expect, test } from 'vitest';
import type { AnswerStatus } from '#server/grading/rules.ts';
import type { Desk } from '../../app/grading/desk/desk.ts';
import { addressOfPlace, cardOf, nextAnswer, nextReport } from '../../app/grading/desk/navigation.ts';

type Place = [id: number, status: AnswerStatus];

const ofReport = (here: number, places: Place[], nextReportId: number | null = null): Desk =>
  ({
    address: { report_id: 1, type: 1, skip: [], ques_id: here, batch: 7 },
    report: { report_id: 1 },
    subjective: places.map(([question_id, status]) => ({ question_id, sort: String(question_id), status })),
    nextReportId,
  }) as unknown as Desk;

const ofQuestion = (here: number, places: Place[], next_report_id: number | null, skip: number[] = []): Desk =>
  ({
    address: { report_id: here, type: 1, by: 'question', ques_id: 9, skip },
    report: { report_id: here },
    round: {
      list: places.map(([report_id, status], position) => ({ report_id, position, status })),
      next_report_id,
    },
  }) as unknown as Desk;

const next = (desk: Desk) => nextAnswer(desk, cardOf(desk));

describe('next answer', () => {
  test('is the first waiting one after this, going round', () => {
    expect(
      next(
        ofReport(2, [
          [1, 4],
          [2, 4],
          [3, 1],
          [4, 4],
        ]),
      ),
    ).toBe(4);
    expect(
      next(
        ofReport(4, [
          [1, 4],
          [2, 1],
          [4, 5],
        ]),
      ),
    ).toBe(1);
    expect(
      next(
        ofReport(2, [
          [1, 5],
          [2, 4],
        ]),
      ),
    ).toBeUndefined();
  });

  test('when grading by question lies ahead before behind', () => {
    const neighbours: Place[] = [
      [11, 4],
      [12, 5],
      [13, 1],
    ];
    expect(next(ofQuestion(12, neighbours, 40))).toBe(40);
    expect(next(ofQuestion(12, [...neighbours, [14, 4]], 40))).toBe(14);
    expect(next(ofQuestion(12, neighbours, 11))).toBe(11);
  });

  test('when grading by question is never a skipped student', () => {
    expect(
      next(
        ofQuestion(
          12,
          [
            [11, 4],
            [12, 5],
            [13, 4],
          ],
          11,
          [13],
        ),
      ),
    ).toBe(11);
    expect(
      next(
        ofQuestion(
          12,
          [
            [11, 4],
            [12, 5],
            [13, 4],
          ],
          null,
          [11, 13],
        ),
      ),
    ).toBeUndefined();
  });

  test('counts unsaved marks', () => {
    const desk = ofReport(2, [
      [1, 4],
      [2, 4],
      [3, 4],
    ]);
    const card = cardOf(desk, (_report, question, told) => (question === 3 ? 5 : told));
    expect(nextAnswer(desk, card)).toBe(1);
  });
});

test("the next report is of the same homework; by question, the next student's", () => {
  expect(nextReport(ofReport(1, [[1, 4]], 6), [])).toBe(6);
  const desk = ofQuestion(
    12,
    [
      [12, 4],
      [13, 4],
    ],
    13,
  );
  expect(nextReport(desk, cardOf(desk))).toBe(13);
  expect(nextReport(ofQuestion(12, [[12, 4]], null), [])).toBeNull();
});

test('another question drops the undo list, another student restarts it', () => {
  expect(addressOfPlace(ofReport(1, [[1, 4]]), 3)).toMatchObject({ report_id: 1, ques_id: 3, batch: undefined });
  expect(addressOfPlace(ofQuestion(12, [], null), 13)).toMatchObject({ report_id: 13, ques_id: 9 });
});
