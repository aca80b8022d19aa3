/** CurriculumManage: the group classes that an assistant looks after (document 3, section 2). */
import { data } from 'react-router';
import * as v from 'valibot';
import { listTeamClasses, TeamClassFilter, TeamSchools } from '#server/group-classes/contract.ts';
import { classifyOptions, gradeOptions, subjectOptions } from '#server/school/contract.ts';
import { api } from '../api.server.ts';
import { listSearch, readSearch } from '../lib/search.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { useTimezone } from '../shell/use-school.ts';
import { ChoiceFilter, FilterForm, TextFilter } from '../ui/filter-form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/manage';
import { teamClassColumns } from './class-columns.tsx';
import { teachingModeChoices, teamStatusChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => [{ title: '团课管理 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { show_grade, show_classify } = signedInPerson(context).settings;
  // What is not shown does not filter either.
  const filter = {
    ...readSearch(TeamClassFilter, url.searchParams),
    ...(show_grade ? {} : { grade_id: undefined }),
    ...(show_classify ? {} : { classify_id: undefined }),
  };
  const [classes, grades, classifies, subjects] = await Promise.all([
    client.ask(listTeamClasses, { query: filter }),
    show_grade ? client.send(gradeOptions) : [],
    show_classify ? client.send(classifyOptions) : [],
    client.send(subjectOptions),
  ]);
  if (!classes.ok) throw data({ msg: classes.msg }, { status: classes.status });
  const extra = v.safeParse(v.object({ schools: TeamSchools }), classes.extra);
  const schools = extra.success ? extra.output.schools : [];
  return { filter, classes: classes.data, schools, grades, classifies, subjects, show_grade, show_classify };
}

type Option = { id: number; name: string };
const choicesOf = (options: Option[]) => options.map(({ id, name }) => [id, name] as const);

export default function CurriculumManage({ loaderData }: Route.ComponentProps) {
  const { filter, classes, schools, grades, classifies, subjects, show_grade, show_classify } = loaderData;
  const timezone = useTimezone();
  const hasSchools = schools.length > 1;
  const { page: _page, limit: _limit, ...chosen } = filter;
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <main>
      <h1 className="visually-hidden">团课管理</h1>
      <FilterForm action="/curriculum" keep={{}} resetHref="/curriculum">
        <TextFilter label="班级名称" name="class_name" value={filter.class_name} />
        {hasSchools && (
          <ChoiceFilter
            label="校区"
            name="org_id"
            value={filter.org_id}
            choices={schools.map(({ id, org_name }) => [id, org_name] as const)}
          />
        )}
        {show_grade && (
          <ChoiceFilter label="年级" name="grade_id" value={filter.grade_id} choices={choicesOf(grades)} />
        )}
        {show_classify && (
          <ChoiceFilter label="分类" name="classify_id" value={filter.classify_id} choices={choicesOf(classifies)} />
        )}
        <ChoiceFilter label="科目" name="sub_id" value={filter.sub_id} choices={choicesOf(subjects)} />
        <ChoiceFilter
          label="授课方式"
          name="teaching_mode"
          value={filter.teaching_mode}
          choices={teachingModeChoices}
        />
        <ChoiceFilter label="状态" name="status" value={filter.status} choices={teamStatusChoices} />
      </FilterForm>
      <ListTable
        caption="团课班级"
        columns={teamClassColumns({ timezone, hasSchools, show_grade, show_classify })}
        rows={classes.list}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <>
              没有符合条件的班级，<a href="/curriculum">清除筛选</a>
            </>
          ) : (
            '暂无团课班级'
          )
        }
      />
      <Pager {...classes} href={(page) => `/curriculum${listSearch(filter, { page })}`} />
    </main>
  );
}
