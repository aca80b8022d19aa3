/** 考勤详情: who was in a lesson, over AttendInfo; with the question before an action in its place. */
import { useOutlet, useRouteLoaderData } from 'react-router';
import { type LessonStudent, lessonStudents } from '#server/attendance/contract.ts';
import { actionsFor, leaveActionNames } from '#server/attendance/rules.ts';
import { api } from '../api/client.server.ts';
import { titled } from '../shell/title.ts';
import { actionsColumn, mobileColumn } from '../ui/columns.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/lesson';
import type { loader as courseLoader } from './course.tsx';
import { attendanceMark, courseAttendance, courseOf, lessonAttendance } from './screens.ts';
import { StatusWord } from './status-word.tsx';

export const meta: Route.MetaFunction = () => titled('考勤详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { courseId: id, classId } = courseOf(url);
  const {
    place: { period_id },
    filter,
  } = lessonAttendance.at(url);
  const students = await context.get(api).send(lessonStudents, {
    params: { id, classId },
    filter: { ...filter, period_id },
  });
  return { periodId: period_id, students, ...lessonAttendance.opened(url) };
}

export default function Lesson({ loaderData: { periodId, students, closeHref } }: Route.ComponentProps) {
  const question = useOutlet();
  const view = useAddress(lessonAttendance);
  const course = useRouteLoaderData<typeof courseLoader>(courseAttendance.id);
  if (question) return question;
  if (!course) return null;
  const lesson = course.lessons.list.find(({ id }) => id === periodId);
  return (
    <Dialog title={`考勤详情${lesson ? `：${lesson.title}` : ''}`} closeHref={closeHref} width={860}>
      {lesson && (
        <p>
          应到 {lesson.total_num}，出勤 {lesson.attend_num}，请假 {lesson.leave_num}，旷课 {lesson.truant_num}
        </p>
      )}
      <List<LessonStudent>
        view={view}
        result={students}
        caption="学员考勤"
        columns={[
          { key: 'nickname', header: '昵称', minWidth: 140, cell: (row) => row.nickname },
          mobileColumn(),
          {
            key: 'op_status',
            header: '考勤状态',
            nowrap: true,
            cell: (row) => <StatusWord id={`cause-${row.uid}`} status={row.op_status} cause={row.leave_cause} />,
          },
          actionsColumn(({ uid, nickname, op_status }) =>
            actionsFor(op_status, course.course.course_type).map((action) => ({
              label: leaveActionNames[action],
              of: nickname,
              href: attendanceMark.href(view.here, { uid, action }),
            })),
          ),
        ]}
        rowKey={(row) => row.uid}
        nothing="该课时开始时班级没有学员"
      />
    </Dialog>
  );
}
