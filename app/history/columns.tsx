/** Columns of the history, for the whole school and for one record. */
import type { Me } from '#server/account/sign-in.contract.ts';
import type { HistoryRow } from '#server/history/contract.ts';
import type { Column } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Changes } from './changes.tsx';
import { recordHref } from './records.ts';
import { historyList } from './screens.ts';

/** `me`: the user who reads the page. A record that this user may not open has no link. */
export function historyColumns(me: Me | undefined): Column<HistoryRow>[] {
  const permissions = me?.permissions ?? [];
  return [
    timeColumn('at', '时间', (row) => row.at),
    {
      key: 'who',
      header: '操作人',
      minWidth: 80,
      phone: 'bare',
      cell: ({ staff_id, who }) => {
        if (staff_id === null) return '系统';
        return permissions.includes('audit') ? <a href={historyList.href({ staff_id })}>{who}</a> : who;
      },
    },
    { key: 'action', header: '动作', nowrap: true, phone: 'name', cell: (row) => row.action_name },
    {
      key: 'record',
      header: '对象',
      minWidth: 160,
      phone: 'line',
      cell: (row) => {
        const href = recordHref(row, permissions);
        return (
          <>
            {href ? <a href={href}>{row.title}</a> : row.title}
            <SubLine>{row.record_name}</SubLine>
          </>
        );
      },
    },
    { key: 'changes', header: '变化', minWidth: 260, phone: 'line', cell: (row) => <Changes row={row} /> },
  ];
}
