/** Columns of study figures, for class statistics and for a student's courses. */
import type { StudyFigures, studySortFields } from '#server/attendance/contract.ts';
import { formatWholeMinutes } from '../lib/amounts.ts';
import { numberColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { figureRules } from './terms.ts';

/** Columns of study figures. `hasTime` is true for rows that have study length and progress. */
export function figureColumns<Row extends StudyFigures>(
  hasTime: (row: Row) => boolean,
  /** True if the list can be sorted by these columns. */
  sorted = false,
): Column<Row>[] {
  const by = (sortField: (typeof studySortFields)[number]) => (sorted ? { sortField } : {});
  return [
    numberColumn('study_length', '学习时长', (row) => (hasTime(row) ? formatWholeMinutes(row.study_length) : '-'), {
      ...by('study_length'),
      hint: figureRules.study,
    }),
    numberColumn('progress_rate', '学习进度', (row) => (hasTime(row) ? `${row.progress_rate}%` : '-'), {
      ...by('progress_rate'),
      hint: figureRules.study,
    }),
    numberColumn('attend_times', '出勤次数', (row) => row.attend_times, {
      ...by('attend_times'),
      hint: figureRules.attend,
    }),
    numberColumn('leave_times', '请假次数', (row) => row.leave_times, {
      ...by('leave_times'),
      hint: figureRules.leave,
    }),
    numberColumn('truant_times', '旷课次数', (row) => row.truant_times, {
      ...by('truant_times'),
      hint: figureRules.truant,
    }),
    numberColumn('uncalled_times', '未点名次数', (row) => row.uncalled_times, {
      ...by('uncalled_times'),
      hint: figureRules.uncalled,
    }),
    numberColumn('homework', '作业提交/布置', (row) => `${row.hw_submit_times}/${row.hw_assign_times}`, {
      ...by('hw_submit_times'),
      hint: figureRules.homework,
    }),
  ];
}
