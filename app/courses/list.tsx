/** List of the school's courses, for administrators. */
import { Button } from '@mantine/core';
import { courseTypeName } from '#server/classes/rules.ts';
import { type CourseRow, courseChoices, listCourses } from '#server/courses/contract.ts';
import { api } from '../api/client.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/list';
import { courseAdd, courseCopy, courseDetail, courseEdit, courseList } from './screens.ts';
import { kindChoices, stateChoices, stateOf } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('课程');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listCourses);
  const client = context.get(api);
  const [courses, choices] = await Promise.all([
    client.send(listCourses, { filter: courseList.at(url).filter }),
    client.send(courseChoices),
  ]);
  const { schools, classify, grades, subjects } = choices;
  return { courses, schools, classify, grades, subjects };
}

export default function CourseList({ loaderData }: Route.ComponentProps) {
  const { courses, schools, classify, grades, subjects } = loaderData;
  const view = useAddress(courseList);
  const { title, school_id, classify_id, grade_id, subject_id, type, state } = view.filter;
  const add = (
    <Button component="a" href={courseAdd.href()}>
      添加课程
    </Button>
  );
  return (
    <Screen title="课程">
      <List<CourseRow>
        view={view}
        result={courses}
        caption="课程列表"
        columns={[
          {
            key: 'title',
            header: '课程',
            minWidth: 180,
            cell: (row) => (
              <>
                <a href={courseDetail.href({ id: row.id })} data-written>
                  {row.title}
                </a>
                {row.parent_title && <SubLine>属于 {row.parent_title}</SubLine>}
              </>
            ),
          },
          { key: 'type', header: '类型', nowrap: true, cell: (row) => courseTypeName(row.course_type) },
          {
            key: 'group',
            header: '分类',
            cell: (row) => [row.classify_name, row.grade_name, row.subject_name].filter(Boolean).join(' · ') || '-',
          },
          schools.length > 1 && { key: 'school', header: '学校', cell: (row) => row.school_name },
          numberColumn('periods', '课时', (row) => row.periods),
          numberColumn('classes', '班级', (row) => row.classes),
          numberColumn('students', '学员', (row) => row.students),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            cell: (row) => <Tag tone={row.put_away_at === null ? 'good' : 'plain'}>{stateOf(row)}</Tag>,
          },
          actionsColumn(({ id, title: recordName }) => [
            { label: '编辑', recordName, href: courseEdit.href({ id }) },
            { label: '复制', recordName, href: courseCopy.href({ id }) },
          ]),
        ]}
        nothing="暂无课程"
        nothingFound="没有符合条件的课程"
        filters={{
          first: [
            { label: '课程名称', name: 'title', value: title, placeholder: '名称或拼音' },
            { label: '类型', name: 'type', value: type, choices: kindChoices },
          ],
          more: [
            { label: '分类', name: 'classify_id', value: classify_id, choices: choicesOf(classify) },
            { label: '年级', name: 'grade_id', value: grade_id, choices: choicesOf(grades) },
            { label: '科目', name: 'subject_id', value: subject_id, choices: choicesOf(subjects) },
            schools.length > 1 && { label: '学校', name: 'school_id', value: school_id, choices: choicesOf(schools) },
            { label: '状态', name: 'state', value: state, choices: stateChoices },
          ],
          presets: [
            { label: '在用', filter: { state: 'active' } },
            { label: '已停用', filter: { state: 'away' } },
          ],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
