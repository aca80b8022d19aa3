/** ClassMeetingStatistics (document 3, section 2): `/classes/meeting/statistics?id=`, who came and who did not. */
import { data } from 'react-router';
import { meetingStatistics, type Participant } from '#server/meetings/contract.ts';
import { api } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { formatTime } from '../lib/dates.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/statistics';
import styles from './meeting.module.css';
import { liveStatusNames } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '班会统计' }] };

export const meta: Route.MetaFunction = () => [{ title: '班会统计 · 教学后台' }];

const shownKinds = ['all', 'joined', 'absent'] as const;

export async function loader({ context, url }: Route.LoaderArgs) {
  const id = url.searchParams.get('id') ?? '0';
  const { list, ...meeting } = await context.get(api).send(meetingStatistics, { params: { id } });
  if (meeting.live_status === 1) throw data({ msg: '班会尚未开始，暂无统计' }, { status: 409 });
  const shown = shownKinds.find((kind) => kind === url.searchParams.get('show')) ?? 'all';
  const rows = list.filter(({ is_join }) => shown === 'all' || is_join === (shown === 'joined' ? 1 : 0));
  return { meeting, shown, rows, total: list.length };
}

export default function ClassMeetingStatistics({ loaderData }: Route.ComponentProps) {
  const { meeting, shown, rows, total } = loaderData;
  const timezone = useTimezone();
  const here = `/classes/meeting/statistics?id=${meeting.id}`;
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{meeting.meeting_name}</h1>
          <p>
            {formatTime(meeting.start_time, timezone)} 至 {formatTime(meeting.end_time, timezone)}　主持人：
            {meeting.teacher_name}{' '}
            <span className={styles.state} data-status={meeting.live_status}>
              {liveStatusNames[meeting.live_status]}
            </span>
          </p>
          <dl className={styles.figures}>
            <div>
              <dt>参会</dt>
              <dd>{meeting.join_num}</dd>
            </div>
            <div>
              <dt>未参会</dt>
              <dd>{meeting.not_join_num}</dd>
            </div>
          </dl>
        </div>
        <a href={classAddress(meeting.class_id, 'meeting')} className={buttonClass('plain')}>
          返回班会
        </a>
      </header>
      <Tabs
        label="参会情况"
        current={shown}
        tabs={[
          { key: 'all', label: `全部 ${total}`, href: here },
          { key: 'joined', label: `参会 ${meeting.join_num}`, href: `${here}&show=joined` },
          { key: 'absent', label: `未参会 ${meeting.not_join_num}`, href: `${here}&show=absent` },
        ]}
      />
      <ListTable
        caption="参会情况"
        columns={columnsFor(timezone)}
        rows={rows}
        rowKey={({ id }) => id}
        empty={shown === 'joined' ? '没有学员参会' : shown === 'absent' ? '没有未参会的学员' : '班级没有学员'}
      />
    </main>
  );
}

const columnsFor = (timezone: string): Column<Participant>[] => [
  { key: 'nickname', header: '昵称', cell: ({ nickname }) => nickname },
  { key: 'mobile', header: '手机号', nowrap: true, cell: ({ mobile }) => mobile || '-' },
  { key: 'join', header: '是否参会', nowrap: true, cell: ({ is_join }) => (is_join === 1 ? '参会' : '未参会') },
  { key: 'time', header: '首次进入时间', nowrap: true, cell: ({ join_time }) => formatTime(join_time, timezone) },
];
