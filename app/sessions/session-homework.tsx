/** Columns of the homework of a lesson or group class. Recalled homework has no links. */

import { recalledStatus } from '#server/homework/rules.ts';
import type { SessionHomework } from '#server/homework/session.contract.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Deadline, NearMoment, timeColumn } from '../ui/moment.tsx';
import { Tag } from '../ui/tag.tsx';

const formatCount = ({ hw_status }: SessionHomework, count: number | string) =>
  hw_status === recalledStatus ? '-' : count;

const addressOf = ({ hw_id }: Pick<SessionHomework, 'hw_id'>) =>
  homeworkDetail.href({ hw_id, class_id: 0, from: 'arrange' });

/** If `mayCorrect` is true, the table must be inside a form whose action starts grading. */
export const homeworkColumns = (mayCorrect: boolean): Column<SessionHomework>[] => [
  {
    key: 'name',
    header: '作业名称',
    minWidth: 160,
    cell: (row) => (
      <>
        {row.hw_status === recalledStatus ? row.name : <a href={addressOf(row)}>{row.name}</a>}
        {row.hw_status === recalledStatus && (
          <>
            {' '}
            <Tag tone="bad">已撤回</Tag>
          </>
        )}
      </>
    ),
  },
  numberColumn('notRevise', '未批改', (row) => formatCount(row, row.notRevise)),
  numberColumn('revised', '已批改', (row) => formatCount(row, row.revised)),
  numberColumn('submit', '提交/应交', (row) => formatCount(row, `${row.submit}/${row.shouldSubmit}`)),
  {
    key: 'ending',
    header: '截止时间',
    minWidth: 90,
    cell: (row) =>
      row.hw_status === recalledStatus ? (
        <NearMoment at={row.ending_time} />
      ) : (
        <Deadline at={row.ending_time} over="已截止" />
      ),
  },
  timeColumn('publish', '发布时间', (row) => row.publish_time),
  { key: 'creator', header: '发布人', minWidth: 60, cell: (row) => row.creator_name },
  actionsColumn(({ hw_id, name, hw_status, notRevise }) => [
    mayCorrect &&
      notRevise > 0 &&
      hw_status !== recalledStatus && { label: '去批改', recordName: name, intent: `start ${hw_id}` },
    {
      label: '查看',
      recordName: name,
      href: addressOf({ hw_id }),
      fault: hw_status === recalledStatus ? '作业已撤回' : undefined,
    },
  ]),
];
