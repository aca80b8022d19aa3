/** AttendInfo: the periods of one course of a class, with attendance counts. */
import {
  type CourseLesson,
  exportCourseStudy,
  courseLessons as listCourseLessons,
  showClassCourse,
} from '#server/attendance/contract.ts';
import { rollFault } from '#server/attendance/rules.ts';
import { courseTypeName } from '#server/classes/rules.ts';
import { api } from '../api/client.server.ts';
import { classDetail, classManage } from '../classes/screens.ts';
import { formatWholeMinutes } from '../lib/amounts.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { Fact } from '../ui/facts.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/course';
import styles from './detail.posts.module.css';
import { courseIds, coursePeriods, periodAttendance, periodRoll } from './screens.ts';
import { periodStatusNames } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '查看考勤' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.course.title ?? '查看考勤');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { courseId: id, classId } = courseIds(url);
  const [course, lessons] = await Promise.all([
    client.send(showClassCourse, { params: { id }, query: { class_id: classId } }),
    client.send(listCourseLessons, { params: { id, classId }, filter: coursePeriods.at(url).filter }),
  ]);
  return { course, lessons };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), 'export');
  const { courseId, classId } = courseIds(url);
  const outcome = await context.get(api).ask(exportCourseStudy, { body: { id: courseId, class: classId } });
  return redirectToFile(context, outcome, url);
}

export default function AttendInfo({ loaderData: { course, lessons } }: Route.ComponentProps) {
  const view = useAddress(coursePeriods);
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
        aside={<ExportButton action={view.here} inNewWindow />}
      >
        <a href={classDetail.href({ id: view.place.class_id, tab: 'courses' })}>返回课程列表</a>
      </RecordHeader>
      <List<CourseLesson>
        view={view}
        result={lessons}
        caption="课时考勤"
        columns={[
          { key: 'title', header: '课时', minWidth: 160, cell: (row) => row.title },
          timeColumn('start_play', '开始时间', (row) => row.start_play),
          numberColumn('total_time', '授课时长', (row) => formatWholeMinutes(row.total_time)),
          {
            key: 'status',
            header: '状态',
            nowrap: true,
            cell: (row) => (
              <span className={row.status === 2 ? styles.running : undefined}>{periodStatusNames[row.status]}</span>
            ),
          },
          numberColumn('attend_num', '出勤', (row) => row.attend_num),
          numberColumn('leave_num', '请假', (row) => row.leave_num),
          numberColumn('truant_num', '旷课', (row) => (
            <span className={row.truant_num > 0 ? styles.truant : undefined}>{row.truant_num}</span>
          )),
          numberColumn('uncalled_num', '未点名', (row) => row.uncalled_num),
          numberColumn('total_num', '应到', (row) => row.total_num),
          actionsColumn(({ id, title, status, course_type }) => [
            status !== 1 &&
              rollFault({ course_type }) === undefined && {
                label: '点名',
                recordName: title,
                href: periodRoll.href({ period_id: id, class_id: view.place.class_id, back: view.here }),
              },
            { label: '考勤详情', recordName: title, href: periodAttendance.href(view.here, { period_id: id }) },
          ]),
        ]}
        nothing="该课程暂无课时"
      />
    </Screen>
  );
}
