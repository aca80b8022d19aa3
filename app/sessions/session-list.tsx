import type { SessionRow } from '#server/sessions/contract.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import styles from './manage.module.css';
import { leaveFromList } from './screens.ts';
import { SessionActions } from './session-actions.tsx';
import type { SessionsProps } from './session-cards.tsx';
import { SessionStatusTag } from './status-tag.tsx';
import { sessionTime, sessionTopic, sessionTypeNames, teachingModeNames } from './terms.ts';

export function SessionList({ sessions, empty, ...shown }: SessionsProps) {
  return (
    <div className={styles.list}>
      <ListTable caption="我的排课" columns={columnsFor(shown)} rows={sessions} rowKey={({ id }) => id} empty={empty} />
    </div>
  );
}

function columnsFor({ isLecturer, timezone, here }: Omit<SessionsProps, 'sessions' | 'empty'>): Column<SessionRow>[] {
  return [
    { key: 'time', header: '上课时间', minWidth: 110, cell: (row) => sessionTime(row, timezone) },
    {
      key: 'class',
      header: '班级名称',
      minWidth: 140,
      cell: (row) => (
        <>
          {row.class_name}
          {row.clue_name && <span className={styles.below}>{row.clue_name}</span>}
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
          {sessionTopic(row) && <span className={styles.below}>{sessionTopic(row)}</span>}
        </>
      ),
    },
    ...(isLecturer ? [] : [{ key: 'lecturer', header: '授课老师', cell: (row: SessionRow) => row.nickname }]),
    {
      key: 'mode',
      header: '授课方式',
      cell: (row) => (
        <>
          {teachingModeNames[row.teaching_mode]}
          {row.room_name && <span className={styles.below}>{row.room_name}</span>}
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
    {
      key: 'actions',
      header: '操作',
      minWidth: 130,
      cell: (row) => (
        <SessionActions
          session={row}
          isLecturer={isLecturer}
          leaveHref={leaveFromList.href(here, { id: row.id })}
          linkClass={rowAction}
        />
      ),
    },
  ];
}
