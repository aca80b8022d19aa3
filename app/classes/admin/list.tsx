/** List of classes of all types, for administrators. */
import { Button } from '@mantine/core';
import { type AdminClass, classOptions, listAllClasses } from '#server/classes/admin.contract.ts';
import { classTypeNames } from '#server/classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { adminTeamEdit } from '../../group-classes/screens.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { adminClass, adminClassAdd, adminClassEdit, adminClassList, largeClasses } from '../screens.ts';
import { classStateChoices, classTypeChoices } from '../terms.ts';
import { ValidTime } from '../valid-time.tsx';
import type { Route } from './+types/list';
import { ClassStateTag } from './class-state-tag.tsx';

export const meta: Route.MetaFunction = () => titleMeta('班级');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listAllClasses);
  const client = context.get(api);
  const [classes, options] = await Promise.all([
    client.send(listAllClasses, { filter: adminClassList.at(url).filter }),
    client.send(classOptions),
  ]);
  return { classes, options, now: client.now() };
}

export default function ClassList({ loaderData: { classes, options, now } }: Route.ComponentProps) {
  const view = useAddress(adminClassList);
  const { filter } = view;
  const { schools, courses, lecturers, grades, large_classes } = options;
  const add = (
    <Button component="a" href={adminClassAdd.href()}>
      添加班级
    </Button>
  );
  return (
    <Screen title="班级">
      <List<AdminClass>
        view={view}
        result={classes}
        caption="班级列表"
        columns={[
          {
            key: 'name',
            header: '班级',
            minWidth: 160,
            sortField: 'name',
            cell: (row) => (
              <>
                <a href={adminClass.href({ id: row.id })}>{row.name}</a>
                <SubLine>
                  {[classTypeNames[row.class_type], row.grade_name, row.large_class_name].filter(Boolean).join(' · ')}
                </SubLine>
              </>
            ),
          },
          schools.length > 1 && { key: 'school', header: '学校', cell: (row) => row.school_name },
          {
            key: 'heads',
            header: '班主任',
            minWidth: 90,
            cell: (row) => (
              <>
                {row.heads.join('、') || '-'}
                {row.assistants.length > 0 && <SubLine>助教：{row.assistants.join('、')}</SubLine>}
              </>
            ),
          },
          numberColumn('students', '学员', (row) => row.students_count),
          numberColumn('courses', '课程', (row) => row.courses_count),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => <ClassStateTag state={row.state} />,
          },
          { key: 'valid', header: '有效期', nowrap: true, cell: (row) => <ValidTime theClass={row} now={now} /> },
          actionsColumn((row) => [
            {
              label: '编辑',
              recordName: row.name,
              href: (row.class_type === 0 ? adminClassEdit : adminTeamEdit).href({ id: row.id }),
            },
          ]),
        ]}
        nothing="暂无班级"
        nothingFound="没有符合条件的班级"
        filters={{
          first: [
            { label: '名称或拼音', name: 'name', value: filter.name },
            { label: '类型', name: 'class_type', value: filter.class_type, choices: classTypeChoices },
          ],
          more: [
            { label: '状态', name: 'state', value: filter.state, choices: classStateChoices },
            { label: '课程', name: 'course_id', value: filter.course_id, choices: choicesOf(courses) },
            { label: '班主任', name: 'head_id', value: filter.head_id, choices: choicesOf(lecturers) },
            { label: '年级', name: 'grade_id', value: filter.grade_id, choices: choicesOf(grades) },
            large_classes.length > 0 && {
              label: '大班',
              name: 'large_class_id',
              value: filter.large_class_id,
              choices: choicesOf(large_classes),
            },
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: choicesOf(schools),
            },
          ],
          presets: [
            { label: '进行中', filter: { state: 'running' } },
            { label: '未开课', filter: { state: 'coming' } },
            { label: '已结束', filter: { state: 'ended' } },
          ],
        }}
        actions={
          <>
            <Button component="a" href={largeClasses.href()} variant="default">
              大班
            </Button>
            {add}
          </>
        }
        next={add}
      />
    </Screen>
  );
}
