import type { TeamStudent } from '#server/group-classes/contract.ts';
import { formatTime } from '../lib/dates.ts';
import type { Column } from '../ui/list-table.tsx';
import { yuan } from './terms.ts';

/** Who has not signed a contract yet has no figures. */
const signed = (row: TeamStudent, value: string | number) => (row.contracts_number ? value : '-');

export function studentColumns(timezone: string): Column<TeamStudent>[] {
  return [
    { key: 'name', header: '学员姓名', minWidth: 110, cell: (row) => row.clue_name },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    { key: 'org', header: '校区', minWidth: 90, cell: (row) => row.org_name },
    { key: 'contract', header: '合同编号', minWidth: 110, cell: (row) => row.contracts_number || '未签合同' },
    { key: 'sign', header: '报名方式', nowrap: true, cell: (row) => signed(row, row.sign_type_name) },
    { key: 'time', header: '剩余课时', align: 'right', cell: (row) => signed(row, row.time) },
    { key: 'price', header: '课时单价', align: 'right', cell: (row) => signed(row, yuan(row.periods_price)) },
    {
      key: 'hours',
      header: '课时时长',
      align: 'right',
      nowrap: true,
      cell: (row) => signed(row, `${row.class_time_hour}小时`),
    },
    { key: 'joined', header: '入班时间', nowrap: true, cell: (row) => formatTime(row.created_at, timezone) },
    { key: 'first', header: '首次上课时间', nowrap: true, cell: (row) => formatTime(row.first_time, timezone) },
  ];
}
