/** Tab 班会: class meetings with links to enter, statistics and join codes. Head teachers can arrange meetings. */
import { Button } from '@mantine/core';
import type { Meeting } from '#server/meetings/contract.ts';
import { meetingMessages, statisticsFault } from '#server/meetings/rules.ts';
import { liveRoom } from '../../live/screens.ts';
import { LiveStatusTag } from '../../meetings/live-status-tag.tsx';
import { meetingCodes, meetingDeletion, meetingFigures, meetingForm } from '../../meetings/screens.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classMeetings } from '../screens.ts';

export function MeetingTab({ shown: { meetings }, theClass }: TabProps<'meeting'>) {
  const view = useAddress(classMeetings);
  const add = theClass.is_header_teacher === 1 && (
    <Button component="a" href={meetingForm.href({ class_id: theClass.id })}>
      添加班会
    </Button>
  );
  return (
    <>
      <h2 className="visually-hidden">班会</h2>
      <List<Meeting>
        view={view}
        result={meetings}
        caption="班会列表"
        columns={[
          { key: 'name', header: '班会名称', minWidth: 160, cell: (row) => row.meeting_name },
          timeColumn('start', '开始时间', (row) => row.start_time),
          timeColumn('end', '结束时间', (row) => row.end_time),
          { key: 'status', header: '状态', nowrap: true, cell: (row) => <LiveStatusTag status={row.live_status} /> },
          numberColumn('joined', '参会/未参会', (row) =>
            row.live_status === 1 ? '-' : `${row.join_num}/${row.not_join_num}`,
          ),
          { key: 'teacher', header: '主持人', minWidth: 80, cell: (row) => row.teacher_name },
          actionsColumn((row) => {
            const { id, meeting_name: recordName, live_status, is_can_enter } = row;
            const mayEdit = row.is_can_edit === 1;
            return [
              (is_can_enter === 1 || live_status !== 3) && {
                label: '进入',
                recordName,
                href: liveRoom.href({ type: 'meeting', id }),
                fault: is_can_enter === 1 ? undefined : meetingMessages.entry,
              },
              { label: '统计', recordName, href: meetingFigures.href({ id }), fault: statisticsFault(row) },
              { label: '参会码', recordName, href: meetingCodes.href(view.here, { meeting: id }) },
              mayEdit &&
                live_status !== 3 && {
                  label: '编辑',
                  recordName,
                  href: meetingForm.href({ class_id: theClass.id, id }),
                },
              mayEdit && {
                label: '删除',
                recordName,
                href: meetingDeletion.href(view.here, { meeting: id }),
                danger: true,
              },
            ];
          }),
        ]}
        nothing="暂无班会"
        actions={add}
        next={add}
      />
    </>
  );
}
