/** StudentDetail: a student of a class, with the student's progress by course. */
import { exportStudentStudy, type StudyCourse, showClassMember, studyCourses } from '#server/attendance/contract.ts';
import { hasStudyTime, joinTypeNames } from '#server/attendance/rules.ts';
import { courseTypeName } from '#server/classes/rules.ts';
import { api } from '../api/client.server.ts';
import { classDetail, classManage } from '../classes/screens.ts';
import { readButton, readPostedForm, redirectToFile } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { Fact } from '../ui/facts.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { RecordHeader } from '../ui/record-header.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/student';
import styles from './detail.posts.module.css';
import { figureColumns } from './figure-columns.tsx';
import { studentCourses, studentDetail, studentPeriods } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '学员详情' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.member.nickname ?? '学员详情');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { filter, place } = studentCourses.at(url);
  const params = { id: place.id };
  const member = await client.send(showClassMember, { params });
  return { member, courses: await client.send(studyCourses, { params, filter }) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  readButton(await readPostedForm(request, context), 'export');
  const { id } = studentDetail.at(url);
  return redirectToFile(context, await context.get(api).ask(exportStudentStudy, { body: { id } }), url);
}

export default function StudentDetail({ loaderData: { member, courses } }: Route.ComponentProps) {
  const view = useAddress(studentCourses);
  return (
    <Screen>
      <RecordHeader
        title={member.nickname}
        facts={
          <>
            <Fact term="昵称">{member.nickname}</Fact>
            <Fact term="手机号">{member.mobile || '-'}</Fact>
            <Fact term="班级">
              <a href={classDetail.href({ id: member.class_id })}>{member.class_name}</a>
            </Fact>
            <Fact term="入班时间">
              <NearMoment at={member.created_at} />
            </Fact>
            <Fact term="入班方式">{joinTypeNames[member.join_type] ?? '其他'}</Fact>
            {member.left_at > 0 && (
              <Fact term="离班时间">
                <NearMoment at={member.left_at} />
              </Fact>
            )}
          </>
        }
        aside={<ExportButton action={view.page(1)} />}
      />
      <List<StudyCourse>
        view={view}
        result={courses}
        caption="课程"
        columns={[
          {
            key: 'title',
            header: '课程',
            minWidth: 160,
            cell: (row) => (
              <>
                {row.title}
                <span className={styles.kind}>{courseTypeName(row.course_type)}</span>
              </>
            ),
          },
          numberColumn('section_num', '课时数', (row) => row.section_num),
          ...figureColumns<StudyCourse>((row) => hasStudyTime(row.course_type)),
          actionsColumn(({ section_num, title, course_basis_id: course_id }) => [
            section_num > 0 && {
              label: '学习详情',
              recordName: title,
              href: studentPeriods.href(view.here, { course_id }),
            },
          ]),
        ]}
        rowKey={(row) => row.course_basis_id}
        nothing="该班级暂无课程"
      />
    </Screen>
  );
}
