/** Exports student statistics as a spreadsheet, and the submissions that a figure of the question statistics counts. */

import { isRefusal, type Refusal } from '#server/platform/calls/outcome.ts';
import type { SpreadsheetRow } from '#server/platform/export/spreadsheet.ts';
import {
  cellsOf,
  columnForms,
  type ExportColumn,
  type ExportContext,
  makeSpreadsheet,
} from '#server/platform/export/spreadsheet-file.ts';
import { type AnswerQuery, answerList } from './answer-students.ts';
import { studentList } from './reports.ts';
import type { ExamAnswerGroup, ExamAnswerRow, ExamExportFilter, ExamStudentRow } from './statistics.contract.ts';

const yesOrNo = (flag: 0 | 1) => (flag === 1 ? '是' : '否');
const passNames = { 1: '及格', 2: '不及格' } as const;
/** Null for a graded report of an exam without scores, which has no result. */
const passName = ({ is_pass, test_status }: ExamStudentRow) =>
  is_pass === 0 ? (test_status === 2 ? '待批改' : null) : passNames[is_pass];

const columns: ExportColumn<ExamStudentRow>[] = [
  { header: '排名', type: 'number', width: 8, cell: (row) => row.ranking },
  { header: '学员姓名', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '学号或手机尾号', type: 'text', width: 16, cell: (row) => row.identifier },
  { header: '学校', type: 'text', width: 24, cell: (row) => row.school_name },
  { header: '总分', type: 'score', width: 8, cell: (row) => row.score },
  { header: '得分', type: 'score', width: 8, cell: (row) => (row.test_status === 2 ? null : row.user_score) },
  { header: '客观题得分', type: 'score', width: 12, cell: (row) => row.objective_score },
  {
    header: '主观题得分',
    type: 'score',
    width: 12,
    cell: (row) => (row.test_status === 2 ? null : row.subjective_score),
  },
  { header: '用时（分钟）', type: 'number', width: 14, cell: (row) => Math.floor(row.answer_time / 60) },
  { header: '提交时间', type: 'datetime', width: 20, cell: (row) => row.submit_time },
  { header: '考试结果', type: 'text', width: 10, cell: passName },
  { header: '完成条件', type: 'text', width: 10, cell: (row) => yesOrNo(row.is_finish_conditions) },
  { header: '作答次数', type: 'number', width: 10, cell: (row) => row.answer_nums },
  { header: '有效成绩', type: 'text', width: 10, cell: (row) => yesOrNo(row.is_effective) },
];

/** Reports converted at a time; takes a few milliseconds, so that other requests are not held up. */
const chunk = 500;

interface Reports<Row> {
  ids: () => Promise<number[]>;
  rows: (reportIds: readonly number[]) => Promise<Row[]>;
}

async function* rowsOf<Row>(
  list: Reports<Row>,
  columns: readonly ExportColumn<Row>[],
  progress: (done: number) => void,
): AsyncGenerator<SpreadsheetRow> {
  // The ids are read once at the beginning, so that a report graded meanwhile still appears exactly once.
  const ids = await list.ids();
  for (let from = 0; from < ids.length; from += chunk) {
    for (const row of await list.rows(ids.slice(from, from + chunk))) yield cellsOf(columns, row);
    progress(Math.min(from + chunk, ids.length));
  }
}

/** Exports the filtered and sorted list. */
export async function exportStudents(
  surroundings: ExportContext,
  filter: ExamExportFilter,
): Promise<{ url: string } | Refusal> {
  const list = await studentList(surroundings.db, surroundings.actor, filter);
  if (isRefusal(list)) return list;
  return makeSpreadsheet(surroundings, {
    name: `${list.exam.name}-学员统计.xlsx`,
    total: list.total,
    sheets: (progress) => [{ name: '学员统计', columns: columnForms(columns), rows: rowsOf(list, columns, progress) }],
  });
}

const answerTitles: Record<ExamAnswerGroup, string> = {
  part: '部分正确学员',
  wrong: '答错学员',
  unanswered: '未作答学员',
  waiting: '待批改学员',
};

const answerColumns: ExportColumn<ExamAnswerRow>[] = [
  { header: '学员姓名', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '学校', type: 'text', width: 24, cell: (row) => row.school_name },
  { header: '手机号', type: 'text', width: 16, cell: (row) => row.mobile },
  { header: '得分', type: 'score', width: 8, cell: (row) => row.score },
  { header: '提交时间', type: 'datetime', width: 20, cell: (row) => row.submit_time },
];

/** Exports the submissions; returns the address of the file. 404: no such exam, or no question of it with an answer. */
export async function exportAnswers(
  surroundings: ExportContext,
  asked: AnswerQuery,
): Promise<{ url: string } | Refusal> {
  const { db, actor } = surroundings;
  const list = await answerList(db, actor, asked);
  if (isRefusal(list)) return list;
  const title = answerTitles[asked.group];
  return makeSpreadsheet(surroundings, {
    name: `${list.exam.name}-第${list.number}题-${title}.xlsx`,
    total: list.total,
    sheets: (progress) => [
      { name: title, columns: columnForms(answerColumns), rows: rowsOf(list, answerColumns, progress) },
    ],
  });
}
