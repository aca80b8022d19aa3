/** Exports the transcript as a spreadsheet, with the same filter as its list. */

import { rateMode, reportStatus } from '#server/grading/rules.ts';
import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { Database } from '#server/platform/db/engine.ts';
import type { SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import { changeWord } from './rules.ts';
import { reportScope, type Scope } from './scope.ts';
import type { TranscriptFilter, TranscriptRow } from './transcript.contract.ts';
import {
  type TranscriptReport,
  transcriptContext,
  transcriptReports,
  transcriptRows,
  transcriptTotal,
} from './transcript.ts';

/** Label of the status: a report that is not graded yet is labelled as not submitted. */
const statusName = ({ status }: TranscriptRow) => (status === reportStatus.graded ? '已批改' : '未提交');

/**
 * Exports the transcript; returns the address of the file. 404: the actor does not see the homework or the class. 409:
 * the homework is recalled.
 */
export async function exportTranscript(
  surroundings: ExportContext,
  request: { homeworkId: number; classId: number | undefined },
  filter: TranscriptFilter,
): Promise<{ url: string } | Refusal> {
  const { db, actor } = surroundings;
  const found = await reportScope(db, actor, request);
  if (isRefusal(found)) return found;
  const scope: Scope = found;
  const columns = columnsFor(scope.mode === rateMode);
  const context = await transcriptContext(db, scope);
  async function* rows(progress: (done: number) => void): AsyncGenerator<SpreadsheetRow> {
    let done = 0;
    for await (const reports of everyReport(db, scope, filter)) {
      for (const row of await transcriptRows(db, actor, reports, context)) yield cellsOf(columns, row);
      done += reports.length;
      progress(done);
    }
  }
  return makeSpreadsheet(surroundings, {
    name: `${scope.homework.name}-成绩单.xlsx`,
    total: await transcriptTotal(db, scope, filter),
    sheets: (progress) => [{ name: '成绩单', columns: columnForms(columns), rows: rows(progress) }],
  });
}

const percentToShare = (percent: number | null) => (percent === null ? null : percent / 100);

function columnsFor(rated: boolean): ExportColumn<TranscriptRow>[] {
  const figures: ExportColumn<TranscriptRow>[] = rated
    ? [
        { header: '正确率', type: 'percent', width: 10, cell: (row) => percentToShare(row.user_rate) },
        { header: '客观题正确率', type: 'percent', width: 14, cell: (row) => percentToShare(row.objective_rate) },
        { header: '主观题正确率', type: 'percent', width: 14, cell: (row) => percentToShare(row.subjective_rate) },
      ]
    : [
        { header: '总分', type: 'score', width: 10, cell: (row) => row.user_score },
        { header: '客观题得分', type: 'score', width: 12, cell: (row) => row.objective_score },
        { header: '主观题得分', type: 'score', width: 12, cell: (row) => row.subjective_score },
      ];
  return [
    { header: '学生姓名', type: 'text', width: 20, cell: (row) => row.nickname },
    { header: '学号或手机尾号', type: 'text', width: 16, cell: (row) => row.identifier },
    { header: '班级', type: 'text', width: 24, cell: (row) => row.class_name },
    { header: '状态', type: 'text', width: 10, cell: statusName },
    {
      header: '用时（分钟）',
      type: 'number',
      width: 14,
      cell: (row) => (row.answer_time === null ? null : Math.floor(row.answer_time / 60)),
    },
    { header: '排名', type: 'number', width: 8, cell: (row) => row.rank },
    ...figures,
    {
      header: '提交时间',
      type: 'datetime',
      width: 20,
      cell: (row) => (row.status === reportStatus.graded && row.updated_at > 0 ? row.updated_at : null),
    },
    { header: '较此前作业（百分点）', type: 'number', width: 20, cell: (row) => row.change },
    {
      header: '进步情况',
      type: 'text',
      width: 12,
      cell: ({ change }) => (change === null ? null : changeWord(change)),
    },
  ];
}

/** Number of reports that are read at a time, with earlier scores of their students: some milliseconds of work. */
const chunk = 100;

/**
 * Yields the reports in the order of the transcript. Each chunk continues after the last row (keyset pagination), so
 * that a report that is graded meanwhile neither repeats nor skips another.
 */
async function* everyReport(db: Database, scope: Scope, filter: TranscriptFilter): AsyncGenerator<TranscriptReport[]> {
  const statuses = filter.status === undefined ? ([3, 2, 1] as const) : [filter.status];
  for (const status of statuses) {
    let last: TranscriptReport | undefined;
    do {
      const behind = last;
      const rows: TranscriptReport[] = await transcriptReports(db, scope, filter)
        .where('report.status', '=', status)
        .$if(behind !== undefined, (reports) => {
          const { user_score, student_id } = behind as TranscriptReport;
          return reports
            .where('report.user_score', '<=', user_score)
            .where((eb) => eb.or([eb('report.user_score', '<', user_score), eb('report.student_id', '>', student_id)]));
        })
        .orderBy('report.user_score', 'desc')
        .orderBy('report.student_id')
        .limit(chunk)
        .execute();
      if (rows.length > 0) yield rows;
      last = rows.length < chunk ? undefined : rows.at(-1);
    } while (last);
  }
}
