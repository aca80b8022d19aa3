import type { SessionRow } from '#server/sessions/contract.ts';
import type { AddressOf } from '../lib/address.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { leaveFromList, sessionDetail, type sessionList } from './screens.ts';
import { sessionActions } from './session-actions.ts';
import { SessionTime } from './session-time.tsx';
import { SessionStatusTag } from './status-tag.tsx';
import { sessionTopic, sessionTypeNames, teachingModeNames } from './terms.ts';

interface Viewer {
  isLecturer: boolean;
  /** Address of the list. Dialogs close to it. */
  here: AddressOf<typeof sessionList>;
}

export const sessionColumns = ({ isLecturer, here }: Viewer): (Column<SessionRow> | false)[] => [
  { key: 'time', header: '上课时间', minWidth: 110, cell: (row) => <SessionTime session={row} /> },
  {
    key: 'class',
    header: '班级名称',
    minWidth: 140,
    cell: (row) => (
      <>
        <a href={sessionDetail(row).href({ id: row.id })}>{row.class_name}</a>
        {row.clue_name && <SubLine>{row.clue_name}</SubLine>}
      </>
    ),
  },
  { key: 'type', header: '类型', nowrap: true, cell: (row) => sessionTypeNames[row.class_type] },
  {
    key: 'course',
    header: '课程',
    minWidth: 140,
    cell: (row) => (
      <>
        {row.course_title}
        {sessionTopic(row) && <SubLine>{sessionTopic(row)}</SubLine>}
      </>
    ),
  },
  !isLecturer && { key: 'lecturer', header: '授课老师', cell: (row) => row.nickname },
  {
    key: 'mode',
    header: '授课方式',
    cell: (row) => (
      <>
        {teachingModeNames[row.teaching_mode]}
        {row.room_name && <SubLine>{row.room_name}</SubLine>}
      </>
    ),
  },
  {
    key: 'status',
    header: '状态',
    cell: (row) => (
      <span data-live={row.status === 3 || undefined}>
        <SessionStatusTag status={row.status} />
      </span>
    ),
  },
  actionsColumn((row) => {
    const { enter, detail, more } = sessionActions(row, {
      isLecturer,
      leaveHref: leaveFromList.href(here, { id: row.id }),
    });
    return [enter, detail, ...more];
  }),
];
