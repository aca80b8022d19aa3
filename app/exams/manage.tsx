/** List of the exams that the user may see. */
import { ExamListExtra, type ExamRow, examCategories, listExams } from '#server/exams/contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../api/client.server.ts';
import { withExtra } from '../api/with-extra.server.ts';
import { redirectToExamGrading } from '../grading/start.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import type { Route } from './+types/manage';
import { categoryChoices } from './category.ts';
import { schoolColumn } from './columns.tsx';
import { loadExamSuggestions } from './names.server.ts';
import { examDetail, examList, examPapers, examPreview } from './screens.ts';
import { formatAudience, publishStatusChoices, publishStatusNames, schoolChoices } from './terms.ts';

export const meta: Route.MetaFunction = () => titleMeta('考试管理');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { filter } = examList.at(url);
  const [categories, list, names] = await Promise.all([
    client.send(examCategories),
    client.ask(listExams, { filter }),
    loadExamSuggestions(context, client),
  ]);
  const { data: exams, extra } = withExtra(list, ExamListExtra);
  const mayCorrect = signedInPerson(context).permissions.includes('correct');
  return {
    exams,
    schools: extra.school_list,
    classes: extra.class_list,
    categories: categoryChoices(categories),
    names,
    mayCorrect,
  };
}

export const action = (sent: Route.ActionArgs) => redirectToExamGrading(sent, examList.at(sent.url).here);

export default function ExamManage({ loaderData }: Route.ComponentProps) {
  const { exams, schools, classes, categories, names, mayCorrect } = loaderData;
  const view = useAddress(examList);
  const { filter } = view;
  const severalSchools = schools.length > 1;
  return (
    <Screen title="考试管理">
      <List<ExamRow>
        view={view}
        result={exams}
        caption="考试列表"
        columns={[
          {
            key: 'name',
            header: '考试名称',
            minWidth: 220,
            cell: ({ id, name }) => <a href={examDetail.href({ id })}>{name}</a>,
          },
          { key: 'title', header: '考试分类', minWidth: 90, phone: 'bare', cell: (row) => row.title || '-' },
          { key: 'classes', header: '考试对象', minWidth: 90, cell: (row) => formatAudience(row.class_names) },
          numberColumn('score', '总分', (row) => formatScore(row.score)),
          {
            key: 'status',
            header: '发布状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => <Tag tone={row.status === 1 ? 'good' : 'plain'}>{publishStatusNames[row.status]}</Tag>,
          },
          mayCorrect &&
            numberColumn('waiting', '待批改', ({ id, name, waiting, submitted }) =>
              waiting === 0 ? (
                '-'
              ) : (
                <a
                  href={examPapers.href({ id, test_status: 2 })}
                  title={`已提交${submitted}份`}
                  aria-label={`${waiting}份待批改，${name}`}
                >
                  {waiting}
                </a>
              ),
            ),
          severalSchools && schoolColumn(Schools),
          { key: 'nickname', header: '创建人', minWidth: 60, cell: (row) => row.nickname },
          actionsColumn(({ id, name, waiting, submitted }) => [
            mayCorrect &&
              waiting > 0 && {
                label: waiting < submitted ? '继续批改' : '去批改',
                recordName: name,
                intent: `start ${id}`,
              },
            { label: '详情', recordName: name, href: examDetail.href({ id }) },
            { label: '预览', recordName: name, href: examPreview.href({ id }) },
          ]),
        ]}
        nothing="暂无考试，考试由教务创建和发布"
        nothingFound="没有符合条件的考试"
        filters={{
          first: [
            { label: '考试名称', name: 'name', value: filter.name, suggestions: names?.names },
            { label: '考试分类', name: 'classify_id', value: filter.classify_id, choices: categories },
            { label: '发布状态', name: 'status', value: filter.status, choices: publishStatusChoices },
          ],
          more: [
            { label: '班级', name: 'class_id', value: filter.class_id, choices: choicesOf(classes) },
            severalSchools && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: schoolChoices(schools),
            },
            { label: '创建人', name: 'nickname', value: filter.nickname, suggestions: names?.creators },
            { label: '总分不低于', name: 'min_score', count: filter.min_score },
          ],
          presets: mayCorrect ? [{ label: '待批改', filter: { waiting: 1 } }] : [],
        }}
        around={(table) => <Form action={view.here}>{table}</Form>}
      />
    </Screen>
  );
}

/** Name of the exam's school, and of the schools that it is shared with. */
function Schools({ school_name, share_school_name }: ExamRow) {
  return (
    <>
      {school_name}
      {share_school_name.length > 0 && (
        <SubLine>共享给：{share_school_name.map(({ org_name }) => org_name).join('、')}</SubLine>
      )}
    </>
  );
}
