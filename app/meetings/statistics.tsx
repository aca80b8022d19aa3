/** ClassMeetingStatistics: list of the people who attended a meeting. */
import { Button } from '@mantine/core';
import { meetingStatistics, type Participant } from '#server/meetings/contract.ts';
import { api } from '../api/client.server.ts';
import { classManage, classMeetings } from '../classes/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { mobileColumn } from '../ui/columns.tsx';
import { Figures } from '../ui/figures.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { NearMoment, timeColumn } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/statistics';
import { LiveStatusTag } from './live-status-tag.tsx';
import styles from './meeting.posts.module.css';
import { meetingFigures } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '班会统计' }],
};

const tabNames = { all: '全部', joined: '参会', absent: '未参会' } as const;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? titleMeta(`班会统计：${tabNames[loaderData.shown]}`, loaderData.meeting.meeting_name)
    : titleMeta('班会统计');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, show: shown } = meetingFigures.at(url);
  const { list, ...meeting } = await context.get(api).send(meetingStatistics, { params: { id } });
  const rows = list.filter(({ is_join }) => shown === 'all' || is_join === (shown === 'joined' ? 1 : 0));
  return { meeting, shown, rows, total: list.length };
}

export default function ClassMeetingStatistics({ loaderData }: Route.ComponentProps) {
  const { meeting, shown, rows, total } = loaderData;
  const { id } = meeting;
  return (
    <Screen>
      <header className={styles.head}>
        <div>
          <h1>{meeting.meeting_name}</h1>
          <p>
            <NearMoment at={meeting.start_time} /> 至 <NearMoment at={meeting.end_time} />
            　主持人：
            {meeting.teacher_name} <LiveStatusTag status={meeting.live_status} />
          </p>
        </div>
        <Button component="a" href={classMeetings.href({ id: meeting.class_id })} variant="default">
          返回班会
        </Button>
      </header>
      <Figures
        figures={[
          ['参会', meeting.join_num],
          ['未参会', meeting.not_join_num],
        ]}
      />
      <Tabs
        label="参会情况"
        current={shown}
        tabs={[
          { key: 'all', label: `${tabNames.all} ${total}`, href: meetingFigures.href({ id }) },
          {
            key: 'joined',
            label: `${tabNames.joined} ${meeting.join_num}`,
            href: meetingFigures.href({ id, show: 'joined' }),
          },
          {
            key: 'absent',
            label: `${tabNames.absent} ${meeting.not_join_num}`,
            href: meetingFigures.href({ id, show: 'absent' }),
          },
        ]}
      />
      <ListTable
        caption="参会情况"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={shown === 'joined' ? '没有学员参会' : shown === 'absent' ? '没有未参会的学员' : '班级没有学员'}
      />
    </Screen>
  );
}

const columns: Column<Participant>[] = [
  { key: 'nickname', header: '学员', cell: ({ nickname }) => nickname },
  mobileColumn(),
  { key: 'join', header: '是否参会', nowrap: true, cell: ({ is_join }) => (is_join === 1 ? '参会' : '未参会') },
  timeColumn('time', '首次进入时间', ({ join_time }) => join_time),
];
