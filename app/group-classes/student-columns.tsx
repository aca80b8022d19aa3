import type { TeamStudent } from '#server/group-classes/contract.ts';
import { mobileColumn, numberColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { yuan } from './terms.ts';

/** Formats a figure of a student's contract; a dash if there is none. */
const contractFigure = (row: TeamStudent, value: string | number) => (row.contracts_number ? value : '-');

export const studentColumns: Column<TeamStudent>[] = [
  { key: 'name', header: '学员姓名', minWidth: 110, cell: (row) => row.clue_name },
  mobileColumn(),
  { key: 'org', header: '校区', minWidth: 90, cell: (row) => row.org_name },
  { key: 'contract', header: '合同编号', minWidth: 110, cell: (row) => row.contracts_number || '未签合同' },
  { key: 'sign', header: '报名方式', nowrap: true, cell: (row) => contractFigure(row, row.sign_type_name) },
  numberColumn('time', '剩余课时', (row) => contractFigure(row, row.time)),
  numberColumn('price', '课时单价', (row) => contractFigure(row, yuan(row.periods_price))),
  numberColumn('hours', '课时时长', (row) => contractFigure(row, `${row.class_time_hour}小时`)),
  timeColumn('joined', '入班时间', (row) => row.created_at),
  timeColumn('first', '首次上课时间', (row) => row.first_time),
];
