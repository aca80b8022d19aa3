/** Leave requests of a class (document 3, section 2, tab 7): one or many are decided, those that wait only. */
import { type LeaveBatch, type LeaveRow, opStatusNames } from '#server/attendance/contract.ts';
import { leaveStatusNames, lessonStatusNames } from '../../attendance/terms.ts';
import { formatTime } from '../../lib/dates.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass, rowAction } from '../../ui/button.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { Island } from '../../ui/island.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import styles from './leave.module.css';
import type { loadLeaveTab } from './leave.server.ts';
import { classAddress, classSearch, type TabViewProps } from './tab.ts';
import tabStyles from './tabs.module.css';

export function LeaveTab({ data, klass, refused }: TabViewProps<typeof loadLeaveTab>) {
  const { filter, leave, undoable, mark, key } = data;
  const here = (changes = {}) => classAddress(klass.id, 'leave', filter, changes);
  const timezone = useTimezone();
  const waits = leave.list.some(({ op_status }) => op_status === 1);
  const search = new URLSearchParams(classSearch(klass.id, 'leave', filter).slice(1));
  return (
    <>
      {refused && (
        <p className={styles.refused} role="alert">
          {refused.msg}
        </p>
      )}
      <div data-live="leave">
        {undoable && <Undo batch={undoable} action={here()} idempotencyKey={key} timezone={timezone} />}
        {/* A GET form: the chosen requests go to the dialog that asks once more. */}
        <form action="/classes/detail/leave/decide">
          <HiddenFields fields={[...search]} />
          <div className={`${tabStyles.toolbar} no-print`}>
            <button type="submit" name="op_status" value="2" className={buttonClass('primary')} disabled={!waits}>
              批量同意
            </button>
            <button type="submit" name="op_status" value="3" className={buttonClass('plain')} disabled={!waits}>
              批量拒绝
            </button>
          </div>
          <ListTable
            caption="请假列表"
            columns={columnsFor(timezone, `/classes/detail/leave/decide?${search}`)}
            rows={leave.list}
            rowKey={(row) => row.id}
            empty="暂无请假记录"
          />
        </form>
        <Pager {...leave} href={(page) => here({ page })} />
      </div>
      <Island
        name="leave-live.island"
        props={{ stream: `/classes/leave/stream?id=${klass.id}`, mark }}
        fallback={null}
      />
    </>
  );
}

function Undo({
  batch,
  action,
  idempotencyKey,
  timezone,
}: {
  batch: LeaveBatch;
  action: string;
  idempotencyKey: string;
  timezone: string;
}) {
  const did = batch.op_status === 2 ? '同意' : '拒绝';
  return (
    <form method="post" action={action} className={`${styles.undo} no-print`}>
      <span>
        已{did} {batch.count} 条请假申请，{formatTime(batch.until, timezone).slice(-5)} 前可以撤销
      </span>
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <button type="submit" name="undo" value={batch.batch_id} className={buttonClass('plain')}>
        撤销
      </button>
    </form>
  );
}

function columnsFor(timezone: string, decideHref: string): Column<LeaveRow>[] {
  return [
    {
      key: 'choose',
      header: <span className="visually-hidden">选择</span>,
      cell: (row) =>
        row.op_status === 1 && (
          <label className={styles.choose}>
            <input type="checkbox" name="ids" value={row.id} aria-label={`选择${row.name}的请假申请`} />
          </label>
        ),
    },
    { key: 'name', header: '昵称', minWidth: 110, cell: (row) => row.name },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    {
      key: 'period',
      header: '课程/课时',
      minWidth: 180,
      cell: (row) => (
        <>
          {row.course_basis_title}
          <span className={styles.lesson}>{row.course_periods_title}</span>
          <span className={styles.lesson}>
            {formatTime(row.start_play, timezone)} {lessonStatusNames[row.course_periods_status]}
          </span>
        </>
      ),
    },
    {
      key: 'leave_cause',
      header: '请假原因',
      minWidth: 160,
      cell: (row) => <div className={styles.cause}>{row.leave_cause || '-'}</div>,
    },
    {
      key: 'requested_at',
      header: '申请时间',
      nowrap: true,
      cell: (row) => formatTime(row.requested_at, timezone),
    },
    {
      key: 'op_status',
      header: '状态',
      cell: (row) => (
        <>
          <span className={styles.state} data-state={row.op_status}>
            {leaveStatusNames[row.op_status] ?? opStatusNames[row.op_status]}
          </span>
          {row.decided_by && (
            <span className={styles.lesson}>
              {row.decided_by} {formatTime(row.decided_at, timezone)}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: (row) =>
        row.op_status === 1 && (
          <div className={styles.actions}>
            <a className={rowAction} href={`${decideHref}&op_status=2&ids=${row.id}`}>
              同意
            </a>
            <a className={rowAction} href={`${decideHref}&op_status=3&ids=${row.id}`}>
              拒绝
            </a>
          </div>
        ),
    },
  ];
}
