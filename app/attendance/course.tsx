/** AttendInfo (document 3, section 2): `/classes/attendance?id=&course_id=&class_id=`, a course of a class. */
import { data, useOutlet } from 'react-router';
import {
  type CourseLesson,
  courseLessons,
  exportCourseStudy,
  Paged,
  showClassCourse,
} from '#server/attendance/contract.ts';
import { isRunning, showClass } from '#server/classes/contract.ts';
import { api } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { formatTime } from '../lib/dates.ts';
import { readSearch } from '../lib/search.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Fact, RecordHeader } from '../ui/record-header.tsx';
import type { Route } from './+types/course';
import { courseHref, idIn, lessonHref } from './address.ts';
import styles from './detail.module.css';
import { ExportButton } from './export-button.tsx';
import { toFile } from './make-file.server.ts';
import { courseKind, lessonStatusNames, minutes } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '查看考勤' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.course.title ?? '查看考勤'} · 教学后台` },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const place = placeOf(url);
  const { courseId: id, classId } = place;
  const [course, lessons, klass] = await Promise.all([
    client.send(showClassCourse, { params: { id }, query: { class_id: classId } }),
    client.send(courseLessons, { params: { id, classId }, query: { page: place.page } }),
    client.send(showClass, { params: { id: classId } }),
  ]);
  return { place, course, lessons, isClassRunning: isRunning(klass, Math.floor(Date.now() / 1000)) };
}

export async function action({ context, url }: Route.ActionArgs) {
  const { courseId, classId } = placeOf(url);
  const outcome = await context.get(api).ask(exportCourseStudy, { body: { id: courseId, class: classId } });
  return toFile(context, outcome, url);
}

/** The course is `course_id`, which the list of courses sends as `id` as well. */
function placeOf(url: URL) {
  const [courseId, classId] = [idIn(url, 'course_id') ?? idIn(url, 'id'), idIn(url, 'class_id')];
  if (courseId === undefined || classId === undefined) throw data({ msg: '课程不存在' }, { status: 404 });
  const page = url.pathname === '/classes/attendance' ? readSearch(Paged, url.searchParams).page : idIn(url, 'lessons');
  return { courseId, classId, page: page ?? 1 };
}

export default function AttendInfo({ loaderData: { place, course, lessons } }: Route.ComponentProps) {
  const dialog = useOutlet();
  const timezone = useTimezone();
  return (
    <>
      <main inert={dialog !== null}>
        <RecordHeader
          title={
            <>
              {course.title}
              <span className={styles.kind}>{courseKind(course.course_type)}</span>
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
          aside={<ExportButton action={courseHref(place)} />}
        >
          <p>
            <a href={classAddress(place.classId, 'courses')}>返回课程列表</a>
          </p>
        </RecordHeader>
        <ListTable
          caption="课时考勤"
          columns={columnsFor(timezone, (row) => lessonHref(place, row.id))}
          rows={lessons.list}
          rowKey={(row) => row.id}
          empty="该课程暂无课时"
        />
        <Pager {...lessons} href={(page) => courseHref({ ...place, page })} />
      </main>
      {dialog}
    </>
  );
}

const columnsFor = (timezone: string, href: (row: CourseLesson) => string): Column<CourseLesson>[] => [
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
      <a className={rowAction} href={href(row)}>
        考勤详情
      </a>
    ),
  },
];
