/** Columns of the students of a lesson. Once the lesson was held, with their feedback and evaluations. */
import { allowedAttendance, attendanceActionName } from '#server/group-classes/rules.ts';
import type { SessionDetail, SessionStudent } from '#server/sessions/contract.ts';
import { attendanceName } from '#server/sessions/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { communicationList, evaluate, sessionAttendance, type sessionScreens } from './screens.ts';

interface ColumnsContext {
  session: SessionDetail;
  isLecturer: boolean;
  /** Address of the list. Dialogs close to it. */
  here: AddressOf<typeof sessionScreens>;
}

export function studentColumns({ session, isLecturer, here }: ColumnsContext): (Column<SessionStudent> | false)[] {
  const isHeld = session.status === 1;
  return [
    { key: 'name', header: '学员姓名', minWidth: 120, cell: (row) => row.clue_name },
    mobileColumn(),
    {
      key: 'status',
      header: '考勤状态',
      nowrap: true,
      cell: (row) =>
        attendanceName(row.status, session.teaching_mode) +
        (row.status === 1 && row.attend_type === 2 ? '（手动）' : ''),
    },
    { key: 'remark', header: '考勤备注', minWidth: 120, cell: (row) => row.remark || '-' },
    isHeld && { key: 'teacher_remark', header: '老师评价', minWidth: 160, cell: (row) => row.teacher_remark || '-' },
    isHeld && { key: 'student_remark', header: '学员评价', minWidth: 120, cell: (row) => row.student_remark || '-' },
    actionsColumn(
      ({ id, clue_id, clue_name, status, teacher_remark }) => [
        {
          label: '沟通记录',
          recordName: clue_name,
          href: communicationList.href({ id: session.id, user_id: clue_id }),
        },
        ...(isLecturer ? [] : allowedAttendance(session, status)).map(({ action }) => ({
          label: attendanceActionName(action, status, session),
          recordName: clue_name,
          href: sessionAttendance.href(here, { student: clue_id, type: action }),
        })),
        isHeld &&
          isLecturer && {
            label: '评价',
            recordName: clue_name,
            href: evaluate.href(here, { student: id }),
            fault: teacher_remark === '' ? undefined : '该学员已评价',
          },
      ],
      { minWidth: 110 },
    ),
  ];
}
