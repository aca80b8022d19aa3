/** CurriculumDetail: `/curriculum/detail?id=&tab=`: 1 students, 2 attendance, 3 homework (document 3, section 2). */
import { data, useOutlet } from 'react-router';
import {
  classAttendance,
  showTeamClass,
  TeamStudentFilter,
  teamSessions,
  teamStudents,
} from '#server/group-classes/contract.ts';
import { TeamHomeworkFilter, teamHomework } from '#server/homework/contract.ts';
import { type ApiClient, api } from '../api.server.ts';
import { readSearch, searchOf } from '../lib/search.ts';
import { SessionHomeworkTable } from '../sessions/session-homework.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { useTimezone } from '../shell/use-school.ts';
import { FilterForm, RangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/detail';
import { AttendanceGrid } from './attendance-grid.tsx';
import { ClassHead } from './class-head.tsx';
import styles from './group-classes.module.css';
import { studentColumns } from './student-columns.tsx';

export const handle = { crumbs: [{ label: '团课管理', href: '/curriculum' }, { label: '班级详情' }] };

export const meta: Route.MetaFunction = () => [{ title: '团课班级详情 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { class_homework_module } = signedInPerson(context).settings;
  const id = url.searchParams.get('id') ?? '';
  if (!/^\d{1,9}$/.test(id)) throw data({ msg: '班级不存在' }, { status: 404 });
  const named = url.searchParams.get('tab');
  const tab = named === '3' && !class_homework_module ? '1' : named;
  const [team, shown] = await Promise.all([
    client.send(showTeamClass, { params: { id } }),
    tab === '2'
      ? loadAttendance(client, id)
      : tab === '3'
        ? loadHomework(client, id, url)
        : loadStudents(client, id, url),
  ]);
  return { team, ...shown, class_homework_module, at: url.searchParams.get('at') };
}

const loadStudents = async (client: ApiClient, id: string, url: URL) => {
  const filter = readSearch(TeamStudentFilter, url.searchParams);
  return { tab: '1' as const, students: await client.send(teamStudents, { params: { id }, query: filter }) };
};

const loadAttendance = async (client: ApiClient, id: string) => {
  const [sessions, students] = await Promise.all([
    client.send(teamSessions, { params: { id }, query: { limit: 999_999 } }),
    client.send(classAttendance, { params: { id } }),
  ]);
  return { tab: '2' as const, sessions: sessions.list, students };
};

const loadHomework = async (client: ApiClient, id: string, url: URL) => {
  const filter = readSearch(TeamHomeworkFilter, url.searchParams);
  const homework = await client.send(teamHomework, { query: { ...filter, type: 3, class_id: id } });
  return { tab: '3' as const, filter, homework };
};

export default function CurriculumDetail({ loaderData }: Route.ComponentProps) {
  const { team, class_homework_module } = loaderData;
  const dialog = useOutlet();
  const timezone = useTimezone();
  const here = (tab: string, more: Record<string, string | number | undefined> = {}) =>
    `/curriculum/detail${searchOf({ id: team.id, tab, ...more, page: more.page === 1 ? undefined : more.page })}`;
  return (
    <>
      <main inert={dialog !== null} className={styles.page}>
        <ClassHead team={team} />
        <Tabs
          label="团课班级"
          current={loaderData.tab}
          tabs={[
            { key: '1', label: '在读学员', href: here('1') },
            { key: '2', label: '考勤', href: here('2') },
            ...(class_homework_module ? [{ key: '3', label: '作业', href: here('3') }] : []),
          ]}
        />
        {loaderData.tab === '1' && (
          <>
            <ListTable
              caption="在读学员"
              columns={studentColumns(timezone)}
              rows={loaderData.students.list}
              rowKey={({ clue_id }) => clue_id}
              empty="该班级还没有学员"
            />
            <Pager {...loaderData.students} href={(page) => here('1', { page })} />
          </>
        )}
        {loaderData.tab === '2' && (
          <AttendanceGrid
            classId={team.id}
            sessions={loaderData.sessions}
            students={loaderData.students}
            at={loaderData.at}
          />
        )}
        {loaderData.tab === '3' && <ClassHomework {...loaderData} here={here} />}
      </main>
      {dialog}
    </>
  );
}

type HomeworkTab = Awaited<ReturnType<typeof loadHomework>>;

function ClassHomework({
  filter,
  homework,
  team,
  here,
}: Pick<HomeworkTab, 'filter' | 'homework'> & {
  team: { id: number };
  here: (tab: string, more?: Record<string, string | number | undefined>) => string;
}) {
  const { hw_name, start_time, end_time } = filter;
  const isFiltered = [hw_name, start_time, end_time].some((value) => value !== undefined);
  return (
    <div>
      <FilterForm action="/curriculum/detail" keep={{ id: team.id, tab: 3 }} resetHref={here('3')}>
        <TextFilter label="作业名称" name="hw_name" value={hw_name} />
        <RangeFilter label="发布时间" from={['start_time', start_time]} to={['end_time', end_time]} />
      </FilterForm>
      <SessionHomeworkTable
        homework={homework.list}
        empty={
          isFiltered ? (
            <>
              没有符合条件的作业，<a href={here('3')}>清除筛选</a>
            </>
          ) : (
            '该班级还没有作业'
          )
        }
      />
      <Pager {...homework} href={(page) => here('3', { hw_name, start_time, end_time, page })} />
    </div>
  );
}
