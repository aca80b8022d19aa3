/** List of leave requests: decides one or many waiting ones, or undoes a decision. */

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LeaveBatch, LeaveRow } from '#server/attendance/leave.contract.ts';
import { leaveBatchLimit, opStatusNames } from '#server/attendance/rules.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import type { ListView } from '../lib/list-view.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import type { Filters } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { Hint } from '../ui/hint.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag, type TagTone } from '../ui/tag.tsx';
import { UndoLine } from '../ui/undo-line.tsx';
import styles from './leave-list.posts.module.css';
import { leaveDecision, type leaveLists, requestAnchor } from './screens.ts';
import { decisionMessage, leaveStatusNames, periodStatusNames } from './terms.ts';

/** Id of the form that the checkboxes belong to. */
const decisionForm = 'leave-decision';

interface LeaveListProps<Row extends LeaveRow> {
  view: ListView;
  /** Address of the list. The dialog for decisions opens over it. */
  here: AddressOf<typeof leaveLists>;
  result: Page<Row>;
  /** Number of waiting requests. 0 (also if it is unknown) hides the button “全选”. */
  pending: number;
  /** Returns the address of the list with its first `limit` waiting requests ticked. */
  allChosen: (limit: number) => string;
  /** Address of the list with no request ticked. */
  noneChosen: string;
  /** True if all waiting requests shown are ticked. */
  isAllChosen: boolean;
  /** Ids of the ticked requests, if not all are ticked. */
  ticked: readonly number[];
  /** Decisions that can be undone, the latest first. */
  undoable: readonly LeaveBatch[];
  idempotencyKey: string;
  /** Columns between the names and the lessons. */
  columns?: Column<Row>[];
  /** True if the list can be sorted by status. */
  isSorted?: boolean;
  nothing: ReactNode;
  filtering?: { filters: Filters; nothingFound: ReactNode };
}

export function LeaveList<Row extends LeaveRow>({
  view,
  here,
  result,
  pending,
  allChosen,
  noneChosen,
  isAllChosen,
  ticked,
  undoable,
  idempotencyKey,
  columns = [],
  isSorted = false,
  nothing,
  filtering,
}: LeaveListProps<Row>) {
  const waits = result.list.some(({ op_status }) => op_status === 1);
  return (
    <div data-live="leave">
      <List<Row>
        view={view}
        result={result}
        caption="请假列表"
        columns={columnsFor(result.list, isAllChosen ? undefined : ticked, columns, isSorted)}
        nothing={nothing}
        around={(rows) => (
          <Form action={here} idempotencyKey={idempotencyKey}>
            {rows}
          </Form>
        )}
        filters={filtering?.filters}
        nothingFound={filtering?.nothingFound}
        actions={
          // A GET form: opens the confirmation dialog with the ticked requests.
          <AddressForm id={decisionForm} href={leaveDecision.href(here, { boxes: 1 })}>
            <Button
              type="submit"
              name="op_status"
              value="2"
              variant={isAllChosen || ticked.length > 0 ? undefined : 'default'}
              disabled={!waits}
            >
              批量同意
            </Button>
            <Button type="submit" name="op_status" value="3" variant="default" disabled={!waits}>
              批量拒绝
            </Button>
            {isAllChosen ? (
              <Button component="a" href={noneChosen} variant="default">
                取消全选
              </Button>
            ) : (
              pending > 0 && <ChooseAll pending={pending} href={allChosen} />
            )}
          </AddressForm>
        }
      />
      {undoable.length > 0 && <Decided undoable={undoable} here={here} idempotencyKey={idempotencyKey} />}
    </div>
  );
}

