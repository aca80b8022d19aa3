/** AttendInfo: the lessons of a course of a class, and how many came. */
import {
  type CourseLesson,
  exportCourseStudy,
  courseLessons as listCourseLessons,
  showClassCourse,
} from '#server/attendance/contract.ts';
import { courseTypeName } from '#server/classes/rules.ts';
import { api } from '../api/client.server.ts';
import { classDetail, classManage } from '../classes/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { formatTime } from '../lib/dates.ts';
import { toFile } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titled } from '../shell/title.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Fact, RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/course';
import styles from './detail.module.css';
import { ExportButton } from './export-button.tsx';
import { courseLessons, courseOf, lessonAttendance } from './screens.ts';
import { lessonStatusNames, minutes } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '查看考勤' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.course.title ?? '查看考勤');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { courseId: id, classId } = courseOf(url);
  const [course, lessons] = await Promise.all([
    client.send(showClassCourse, { params: { id }, query: { class_id: classId } }),
    client.send(listCourseLessons, { params: { id, classId }, query: courseLessons.at(url).filter }),
  ]);
  return { course, lessons };
}

export async function action({ context, url }: Route.ActionArgs) {
  const { courseId, classId } = courseOf(url);
  const outcome = await context.get(api).ask(exportCourseStudy, { body: { id: courseId, class: classId } });
  return toFile(context, outcome, url);
}

export default function AttendInfo({ loaderData: { course, lessons } }: Route.ComponentProps) {
  const view = useAddress(courseLessons);
  const timezone = useTimezone();
  return (
    <Screen>
      <RecordHeader
        title={
          <>
            {course.title}
            <span className={styles.kind}>{courseTypeName(course.course_type)}</span>
          </>
        }
        cover={{ image: course.cover_img, name: course.title }}
        facts={
          <>
            <Fact term="学习人数">{course.study_count}</Fact>
            <Fact term="章数">{course.chapter_num}</Fact>
            <Fact term="课时数">{course.section_num}</Fact>
          </>
        }
        aside={<ExportButton action={view.here} />}
      >
        <p>
          <a href={classDetail.href({ id: view.place.class_id, tab: 'courses' })}>返回课程列表</a>
        </p>
      </RecordHeader>
      <List
        view={view}
        result={lessons}
        caption="课时考勤"
        columns={columnsFor(timezone, view.here)}
        nothing="该课程暂无课时"
      />
    </Screen>
  );
}

const columnsFor = (timezone: string, here: AddressOf<typeof courseLessons>): Column<CourseLesson>[] => [
  { key: 'title', header: '课时', minWidth: 160, cell: (row) => row.title },
  { key: 'start_play', header: '开始时间', nowrap: true, cell: (row) => formatTime(row.start_play, timezone) },
  { key: 'total_time', header: '授课时长', align: 'right', nowrap: true, cell: (row) => minutes(row.total_time) },
  {
    key: 'status',
    header: '状态',
    nowrap: true,
    cell: (row) => (
      <span className={row.status === 2 ? styles.running : undefined}>{lessonStatusNames[row.status]}</span>
    ),
  },
  { key: 'attend_num', header: '出勤', align: 'right', cell: (row) => row.attend_num },
  { key: 'leave_num', header: '请假', align: 'right', cell: (row) => row.leave_num },
  {
    key: 'truant_num',
    header: '旷课',
    align: 'right',
    cell: (row) => <span className={row.truant_num > 0 ? styles.truant : undefined}>{row.truant_num}</span>,
  },
  { key: 'total_num', header: '应到', align: 'right', cell: (row) => row.total_num },
  {
    key: 'actions',
    header: '操作',
    nowrap: true,
    cell: (row) => (
      <a className={rowAction} href={lessonAttendance.href(here, { period_id: row.id })}>
        考勤详情
      </a>
    ),
  },
];
