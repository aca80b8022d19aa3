/** The columns of study figures, shared by the class's statistics and the student's courses. */
import type { StudyCourse } from '#server/attendance/contract.ts';
import type { Column } from '../ui/list-table.tsx';
import { figureRules, minutes } from './terms.ts';

type Figures = Pick<
  StudyCourse,
  | 'study_length'
  | 'progress_rate'
  | 'attend_times'
  | 'leave_times'
  | 'truant_times'
  | 'hw_submit_times'
  | 'hw_assign_times'
>;

/** `hasTime`: whether study length and progress are counted of a row at all. */
export function figureColumns<Row extends Figures>(hasTime: (row: Row) => boolean): Column<Row>[] {
  return [
    {
      key: 'study_length',
      header: '学习时长',
      hint: figureRules.study,
      align: 'right',
      nowrap: true,
      cell: (row) => (hasTime(row) ? minutes(row.study_length) : '-'),
    },
    {
      key: 'progress_rate',
      header: '学习进度',
      hint: figureRules.study,
      align: 'right',
      cell: (row) => (hasTime(row) ? `${row.progress_rate}%` : '-'),
    },
    {
      key: 'attend_times',
      header: '出勤次数',
      hint: figureRules.attend,
      align: 'right',
      cell: (row) => row.attend_times,
    },
    {
      key: 'leave_times',
      header: '请假次数',
      hint: figureRules.leave,
      align: 'right',
      cell: (row) => row.leave_times,
    },
    {
      key: 'truant_times',
      header: '旷课次数',
      hint: figureRules.truant,
      align: 'right',
      cell: (row) => row.truant_times,
    },
    {
      key: 'homework',
      header: '作业提交/布置',
      hint: figureRules.homework,
      align: 'right',
      nowrap: true,
      cell: (row) => `${row.hw_submit_times}/${row.hw_assign_times}`,
    },
  ];
}
