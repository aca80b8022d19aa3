/** 班会 (document 3, section 2): list, entering, statistics, join codes, and for head teachers arranging them. */
import { isRunning } from '#server/classes/contract.ts';
import type { Meeting } from '#server/meetings/contract.ts';
import { formatTime } from '../../lib/dates.ts';
import meeting from '../../meetings/meeting.module.css';
import { liveStatusNames } from '../../meetings/terms.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass, rowAction } from '../../ui/button.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { loadMeetingTab } from './meeting.server.ts';
import { classAddress, classSearch, type TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function MeetingTab({ data: meetings, klass, now }: TabViewProps<typeof loadMeetingTab>) {
  const timezone = useTimezone();
  return (
    <>
      <h2 className="visually-hidden">班会</h2>
      {klass.is_header_teacher === 1 && isRunning(klass, now) && (
        <div className={styles.toolbar}>
          <a href={`/classes/meeting?class_id=${klass.id}`} className={buttonClass('primary')}>
            添加班会
          </a>
        </div>
      )}
      <ListTable
        caption="班会列表"
        columns={columnsFor(klass.id, classSearch(klass.id, 'meeting', { page: meetings.page }), timezone)}
        rows={meetings.list}
        rowKey={({ id }) => id}
        empty="暂无班会"
      />
      <Pager {...meetings} href={(page) => classAddress(klass.id, 'meeting', { page })} />
    </>
  );
}

function columnsFor(classId: number, search: string, timezone: string): Column<Meeting>[] {
  return [
    {
      key: 'name',
      header: '班会名称',
      minWidth: 160,
      cell: ({ meeting_name }) => <span className={meeting.name}>{meeting_name}</span>,
    },
    { key: 'start', header: '开始时间', nowrap: true, cell: (row) => formatTime(row.start_time, timezone) },
    { key: 'end', header: '结束时间', nowrap: true, cell: (row) => formatTime(row.end_time, timezone) },
    {
      key: 'status',
      header: '状态',
      nowrap: true,
      cell: ({ live_status }) => (
        <span className={meeting.state} data-status={live_status}>
          {liveStatusNames[live_status]}
        </span>
      ),
    },
    {
      key: 'joined',
      header: '参会/未参会',
      nowrap: true,
      align: 'right',
      cell: ({ live_status, join_num, not_join_num }) => (live_status === 1 ? '-' : `${join_num}/${not_join_num}`),
    },
    { key: 'teacher', header: '主持人', minWidth: 80, cell: ({ teacher_name }) => teacher_name },
    {
      key: 'actions',
      header: '操作',
      minWidth: 236,
      cell: (row) => <Actions row={row} classId={classId} search={search} />,
    },
  ];
}

function Actions({ row, classId, search }: { row: Meeting; classId: number; search: string }) {
  const { id, meeting_name: name, live_status, is_can_edit, is_can_enter } = row;
  const dialog = (which: 'codes' | 'delete') => `/classes/detail/meeting/${id}/${which}${search}`;
  return (
    <div className={styles.actions}>
      {is_can_enter === 1 && (
        <a href={`/live?type=meeting&id=${id}`} className={rowAction} aria-label={`进入${name}`}>
          进入
        </a>
      )}
      {is_can_enter === 0 && live_status !== 3 && (
        <button type="button" disabled className={rowAction} title="仅该班级的班主任和助教可进入班会">
          进入
        </button>
      )}
      {live_status === 1 ? (
        <button type="button" disabled className={rowAction} title="班会尚未开始，暂无统计">
          统计
        </button>
      ) : (
        <a href={`/classes/meeting/statistics?id=${id}`} className={rowAction} aria-label={`${name}的统计`}>
          统计
        </a>
      )}
      <a href={dialog('codes')} className={rowAction} aria-label={`${name}的参会码`}>
        参会码
      </a>
      {is_can_edit === 1 && live_status !== 3 && (
        <a href={`/classes/meeting?class_id=${classId}&id=${id}`} className={rowAction} aria-label={`编辑${name}`}>
          编辑
        </a>
      )}
      {is_can_edit === 1 && (
        <a href={dialog('delete')} className={rowAction} aria-label={`删除${name}`}>
          删除
        </a>
      )}
    </div>
  );
}
