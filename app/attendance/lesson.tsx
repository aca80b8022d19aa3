/** 考勤详情: who was in a lesson, over AttendInfo (document 3, section 2); with the question before an action in its place. */
import { data, useOutlet, useRouteLoaderData } from 'react-router';
import {
  actionsFor,
  type LeaveAction,
  type LessonStudent,
  leaveActionNames,
  lessonStudents,
  type OpStatus,
} from '#server/attendance/contract.ts';
import { api } from '../api.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { rowAction } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/lesson';
import { courseHref, idIn, lessonHref, markHref } from './address.ts';
import type { loader as courseLoader } from './course.tsx';
import styles from './detail.module.css';
import { StatusWord } from './status-word.tsx';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '考勤详情 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const [id, classId, periodId] = [
    idIn(url, 'course_id') ?? idIn(url, 'id'),
    idIn(url, 'class_id'),
    idIn(url, 'period_id'),
  ];
  if (id === undefined || classId === undefined || periodId === undefined) {
    throw data({ msg: '课时不存在' }, { status: 404 });
  }
  const query = { period_id: periodId, page: idIn(url, 'page') ?? 1, limit: 20 };
  return { periodId, students: await context.get(api).send(lessonStudents, { params: { id, classId }, query }) };
}

export default function Lesson({ loaderData: { periodId, students } }: Route.ComponentProps) {
  const question = useOutlet();
  const course = useRouteLoaderData<typeof courseLoader>('AttendInfo');
  if (question) return question;
  if (!course) return null;
  const { place, lessons, isClassRunning } = course;
  const lesson = lessons.list.find(({ id }) => id === periodId);
  const markOf = (uid: number, action: string) => markHref(place, { periodId, students: students.page, uid, action });
  return (
    <Dialog title={`考勤详情${lesson ? `：${lesson.title}` : ''}`} closeHref={courseHref(place)} width={860}>
      {!isClassRunning && <p>班级已结束，只能审批待处理的请假申请。</p>}
      {lesson && (
        <p>
          应到 {lesson.total_num}，出勤 {lesson.attend_num}，请假 {lesson.leave_num}，旷课 {lesson.truant_num}
        </p>
      )}
      <ListTable
        caption="学员考勤"
        columns={columnsFor((status) => actionsFor(status, course.course.course_type, isClassRunning), markOf)}
        rows={students.list}
        rowKey={(row) => row.uid}
        empty="该课时开始时班级没有学员"
      />
      <Pager {...students} href={(page) => lessonHref(place, periodId, page)} />
    </Dialog>
  );
}

function columnsFor(
  offered: (status: OpStatus) => LeaveAction[],
  href: (uid: number, action: string) => string,
): Column<LessonStudent>[] {
  return [
    { key: 'nickname', header: '昵称', minWidth: 140, cell: (row) => row.nickname },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    {
      key: 'op_status',
      header: '考勤状态',
      nowrap: true,
      cell: (row) => <StatusWord id={`cause-${row.uid}`} status={row.op_status} cause={row.leave_cause} />,
    },
    {
      key: 'actions',
      header: '操作',
      cell: (row) => {
        const actions = offered(row.op_status);
        if (actions.length === 0) return '-';
        return (
          <div className={styles.actions}>
            {actions.map((action) => (
              <a key={action} className={rowAction} href={href(row.uid, action)}>
                {leaveActionNames[action]}
              </a>
            ))}
          </div>
        );
      },
    },
  ];
}
