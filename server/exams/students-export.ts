/** Student statistics as a spreadsheet: what is filtered and sorted is exported (document 2, section 7). */
import type { Actor } from '#server/auth/sign-in.ts';
import type { Database } from '#server/db/engine.ts';
import { makeFile } from '#server/export/export-file.ts';
import {
  type SpreadsheetCell,
  type SpreadsheetColumn,
  type SpreadsheetRow,
  spreadsheetContentType,
  writeSpreadsheet,
} from '#server/export/spreadsheet.ts';
import type { Storage } from '#server/files/storage.ts';
import type { Log } from '#server/http/log.ts';
import { isRefusal, type Refusal } from '#server/http/outcome.ts';
import type { ExamExportFilter, ExamStudentRow } from './contract.ts';
import { type StudentList, studentList } from './reports.ts';

interface Surroundings {
  db: Database;
  storage: Storage;
  log: Log;
  actor: Actor;
  now: number;
  timezone: string;
}

interface ExportColumn extends SpreadsheetColumn {
  width: number;
  cell: (row: ExamStudentRow) => SpreadsheetCell;
}

const yes = (flag: 0 | 1) => (flag === 1 ? '是' : '否');
const passNames = { 0: '待批改', 1: '及格', 2: '不及格' } as const;

const columns: ExportColumn[] = [
  { header: '排名', type: 'number', width: 8, cell: (row) => row.ranking },
  { header: '学员姓名', type: 'text', width: 20, cell: (row) => row.nickname },
  { header: '学校', type: 'text', width: 24, cell: (row) => row.school_name },
  { header: '总分', type: 'number', width: 8, cell: (row) => row.score },
  { header: '得分', type: 'number', width: 8, cell: (row) => (row.ranking === null ? null : row.user_score) },
  { header: '客观题得分', type: 'number', width: 12, cell: (row) => row.objective_score },
  {
    header: '主观题得分',
    type: 'number',
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
  { db, storage, log, actor, now, timezone }: Surroundings,
  filter: ExamExportFilter,
): Promise<{ url: string } | Refusal> {
  const found = await studentList(db, actor, filter);
  if (isRefusal(found)) return found;
  const list: StudentList = found;
  const form = columns.map(({ header, type, width }) => ({ header, type, width }));
  return makeFile(
    { db, storage, log },
    {
      staffId: actor.id,
      now,
      name: `${list.exam.name}-学员统计.xlsx`,
      contentType: spreadsheetContentType,
      extension: 'xlsx',
      total: list.total,
      write(progress) {
        async function* rows(): AsyncGenerator<SpreadsheetRow> {
          // The order is taken once, so that a report which is graded meanwhile comes exactly once.
          const ids = await list.ids();
          for (let from = 0; from < ids.length; from += chunk) {
            for (const row of await list.rows(ids.slice(from, from + chunk)))
              yield columns.map(({ cell }) => cell(row));
            progress(Math.min(from + chunk, ids.length));
          }
        }
        return writeSpreadsheet({ sheets: [{ name: '学员统计', columns: form, rows: rows() }], timeZone: timezone });
      },
    },
  );
}
