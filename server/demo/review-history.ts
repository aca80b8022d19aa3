/** Grading history (批改记录), as the real rules write it. */
import { answerStatus } from '#server/grading/rules.ts';
import type { RowWriter } from './row-writer.ts';

interface GradedReport {
  /** History names of report and answer. */
  records: { report: 'report' | 'exam_report'; answer: 'answer' | 'exam_answer' };
  reportId: number;
  staffId: number;
  /** Unix seconds. */
  at: number;
  answers: { id: number; status: number; score: number | null; comment: string }[];
  /** The report before and after it was finished; undefined while it waits. */
  finished: { before: object; after: object } | undefined;
}

export function addReviewHistory(
  writer: RowWriter,
  { records, reportId, staffId, at, answers, finished }: GradedReport,
): void {
  for (const { id, comment, ...mark } of answers) {
    // Without a comment the history has none.
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
