/** List of group classes and one-to-one classes, for administrators. */
import { Button } from '@mantine/core';
import { classOptions } from '#server/classes/admin.contract.ts';
import { classTypeNames } from '#server/classes/rules.ts';
import { type LessonClassRow, listLessonClasses } from '#server/group-classes/admin.contract.ts';
import { lessonClassTypes } from '#server/group-classes/rules.ts';
import { api } from '../../api/client.server.ts';
import { adminClass } from '../../classes/screens.ts';
import { classStateChoices, classStateNames } from '../../classes/terms.ts';
import { adminLessonAdd } from '../../sessions/screens.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { adminTeamAdd, adminTeamEdit, adminTeamList } from '../screens.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('团课与一对一');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listLessonClasses);
  const client = context.get(api);
  const [classes, options] = await Promise.all([
    client.send(listLessonClasses, { filter: adminTeamList.at(url).filter }),
    client.send(classOptions),
  ]);
  return { classes, options };
}

const tones = { coming: 'warn', running: 'good', ended: 'plain' } as const;

export default function TeamList({ loaderData: { classes, options } }: Route.ComponentProps) {
  const view = useAddress(adminTeamList);
  const { filter } = view;
  const { schools, lecturers, subjects } = options;
  const add = (
    <Button component="a" href={adminTeamAdd.href()}>
      添加团课或一对一
    </Button>
  );
  return (
    <Screen title="团课与一对一">
      <List<LessonClassRow>
        view={view}
        result={classes}
        caption="团课与一对一列表"
        columns={[
          {
            key: 'name',
            header: '班级',
            minWidth: 160,
            cell: (row) => (
              <>
                <a href={adminClass.href({ id: row.id })}>{row.name}</a>
                <SubLine>{[classTypeNames[row.class_type], row.subject_name].filter(Boolean).join(' · ')}</SubLine>
              </>
            ),
          },
          schools.length > 1 && { key: 'school', header: '学校', cell: (row) => row.school_name },
          {
            key: 'lecturer',
            header: '讲师',
            minWidth: 90,
            cell: (row) => (
              <>
                {row.lecturer_name || '-'}
                {row.assistants.length > 0 && <SubLine>助教：{row.assistants.join('、')}</SubLine>}
              </>
            ),
          },
          { key: 'schedule', header: '上课时间', minWidth: 100, cell: (row) => row.schedule || '-' },
          numberColumn('students', '学员', (row) => row.students_count),
          numberColumn('held', '已上', (row) => row.lessons_held),
          numberColumn('left', '未上', (row) => row.lessons_left),
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => <Tag tone={tones[row.state]}>{classStateNames[row.state]}</Tag>,
          },
          actionsColumn((row) => [
            row.state !== 'ended' && {
              label: '排课',
              recordName: row.name,
              href: adminLessonAdd.href({ class_id: row.id }),
            },
            { label: '编辑', recordName: row.name, href: adminTeamEdit.href({ id: row.id }) },
          ]),
        ]}
        nothing="暂无团课与一对一"
        nothingFound="没有符合条件的班级"
        filters={{
          first: [
            { label: '名称或拼音', name: 'name', value: filter.name },
            {
              label: '类型',
              name: 'class_type',
              value: filter.class_type,
              choices: lessonClassTypes.map((type) => [type, classTypeNames[type]] as const),
            },
          ],
          more: [
            { label: '状态', name: 'state', value: filter.state, choices: classStateChoices },
            { label: '讲师', name: 'lecturer_id', value: filter.lecturer_id, choices: choicesOf(lecturers) },
            { label: '科目', name: 'subject_id', value: filter.subject_id, choices: choicesOf(subjects) },
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: choicesOf(schools),
            },
          ],
          presets: [
            { label: '进行中', filter: { state: 'running' } },
            { label: '已结束', filter: { state: 'ended' } },
          ],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