/** Recent decisions with undo buttons. Shown below the rows, so that no row moves. */
function Decided({
  undoable,
  here,
  idempotencyKey,
}: Pick<LeaveListProps<LeaveRow>, 'undoable' | 'here' | 'idempotencyKey'>) {
  const [latest, ...earlier] = undoable.map(({ batch_id, op_status, count, name, until }) => (
    <UndoLine
      key={batch_id}
      did={`${decisionMessage(op_status, count)}（${name}${count > 1 ? '等' : ''}）`}
      until={until}
      id={batch_id}
      action={here}
      idempotencyKey={`${idempotencyKey} ${batch_id}`}
    />
  ));
  return (
    <div className={styles.decided} role="status">
      {latest}
      {earlier.length > 0 && (
        <details>
          <summary>此前的 {earlier.length} 次审批也可撤销</summary>
          <div>{earlier}</div>
        </details>
      )}
    </div>
  );
}

/** Link to a page that shows waiting requests with all ticked, up to the maximum per decision. */
function ChooseAll({ pending, href }: { pending: number; href: (limit: number) => string }) {
  const chosen = Math.min(pending, leaveBatchLimit);
  return (
    <Button component="a" href={href(Math.max(20, chosen))} variant="default">
      {chosen < pending ? `全选前${chosen}条待审批（共${pending}条）` : `全选待审批（${pending}）`}
    </Button>
  );
}

const leaveTones: Record<number, TagTone> = { 1: 'warn', 2: 'good', 3: 'bad' };

function columnsFor<Row extends LeaveRow>(
  rows: readonly Row[],
  /** Ids of the ticked requests. Undefined if all are ticked. */
  ticked: readonly number[] | undefined,
  further: Column<Row>[],
  isSorted: boolean,
): Column<Row>[] {
  const waiting = rows.flatMap(({ id, op_status }) => (op_status === 1 ? [id] : []));
  const following = new Map(waiting.map((id, place) => [id, waiting[place + 1]]));
  return [
    {
      key: 'choose',
      header: <span className="visually-hidden">选择</span>,
      cell: (row) =>
        row.op_status === 1 && (
          <input
            type="checkbox"
            form={decisionForm}
            name="ids"
            value={row.id}
            defaultChecked={ticked === undefined || ticked.includes(row.id)}
            aria-label={`选择${row.name}的请假申请`}
          />
        ),
    },
    {
      key: 'name',
      header: '学员',
      minWidth: 80,
      cell: ({ id, name }) => (
        <span id={requestAnchor(id)} className={styles.name}>
          {name}
        </span>
      ),
    },
    mobileColumn(),
    ...further,
    {
      key: 'period',
      header: '课程/课时',
      minWidth: 280,
      phone: 'line',
      cell: (row) => (
        <>
          {row.course_basis_title} {row.course_periods_title}
          <SubLine>
            <NearMoment at={row.start_play} /> {periodStatusNames[row.course_periods_status]}
          </SubLine>
        </>
      ),
    },
    {
      key: 'leave_cause',
      header: '请假原因',
      minWidth: 110,
      phone: 'line',
      cell: ({ id, leave_cause }) =>
        leave_cause ? (
          <div className={styles.cause}>
            <Hint id={`cause-${id}`} content={leave_cause}>
              {leave_cause}
            </Hint>
          </div>
        ) : (
          '-'
        ),
    },
    timeColumn('requested_at', '申请时间', (row) => row.requested_at),
    {
      key: 'op_status',
      header: '状态',
      phone: 'bare',
      ...(isSorted && { sortField: 'op_status' }),
      cell: (row) => (
        <>
          <Tag tone={leaveTones[row.op_status] ?? 'plain'}>
            {leaveStatusNames[row.op_status] ?? opStatusNames[row.op_status]}
          </Tag>
          {row.decided_by && (
            <SubLine>
              {row.decided_by} <NearMoment at={row.decided_at} />
            </SubLine>
          )}
        </>
      ),
    },
    actionsColumn(({ id, name, course_periods_title, op_status }) => {
      const recordName = `${name}，${course_periods_title}`;
      if (op_status !== 1) return [];
      // These buttons decide without confirmation: the row shows everything, and the decision can be undone.
      const next = following.get(id) ?? '';
      return [
        { label: '同意', recordName, intent: `approve ${id} ${next}` },
        { label: '拒绝', recordName, intent: `reject ${id} ${next}`, danger: true },
      ];
    }),
  ];
}
