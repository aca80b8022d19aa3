import { meetingMessages, statisticsFault } from '#server/meetings/rules.ts';

/** 班会: list, entering, statistics, join codes, and for head teachers arranging them. */

import { Button } from '@mantine/core';
import type { Meeting } from '#server/meetings/contract.ts';
import type { AddressOf } from '../../lib/address.ts';
import { formatTime } from '../../lib/dates.ts';
import { liveRoom } from '../../live/screens.ts';
import meeting from '../../meetings/meeting.module.css';
import { meetingCodes, meetingDeletion, meetingFigures, meetingForm } from '../../meetings/screens.ts';
import { liveStatusNames } from '../../meetings/terms.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/list-table.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classMeetings } from '../screens.ts';
import styles from './tabs.module.css';

export function MeetingTab({ shown: { meetings }, klass }: TabProps<'meeting'>) {
  const timezone = useTimezone();
  const view = useAddress(classMeetings);
  return (
    <>
      <h2 className="visually-hidden">班会</h2>
      {klass.is_header_teacher === 1 && (
        <div className={styles.toolbar}>
          <Button component="a" href={meetingForm.href({ class_id: klass.id })}>
            添加班会
          </Button>
        </div>
      )}
      <List
        view={view}
        result={meetings}
        caption="班会列表"
        columns={columnsFor(view.here, klass.id, timezone)}
        nothing="暂无班会"
      />
    </>
  );
}

function columnsFor(here: AddressOf<typeof classMeetings>, classId: number, timezone: string): Column<Meeting>[] {
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
      cell: (row) => <Actions row={row} classId={classId} here={here} />,
    },
  ];
}

function Actions({ row, classId, here }: { row: Meeting; classId: number; here: AddressOf<typeof classMeetings> }) {
  const { id, meeting_name: name, live_status, is_can_edit, is_can_enter } = row;
  const noStatistics = statisticsFault(row);
  return (
    <div className={styles.actions}>
      {is_can_enter === 1 && (
        <a href={liveRoom.href({ type: 'meeting', id })} className={rowAction} aria-label={`进入${name}`}>
          进入
        </a>
      )}
      {is_can_enter === 0 && live_status !== 3 && (
        <button type="button" disabled className={rowAction} title={meetingMessages.entry}>
          进入
        </button>
      )}
      {noStatistics ? (
        <button type="button" disabled className={rowAction} title={noStatistics}>
          统计
        </button>
      ) : (
        <a href={meetingFigures.href({ id })} className={rowAction} aria-label={`${name}的统计`}>
          统计
        </a>
      )}
      <a href={meetingCodes.href(here, { meeting: id })} className={rowAction} aria-label={`${name}的参会码`}>
        参会码
      </a>
      {is_can_edit === 1 && live_status !== 3 && (
        <a href={meetingForm.href({ class_id: classId, id })} className={rowAction} aria-label={`编辑${name}`}>
          编辑
        </a>
      )}
      {is_can_edit === 1 && (
        <a href={meetingDeletion.href(here, { meeting: id })} className={rowAction} aria-label={`删除${name}`}>
          删除
        </a>
      )}
    </div>
  );
}
