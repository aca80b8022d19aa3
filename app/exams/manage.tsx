/** ExamManage (document 2, section 2.6): the exams that one sees. */
import { ExamFilter, ExamListExtra, type ExamRow, examCategories, listExams } from '#server/exams/contract.ts';
import { points } from '../analysis/figures.tsx';
import { api } from '../api.server.ts';
import { listSearch, readSearch } from '../lib/search.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/manage';
import { withExtra } from './answered.server.ts';
import { categoryLevels, chosenCategories } from './category.ts';
import styles from './manage.module.css';
import { publishStatusChoices, publishStatusNames, schoolChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => [{ title: '考试管理 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const categories = await client.send(examCategories);
  const chosen = chosenCategories(categories, url.searchParams);
  const filter = { ...readSearch(ExamFilter, url.searchParams), classify_id: chosen.at(-1)?.id };
  const { data: exams, extra } = withExtra(await client.ask(listExams, { query: filter }), ExamListExtra);
  return { filter, exams, schools: extra.school_list, levels: categoryLevels(categories, chosen) };
}

const levelNames = ['考试分类', '二级分类', '三级分类', '四级分类', '五级分类'];

export default function ExamManage({ loaderData: { filter, exams, schools, levels } }: Route.ComponentProps) {
  const severalSchools = schools.length > 1;
  const filtered = [filter.name, filter.classify_id, filter.school_id, filter.status, filter.nickname].some(Boolean);
  return (
    <main>
      <h1 className="visually-hidden">考试管理</h1>
      <FilterForm action="/exams" keep={{ limit: filter.limit === 20 ? undefined : filter.limit }} resetHref="/exams">
        <TextFilter label="考试名称" name="name" value={filter.name} />
        {levels.map(({ name, choices, value }, level) => (
          <ChoiceFilter
            key={name}
            label={levelNames[level] ?? '下级分类'}
            name={name}
            value={value}
            choices={choices.map((category) => [category.id, category.name] as const)}
          />
        ))}
        {severalSchools && (
          <ChoiceFilter label="学校" name="school_id" value={filter.school_id} choices={schoolChoices(schools)} />
        )}
        <ChoiceFilter label="发布状态" name="status" value={filter.status} choices={publishStatusChoices} />
        <TextFilter label="创建人" name="nickname" value={filter.nickname} />
      </FilterForm>
      <ListTable
        caption="考试列表"
        columns={columnsFor(severalSchools)}
        rows={exams.list}
        rowKey={(row) => row.id}
        empty={
          filtered ? (
            <>
              没有符合条件的考试，<a href="/exams">清除筛选</a>
            </>
          ) : (
            '暂无考试'
          )
        }
      />
      <Pager {...exams} href={(page) => `/exams${listSearch(filter, { page })}`} />
    </main>
  );
}

function columnsFor(severalSchools: boolean): Column<ExamRow>[] {
  return [
    { key: 'name', header: '考试名称', minWidth: 220, cell: (row) => <span className={styles.name}>{row.name}</span> },
    { key: 'title', header: '考试分类', minWidth: 90, cell: (row) => row.title || '-' },
    { key: 'score', header: '总分', align: 'right', nowrap: true, cell: (row) => points(row.score) },
    {
      key: 'status',
      header: '发布状态',
      nowrap: true,
      cell: (row) => <Tag tone={row.status === 1 ? 'good' : 'outlined'}>{publishStatusNames[row.status]}</Tag>,
    },
    ...(severalSchools
      ? [{ key: 'school', header: '学校', minWidth: 150, cell: Schools } satisfies Column<ExamRow>]
      : []),
    { key: 'nickname', header: '创建人', minWidth: 60, cell: (row) => row.nickname },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: ({ id, name }) => (
        <div className={styles.actions}>
          <a className={rowAction} href={`/exams/detail?id=${id}`} aria-label={`${name}，详情`}>
            详情
          </a>
          <a className={rowAction} href={`/exams/preview?id=${id}`} aria-label={`${name}，预览`}>
            预览
          </a>
        </div>
      ),
    },
  ];
}

/** The exam's own school, and those that it is shared with. */
function Schools({ school_name, share_school_name }: ExamRow) {
  return (
    <>
      {school_name}
      {share_school_name.length > 0 && (
        <span className={styles.shared}>共享给：{share_school_name.map(({ org_name }) => org_name).join('、')}</span>
      )}
    </>
  );
}
