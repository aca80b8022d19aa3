/** ExamManage: the exams that one sees. */
import { ExamListExtra, type ExamRow, examCategories, listExams } from '#server/exams/contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import { titled } from '../shell/title.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, TextFilter } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/manage';
import { withExtra } from './answered.server.ts';
import { categoryChoices } from './category.ts';
import styles from './manage.module.css';
import { examDetail, examList, examPreview } from './screens.ts';
import { publishStatusChoices, publishStatusNames, schoolChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('考试管理');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { filter } = examList.at(url);
  const [categories, list] = await Promise.all([client.send(examCategories), client.ask(listExams, { filter })]);
  const { data: exams, extra } = withExtra(list, ExamListExtra);
  return { exams, schools: extra.school_list, categories: categoryChoices(categories) };
}

export default function ExamManage({ loaderData: { exams, schools, categories } }: Route.ComponentProps) {
  const view = useAddress(examList);
  const { filter } = view;
  const severalSchools = schools.length > 1;
  return (
    <Screen title="考试管理">
      <List
        view={view}
        result={exams}
        caption="考试列表"
        columns={columnsFor(severalSchools)}
        nothing="暂无考试"
        nothingFound="没有符合条件的考试"
        filters={
          <>
            <TextFilter label="考试名称" name="name" value={filter.name} />
            <ChoiceFilter label="考试分类" name="classify_id" value={filter.classify_id} choices={categories} />
            {severalSchools && (
              <ChoiceFilter label="学校" name="school_id" value={filter.school_id} choices={schoolChoices(schools)} />
            )}
            <ChoiceFilter label="发布状态" name="status" value={filter.status} choices={publishStatusChoices} />
            <TextFilter label="创建人" name="nickname" value={filter.nickname} />
          </>
        }
      />
    </Screen>
  );
}

function columnsFor(severalSchools: boolean): Column<ExamRow>[] {
  return [
    { key: 'name', header: '考试名称', minWidth: 220, cell: (row) => <span className={styles.name}>{row.name}</span> },
    { key: 'title', header: '考试分类', minWidth: 90, cell: (row) => row.title || '-' },
    { key: 'score', header: '总分', align: 'right', nowrap: true, cell: (row) => shownScore(row.score) },
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
          <a className={rowAction} href={examDetail.href({ id })} aria-label={`${name}，详情`}>
            详情
          </a>
          <a className={rowAction} href={examPreview.href({ id })} aria-label={`${name}，预览`}>
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
