/** The students of a lesson; once it was held with what they and their lecturer say. */
import { allowedAttendance, attendanceActionNames } from '#server/group-classes/rules.ts';
import type { SessionDetail, SessionStudent } from '#server/sessions/contract.ts';
import { attendanceName } from '#server/sessions/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { rowAction } from '../ui/button.tsx';
import type { Column } from '../ui/list-table.tsx';
import { attendance, communicationList, type eitherSession, evaluate } from './screens.ts';

interface ColumnsContext {
  session: SessionDetail;
  isLecturer: boolean;
  /** The list, which its dialogs close back to. */
  here: AddressOf<typeof eitherSession>;
}

export function studentColumns({ session, isLecturer, here }: ColumnsContext): Column<SessionStudent>[] {
  const isHeld = session.status === 1;
  return [
    { key: 'name', header: '学员姓名', minWidth: 120, cell: (row) => row.clue_name },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    {
      key: 'status',
      header: '考勤状态',
      nowrap: true,
      cell: (row) => attendanceName(row.status) + (row.status === 1 && row.attend_type === 2 ? '（手动）' : ''),
    },
    { key: 'remark', header: '考勤备注', minWidth: 120, cell: (row) => row.remark || '-' },
    ...(isHeld
      ? [
          {
            key: 'teacher_remark',
            header: '老师评价',
            minWidth: 160,
            cell: (row: SessionStudent) => row.teacher_remark || '-',
          },
          {
            key: 'student_remark',
            header: '学员评价',
            minWidth: 120,
            cell: (row: SessionStudent) => row.student_remark || '-',
          },
        ]
      : []),
    {
      key: 'actions',
      header: '操作',
      minWidth: 110,
      cell: (row) => (
        <>
          <a
            className={rowAction}
            href={communicationList.href({ id: session.id, user_id: row.clue_id })}
            aria-label={`与${row.clue_name}的沟通记录`}
          >
            沟通记录
          </a>
          {!isLecturer &&
            allowedAttendance(session.status, row.status).map(({ action }) => (
              <a
                key={action}
                className={rowAction}
                href={attendance.href(here, { student: row.clue_id, type: action })}
                aria-label={`${attendanceActionNames[action]}：${row.clue_name}`}
              >
                {attendanceActionNames[action]}
              </a>
            ))}
          {isHeld && isLecturer && <EvaluateAction student={row} href={evaluate.href(here, { student: row.id })} />}
        </>
      ),
    },
  ];
}

function EvaluateAction({ student, href }: { student: SessionStudent; href: string }) {
  if (student.teacher_remark !== '') {
    return (
      <button type="button" className={rowAction} disabled title="该学员已评价">
        评价
      </button>
    );
  }
  return (
    <a className={rowAction} href={href} aria-label={`评价${student.clue_name}`}>
      评价
    </a>
  );
}
