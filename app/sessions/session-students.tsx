/** The students of a lesson; once it was held with what they and their lecturer say (document 3, section 4). */
import type { SessionDetail, SessionStudent } from '#server/sessions/contract.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { communicationHref, sessionDialog } from './address.ts';
import { attendanceName } from './terms.ts';

interface StudentsProps {
  session: SessionDetail;
  /** One page of them. */
  students: { list: SessionStudent[]; page: number };
  isLecturer: boolean;
}

export function SessionStudents({ session, students, isLecturer }: StudentsProps) {
  const isHeld = session.status === 1;
  const columns: Column<SessionStudent>[] = [
    { key: 'name', header: '学员姓名', minWidth: 120, cell: (row) => row.clue_name },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    {
      key: 'status',
      header: '考勤状态',
      nowrap: true,
      cell: (row) => attendanceName(row.status) + (row.attend_type === 2 ? '（手动）' : ''),
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
            href={communicationHref({ id: session.id, user_id: row.clue_id })}
            aria-label={`与${row.clue_name}的沟通记录`}
          >
            沟通记录
          </a>
          {isHeld && isLecturer && (
            <EvaluateAction
              student={row}
              href={sessionDialog(session, `/evaluate/${row.id}`, { page: students.page })}
            />
          )}
        </>
      ),
    },
  ];
  return (
    <ListTable
      caption="学员列表"
      columns={columns}
      rows={students.list}
      rowKey={({ id }) => id}
      empty="该课次还没有学员"
    />
  );
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
