/** List of lessons of group classes and one-to-one classes, with bulk actions. */

import { Button } from '@mantine/core';
import { classOptions, showAdminClass } from '#server/classes/admin.contract.ts';
import { type LessonRow, listLessons } from '#server/sessions/lessons.contract.ts';
import { sessionStatusNames } from '#server/sessions/rules.ts';
import { api } from '../../api/client.server.ts';
import { adminClass } from '../../classes/screens.ts';
import { localValue } from '../../lib/dates.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { importTimetable } from '../../timetable/screens.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Toolbar } from '../../ui/toolbar.tsx';
import { usePerson, useTimezone } from '../../ui/use-school.ts';
import {
  adminLessonAdd,
  adminLessonCancel,
  adminLessonEdit,
  adminLessonList,
  adminLessonMove,
  adminLessonRestore,
} from '../screens.ts';
import { sessionStatusChoices, sessionTypeChoices, sessionTypeNames, teachingModeNames } from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('排课');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listLessons);
  const client = context.get(api);
  const { filter } = adminLessonList.at(url);
  const [lessons, options] = await Promise.all([
    client.send(listLessons, { filter: { ids: [], ...filter } }),
    client.send(classOptions),
  ]);
  const [first] = lessons.list;
  // If the class has no lessons in the list, its name is loaded separately.
  const named =
    filter.class_id === undefined || first
      ? undefined
      : await client.ask(showAdminClass, { params: { id: filter.class_id } });
  const className = first?.class_name ?? (named?.ok ? named.data.name : '所选班级');
  return { lessons, options, className };
}

const tones = { 1: 'plain', 2: 'accent', 3: 'good', 4: 'bad' } as const;

export default function LessonList({ loaderData: { lessons, options, className } }: Route.ComponentProps) {
  const view = useAddress(adminLessonList);
  const timezone = useTimezone();
  const { filter } = view;
  const { schools, lecturers, rooms } = options;
  const back = view.here;
  const isImporter = usePerson()?.permissions.includes('people') ?? false;
  const add = (
    <Button component="a" href={adminLessonAdd.href({ class_id: filter.class_id })}>
      添加课次
    </Button>
  );
  return (
    <Screen title="排课">
      <List<LessonRow>
        view={view}
        result={lessons}
        caption="课次列表"
        around={(rows) => (
          <AddressForm href={adminLessonMove.href({ back })} label="所选课次">
            {lessons.list.length > 0 && (
              <Toolbar>
                <Button type="submit" variant="default">
                  批量调整
                </Button>
                <Button type="submit" variant="default" formAction={adminLessonCancel.href()}>
                  取消课次
                </Button>
                <Button type="submit" variant="default" formAction={adminLessonRestore.href()}>
                  恢复课次
                </Button>
              </Toolbar>
            )}
            {rows}
          </AddressForm>
        )}
        columns={[
          {
            key: 'pick',
            header: <span className="visually-hidden">选择</span>,
            cell: (row) => (
              <input
                type="checkbox"
                name="pick"
                value={row.id}
                aria-label={`选择${row.class_name} ${localValue(row.start_time, timezone).replace('T', ' ')}`}
              />
            ),
          },
          {
            key: 'time',
            header: '时间',
            nowrap: true,
            phone: 'name',
            cell: (row) => (
              <>
                <NearMoment at={row.start_time} />-{localValue(row.end_time, timezone).slice(11, 16)}
              </>
            ),
          },
          {
            key: 'class',
            header: '班级',
            minWidth: 150,
            cell: (row) => (
              <>
                <a href={adminClass.href({ id: row.class_id })}>{row.class_name}</a>
                <SubLine>
                  {sessionTypeNames[row.class_type]} · {row.course_title}
                </SubLine>
              </>
            ),
          },
          { key: 'chapter', header: '课题', minWidth: 90, cell: (row) => row.chapter_title || '-' },
          {
            key: 'lecturer',
            header: '讲师',
            minWidth: 80,
            cell: (row) => (
              <>
                {row.lecturer_name}
                {row.assistants && <SubLine>助教：{row.assistants}</SubLine>}
              </>
            ),
          },
          {
            key: 'room',
            header: '教室',
            cell: (row) => [teachingModeNames[row.teaching_mode], row.room_name].filter(Boolean).join(' '),
          },
          {
            key: 'status',
            header: '状态',
            minWidth: 90,
            phone: 'bare',
            cell: (row) => (
              <>
                <Tag tone={tones[row.status]}>{sessionStatusNames[row.status]}</Tag>
                {row.cancel_reason && <SubLine>{row.cancel_reason}</SubLine>}
              </>
            ),
          },
          actionsColumn((row) => [
            row.status === 2 && {
              label: '编辑',
              recordName: row.class_name,
              href: adminLessonEdit.href({ id: row.id }),
            },
          ]),
        ]}
        nothing="暂无课次"
        nothingFound={filter.class_id === undefined ? '没有符合条件的课次' : `${className}没有符合条件的课次`}
        filters={{
          first: [
            { label: '班级名称', name: 'name', value: filter.name },
            { label: '日期', from: ['start_at', filter.start_at], to: ['end_at', filter.end_at] },
          ],
          more: [
            { label: '状态', name: 'status', value: filter.status, choices: sessionStatusChoices },
            { label: '类型', name: 'class_type', value: filter.class_type, choices: sessionTypeChoices },
            { label: '讲师', name: 'lecturer_id', value: filter.lecturer_id, choices: choicesOf(lecturers) },
            { label: '教室', name: 'room_id', value: filter.room_id, choices: choicesOf(rooms) },
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: choicesOf(schools),
            },
          ],
          presets: [
            { label: '未上课', filter: { status: 2 } },
            { label: '已取消', filter: { status: 4 } },
          ],
          further: { class_id: `班级：${className}` },
        }}
        actions={
          <>
            {isImporter && (
              <Button component="a" href={importTimetable.href()} variant="default">
                按规则排课表
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
