/** The homework of a lesson or of a group class; what is recalled is out of reach. */

import type { SessionHomework } from '#server/homework/contract.ts';
import { recalled } from '#server/homework/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { rowAction } from '../ui/button.tsx';
import type { Column } from '../ui/list-table.tsx';
import styles from './session.module.css';

const counted = ({ hw_status }: SessionHomework, count: number | string) => (hw_status === recalled ? '-' : count);

export function homeworkColumns(timezone: string): Column<SessionHomework>[] {
  return [
    {
      key: 'name',
      header: '作业名称',
      minWidth: 160,
      cell: (row) => (
        <>
          {row.name}
          {row.hw_status === recalled && <span className={styles.recalled}>已撤回</span>}
        </>
      ),
    },
    { key: 'notRevise', header: '未批改', align: 'right', cell: (row) => counted(row, row.notRevise) },
    { key: 'revised', header: '已批改', align: 'right', cell: (row) => counted(row, row.revised) },
    {
      key: 'submit',
      header: '提交/应交',
      align: 'right',
      cell: (row) => counted(row, `${row.submit}/${row.shouldSubmit}`),
    },
    { key: 'ending', header: '截止时间', nowrap: true, cell: (row) => formatTime(row.ending_time, timezone) },
    { key: 'publish', header: '发布时间', nowrap: true, cell: (row) => formatTime(row.publish_time, timezone) },
    { key: 'creator', header: '发布人', minWidth: 60, cell: (row) => row.creator_name },
    {
      key: 'actions',
      header: '操作',
      cell: (row) =>
        row.hw_status === recalled ? (
          <button type="button" className={rowAction} disabled title="作业已撤回">
            查看
          </button>
        ) : (
          <a
            className={rowAction}
            href={homeworkDetail.href({ hw_id: row.hw_id, class_id: 0, from: 'arrange' })}
            aria-label={`查看${row.name}`}
          >
            查看
          </a>
        ),
    },
  ];
}
