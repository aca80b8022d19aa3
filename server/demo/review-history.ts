/** Adds history rows of grading (批改记录), as grading itself writes them. */
import { answerStatus } from '#server/grading/rules.ts';
import type { RowWriter } from './row-writer.ts';

interface GradedReport {
  /** Names of the report and of the answer in the history. */
  records: { report: 'report' | 'exam_report'; answer: 'answer' | 'exam_answer' };
  reportId: number;
  staffId: number;
  /** When it was graded, unix seconds. */
  at: number;
  answers: { id: number; status: number; score: number | null; comment: string }[];
  /** The report before and after it was finished; undefined while it waits for a grader. */
  finished: { before: object; after: object } | undefined;
}

export function addReviewHistory(
  writer: RowWriter,
  { records, reportId, staffId, at, answers, finished }: GradedReport,
): void {
  for (const { id, comment, ...mark } of answers) {
    // The history row of an answer without a comment does not mention the comment.
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
