/** List of the students in the administrator's schools. */

import { Button } from '@mantine/core';
import { listStudents, type StudentRow, studentChoices } from '#server/students/contract.ts';
import { api } from '../api/client.server.ts';
import { classChoice } from '../enrolment/screens.ts';
import { learnerLinkList } from '../identity/screens.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { usePerson } from '../ui/use-school.ts';
import type { Route } from './+types/list';
import { studentAdd, studentEdit, studentList, studentPick } from './screens.ts';
import { studentColumns, studentFilters } from './student-columns.tsx';

export const meta: Route.MetaFunction = () => titleMeta('学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listStudents);
  const client = context.get(api);
  const [students, choices] = await Promise.all([
    client.send(listStudents, { filter: studentList.at(url).filter }),
    client.send(studentChoices),
  ]);
  return { students, choices };
}

export default function StudentList({ loaderData: { students, choices } }: Route.ComponentProps) {
  const view = useAddress(studentList);
  const person = usePerson();
  const add = (
    <Button component="a" href={studentAdd.href()}>
      添加学员
    </Button>
  );
  return (
    <Screen title="学员">
      <List<StudentRow>
        view={view}
        result={students}
        caption="学员列表"
        columns={[
          ...studentColumns(choices.schools.length > 1),
          actionsColumn((row) => [
            row.is_erased === 0 && { label: '编辑', recordName: row.nickname, href: studentEdit.href({ id: row.id }) },
            row.is_disabled === 0 && {
              label: '加入班级',
              recordName: row.nickname,
              href: classChoice.href({ ids: [row.id], back: view.here }),
            },
          ]),
        ]}
        nothing="暂无学员"
        nothingFound="没有符合条件的学员"
        filters={studentFilters(view.filter, choices)}
        actions={
          <>
            <Button component="a" href={studentPick.href({ back: view.here })} variant="default">
              批量加入班级
            </Button>
            {person?.every_school === 1 && (
              <Button component="a" href={learnerLinkList.href()} variant="default">
                登录关联
              </Button>
            )}
            {add}
          </>
        }
        next={add}
      />
    </Screen>
  );
}
