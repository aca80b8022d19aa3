/** Student statistics as a spreadsheet: what is filtered and sorted is exported. */

import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import { type StudentList, studentList } from './reports.ts';
import type { ExamExportFilter, ExamStudentRow } from './statistics.contract.ts';

const yes = (flag: 0 | 1) => (flag === 1 ? '是' : '否');
const passNames = { 0: '待批改', 1: '及格', 2: '不及格' } as const;

const columns: ExportColumn<ExamStudentRow>[] = [
  { header: '排名', type: 'number', width: 8, cell: (row) => row.ranking },
  { header: '学员姓名', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '学校', type: 'text', width: 24, cell: (row) => row.school_name },
  { header: '总分', type: 'score', width: 8, cell: (row) => row.score },
  { header: '得分', type: 'score', width: 8, cell: (row) => (row.ranking === null ? null : row.user_score) },
  { header: '客观题得分', type: 'score', width: 12, cell: (row) => row.objective_score },
  {
    header: '主观题得分',
    type: 'score',
    width: 12,
    cell: (row) => (row.ranking === null ? null : row.subjective_score),
  },
  { header: '用时（分钟）', type: 'number', width: 14, cell: (row) => Math.floor(row.answer_time / 60) },
  { header: '提交时间', type: 'datetime', width: 20, cell: (row) => row.submit_time },
  { header: '考试结果', type: 'text', width: 10, cell: (row) => passNames[row.is_pass] },
  { header: '完成条件', type: 'text', width: 10, cell: (row) => yes(row.is_finish_conditions) },
  { header: '作答次数', type: 'number', width: 10, cell: (row) => row.answer_nums },
  { header: '有效成绩', type: 'text', width: 10, cell: (row) => yes(row.is_effective) },
];

/** Reports that are read at once: a few milliseconds of the request loop. */
const chunk = 500;

export async function exportStudents(
  surroundings: ExportContext,
  filter: ExamExportFilter,
): Promise<{ url: string } | Refusal> {
  const found = await studentList(surroundings.db, surroundings.actor, filter);
  if (isRefusal(found)) return found;
  const list: StudentList = found;
  async function* rows(progress: (done: number) => void): AsyncGenerator<SpreadsheetRow> {
    // The order is taken once, so that a report which is graded meanwhile comes exactly once.
    const ids = await list.ids();
    for (let from = 0; from < ids.length; from += chunk) {
      for (const row of await list.rows(ids.slice(from, from + chunk))) yield cellsOf(columns, row);
      progress(Math.min(from + chunk, ids.length));
    }
  }
  return makeSpreadsheet(surroundings, {
    name: `${list.exam.name}-学员统计.xlsx`,
    total: list.total,
    sheets: (progress) => [{ name: '学员统计', columns: columnForms(columns), rows: rows(progress) }],
  });
}
