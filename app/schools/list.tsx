/** List of schools with their numbers of people and classes, for administrators. */

import { Button } from '@mantine/core';
import { countsText } from '#server/school/rules.ts';
import { listSchoolRecords, type SchoolRow } from '#server/schools/contract.ts';
import { everySchoolFault, schoolInUseFault } from '#server/schools/rules.ts';
import { staffList } from '../account/screens.ts';
import { api } from '../api/client.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/list';
import { schoolAdd, schoolArchive, schoolDelete, schoolEdit, schoolList, schoolRestore } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('学校');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listSchoolRecords);
  const { every_school, permissions } = signedInPerson(context);
  const schools = await context.get(api).send(listSchoolRecords, { filter: schoolList.at(url).filter });
  return { schools, everySchool: every_school === 1, people: permissions.includes('people') };
}

export default function SchoolList({ loaderData: { schools, everySchool, people } }: Route.ComponentProps) {
  const view = useAddress(schoolList);
  const { name, state } = view.filter;
  const fault = everySchoolFault({ everySchool });
  const add = everySchool && (
    <Button component="a" href={schoolAdd.href(view.here)}>
      添加学校
    </Button>
  );
  return (
    <Screen title="学校">
      <List<SchoolRow>
        view={view}
        result={schools}
        caption="学校列表"
        columns={[
          {
            key: 'name',
            header: '学校',
            minWidth: 160,
            cell: (row) => <a href={schoolEdit.href(view.here, { id: row.id })}>{row.name}</a>,
          },
          numberColumn('staff', '人员', (row) =>
            people ? <a href={staffList.href({ school_id: row.id })}>{row.staff}</a> : row.staff,
          ),
          numberColumn('students', '学员', (row) => row.students),
          numberColumn('classes', '班级', (row) => row.classes),
          numberColumn('courses', '课程', (row) => row.courses),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (row.is_put_away === 1 ? <Tag tone="bad">已停用</Tag> : <Tag tone="good">在用</Tag>),
          },
          actionsColumn((row) => {
            const { id, name: recordName } = row;
            const records = countsText([
              [row.staff, '位人员'],
              [row.students, '名学员'],
              [row.classes, '个班级'],
              [row.courses, '门课程'],
            ]);
            return [
              { label: '编辑', recordName, href: schoolEdit.href(view.here, { id }) },
              row.is_put_away === 1
                ? { label: '恢复', recordName, href: schoolRestore.href(view.here, { id }), fault }
                : { label: '停用', recordName, href: schoolArchive.href(view.here, { id }), fault },
              {
                label: '删除',
                recordName,
                href: schoolDelete.href(view.here, { id }),
                fault: fault ?? schoolInUseFault(records),
                danger: true,
              },
            ];
          }),
        ]}
        nothing="暂无学校"
        nothingFound="没有符合条件的学校"
        filters={{
          first: [
            { label: '学校名称', name: 'name', value: name },
            {
              label: '状态',
              name: 'state',
              value: state,
              choices: [
                ['offered', '在用'],
                ['away', '已停用'],
              ],
            },
          ],
        }}
        actions={add}
      />
    </Screen>
  );
}
