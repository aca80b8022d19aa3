/** 学习详情, a dialog over StudentDetail: the periods of one course, with the student's attendance. */
import { useOutlet, useRouteLoaderData } from 'react-router';
import { type StudyPeriod, studyPeriods } from '#server/attendance/contract.ts';
import { actionName, actionsFor, hasStudyTime } from '#server/attendance/rules.ts';
import { api } from '../api/client.server.ts';
import { formatWholeMinutes } from '../lib/amounts.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { useAddress } from '../ui/screen.tsx';
import { useNow } from '../ui/use-school.ts';
import type { Route } from './+types/student-periods';
import { studentDetail, studentMark, studentPeriods } from './screens.ts';
import { StatusWord } from './status-word.tsx';
import type { loader as studentLoader } from './student.tsx';

export const meta: Route.MetaFunction = () => titleMeta('学习详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id } = studentDetail.at(url);
  const {
    place: { course_id },
    filter,
  } = studentPeriods.at(url);
  const periods = await context.get(api).send(studyPeriods, { params: { id }, filter: { ...filter, course_id } });
  return { courseId: course_id, periods, ...studentPeriods.opened(url) };
}

export default function StudentPeriods({ loaderData: { courseId, periods, closeHref } }: Route.ComponentProps) {
  const question = useOutlet();
  const view = useAddress(studentPeriods);
  const now = useNow();
  const student = useRouteLoaderData<typeof studentLoader>(studentDetail.id);
  if (question) return question;
  if (!student) return null;
  const course = student.courses.list.find(({ course_basis_id }) => course_basis_id === courseId);
  return (
    <Dialog title={`学习详情${course ? `：${course.title}` : ''}`} closeHref={closeHref} width={920}>
      <List<StudyPeriod>
        view={view}
        result={periods}
        caption="课时"
        columns={[
          ...columns,
          actionsColumn(({ id: period_id, title, op_status, course_type, start_play }) =>
            actionsFor(op_status, { courseType: course_type, begun: start_play <= now }).map((action) => ({
              label: actionName(action, op_status),
              recordName: title,
              href: studentMark.href(view.here, { period_id, action }),
            })),
          ),
        ]}
        nothing="该课程暂无课时"
      />
    </Dialog>
  );
}

const columns: Column<StudyPeriod>[] = [
  { key: 'title', header: '课时', minWidth: 140, cell: (row) => row.title },
  timeColumn('start_play', '开始时间', (row) => row.start_play),
  numberColumn('total_time', '课时时长', (row) => formatWholeMinutes(row.total_time)),
  numberColumn('study_length', '学习时长', (row) =>
    hasStudyTime(row.course_type) ? formatWholeMinutes(row.study_length) : '-',
  ),
  numberColumn('progress_rate', '学习进度', (row) => (hasStudyTime(row.course_type) ? `${row.progress_rate}%` : '-')),
  {
    key: 'op_status',
    header: '考勤',
    nowrap: true,
    cell: (row) => (
      <StatusWord id={`cause-${row.id}`} status={row.op_status} cause={row.leave_cause} courseType={row.course_type} />
    ),
  },
];
