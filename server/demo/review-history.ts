/** The history that a correction leaves (批改记录), as the rules of homework and of exams write it. */
import { answerStatus } from '#server/grading/rules.ts';
import type { RowWriter } from './row-writer.ts';

interface Corrected {
  /** By which names the history knows the report and its answers. */
  records: { report: 'report' | 'exam_report'; answer: 'answer' | 'exam_answer' };
  reportId: number;
  staffId: number;
  /** Unix seconds. */
  at: number;
  answers: { id: number; status: number; score: number | null; comment: string }[];
  /** What the report says before and after it was finished; undefined where it waits. */
  finished: { before: object; after: object } | undefined;
}

export function addReviewHistory(
  writer: RowWriter,
  { records, reportId, staffId, at, answers, finished }: Corrected,
): void {
  for (const { id, comment, ...mark } of answers) {
    // As a real mark: without a comment none is told of.
    const [before, after] = comment === '' ? [{}, {}] : [{ comment: '' }, { comment }];
    writer.add('history', {
      at,
      staff_id: staffId,
      record: records.answer,
      record_id: id,
      action: 'grade',
      before: JSON.stringify({ status: answerStatus.waiting, score: null, ...before }),
      after: JSON.stringify({ ...mark, ...after }),
    });
  }
  if (!finished || answers.length === 0) return;
  writer.add('history', {
    at,
    staff_id: staffId,
    record: records.report,
    record_id: reportId,
    action: 'finish',
    before: JSON.stringify(finished.before),
    after: JSON.stringify(finished.after),
  });
}
