/** List of the state-school classes that the user may see. */
import { Button } from '@mantine/core';
import { type ClassRow, listClasses } from '#server/classes/contract.ts';
import { unassignedMessages } from '#server/classes/rules.ts';
import { classifyOptions, gradeOptions } from '#server/school/contract.ts';
import { api } from '../api/client.server.ts';
import { leaveInbox } from '../attendance/screens.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/manage';
import { classDetail, classList, classSchedule } from './screens.ts';
import { ValidTime } from './valid-time.tsx';

export const meta: Route.MetaFunction = () => titleMeta('班级管理');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { identity, settings } = signedInPerson(context);
  const client = context.get(api);
  // Filters that the screen does not offer are ignored even if the address has them: fields that the school hides, and
  // for assistants the checkbox of lecturers.
  const unoffered = [
    ...(settings.show_grade ? [] : ['grade_id' as const]),
    ...(settings.show_classify ? [] : ['classify_id' as const]),
    ...(identity === 'teacher' ? [] : ['only_mine' as const]),
  ];
  const { filter } = classList.at(url).without(...unoffered);
  const onlyMine = identity === 'teacher' && filter.only_mine;
  const [classes, grades, classifies] = await Promise.all([
    client.send(listClasses, { filter: { ...filter, only_mine: onlyMine ? 1 : undefined } }),
    settings.show_grade ? client.send(gradeOptions) : undefined,
    settings.show_classify ? client.send(classifyOptions) : undefined,
  ]);
  return { classes, grades, classifies, unoffered, onlyMine, identity, now: client.now() };
}

export default function ClassManage({ loaderData }: Route.ComponentProps) {
  const { classes, grades, classifies, unoffered, onlyMine, identity, now } = loaderData;
  const view = useAddress(classList).without(...unoffered);
  const { filter } = view;
  return (
    <Screen title="班级管理">
      <List<ClassRow>
        view={view}
        result={classes}
        caption="班级列表"
        columns={[
          {
            key: 'name',
            header: '班级名称',
            minWidth: 180,
            cell: (row) => (
              <>
                <a href={classDetail.href({ id: row.id })}>{row.name}</a>
                {row.large_class_name && <SubLine>{row.large_class_name}</SubLine>}
              </>
            ),
          },
          grades !== undefined && {
            key: 'grade',
            header: '年级',
            minWidth: 70,
            cell: (row) => row.grade_name || '-',
          },
          classifies !== undefined && {
            key: 'classify',
            header: '分类',
            minWidth: 80,
            cell: (row) => row.classify_name || '-',
          },
          numberColumn('students', '学员数', (row) => row.students_count),
          {
            key: 'status',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (
              <Tag tone={row.is_processing === 1 ? 'good' : 'plain'}>
                {row.is_processing === 1 ? '进行中' : '已结束'}
              </Tag>
            ),
          },
          { key: 'valid', header: '有效期', nowrap: true, cell: (row) => <ValidTime theClass={row} now={now} /> },
          {
            key: 'schedule',
            header: '课表',
            nowrap: true,
            cell: (row) => <Schedule row={row} href={classSchedule.href(view.here, { id: row.id })} />,
          },
          actionsColumn(({ id, name }) => [{ label: '详情', recordName: name, href: classDetail.href({ id }) }]),
        ]}
        nothing={
          !onlyMine
            ? unassignedMessages[identity === 'teacher' ? 'teacher' : 'assist']
            : view.isFiltered
              ? '您管理的班级中没有符合条件的班级'
              : '您还没有管理的班级'
        }
        next={
          onlyMine && (
            <Button component="a" href={view.with({ only_mine: false, page: undefined })}>
              查看全部班级
            </Button>
          )
        }
        nothingFound={onlyMine ? undefined : '没有符合条件的班级'}
        actions={
          <Button component="a" href={leaveInbox.href()} variant="default">
            请假审批
          </Button>
        }
        filters={{
          first: [
            { label: '班级名称', name: 'name', value: filter.name },
            grades !== undefined && {
              label: '年级',
              name: 'grade_id',
              value: filter.grade_id,
              choices: choicesOf(grades),
            },
            identity === 'teacher' && {
              label: '只看我管理的班级',
              name: 'only_mine',
              checked: onlyMine,
              off: '全部班级',
            },
          ],
          more: [
            classifies !== undefined && {
              label: '分类',
              name: 'classify_id',
              value: filter.classify_id,
              choices: choicesOf(classifies),
            },
          ],
        }}
      />
    </Screen>
  );
}

/**
 * Link to the schedule picture. It belongs to a large class; a class without one can only show a picture it got
 * earlier.
 */
function Schedule({ row, href }: { row: ClassRow; href: string }) {
  if (row.schedule_image === '' && row.large_class_id === 0) return '-';
  const what = row.schedule_image ? '查看' : '上传';
  return <RowAction label={what} recordName={row.name} href={href} />;
}
