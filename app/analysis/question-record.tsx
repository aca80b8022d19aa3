/** Page of one question of the user's own bank: its uses in homework and exams, its results, and its edits. */
import { Button } from '@mantine/core';
import { type QuestionUse, type QuestionUses, questionUses } from '#server/analysis/question.contract.ts';
import { type HistoryRow, listQuestionHistory } from '#server/history/contract.ts';
import { showQuestions } from '#server/questions/contract.ts';
import { listMerges, type Merge, undoMerge } from '#server/questions/similar.contract.ts';
import { api } from '../api/client.server.ts';
import { examDetail } from '../exams/screens.ts';
import { Changes } from '../history/changes.tsx';
import { homeworkManage } from '../homework/screens.ts';
import { questionDetail, questionList, questionRecord } from '../questions/screens.ts';
import { ShortStem } from '../questions/short-stem.tsx';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { Form } from '../ui/form.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/question-record';
import { smallSample } from './population.tsx';
import styles from './question-record.module.css';
import { homeworkDetail } from './screens.ts';
import { discriminationWords } from './terms.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '作业管理', href: homeworkManage.href() },
    { label: '我的题目', href: questionList.href() },
    { label: '使用和修改记录' },
  ],
};

export const meta: Route.MetaFunction = () => titleMeta('使用和修改记录');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id } = questionRecord.at(url);
  const client = context.get(api);
  const [[question], uses, versions, merges] = await Promise.all([
    client.send(showQuestions, { params: { ids: String(id) } }),
    client.send(questionUses, { params: { id } }),
    client.send(listQuestionHistory, { params: { id } }),
    client.send(listMerges, { params: { id } }),
  ]);
  return { id, stem: question?.display.ques_stem ?? '', uses, versions, merges };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const [, id = ''] = readButton(await readPostedForm(request, context), 'undo');
  return redirectBack(context, await context.get(api).ask(undoMerge, { params: { id } }), url);
}

export default function QuestionRecord({ loaderData: { id, stem, uses, versions, merges } }: Route.ComponentProps) {
  return (
    <Screen card>
      <h1>使用和修改记录</h1>
      <header className={styles.head}>
        <ShortStem html={stem} />
        <Button component="a" variant="default" href={questionDetail.href({ id })}>
          查看题目
        </Button>
      </header>
      <Uses uses={uses} merges={merges} />
      <Versions versions={versions} merges={merges} />
      {merges.length > 0 && <Merges merges={merges} />}
    </Screen>
  );
}

/** Figures over few reports are left out, as in the analysis of a homework. */
const percent = (value: number | null, graded: number): string =>
  value === null || graded < smallSample ? '-' : `${value}%`;

function discrimination(value: number | null, graded: number): string {
  return value === null || graded < smallSample ? '-' : `${value.toFixed(1)}（${discriminationWords(value)}）`;
}

/** Says from which question a row comes, if some were merged into the one of the page. */
const originColumn = (merges: readonly Merge[]) => ({
  key: 'origin',
  header: '来源',
  minWidth: 120,
  cell: (row: { question_id: number } | { record_id: number }) => {
    const id = 'record_id' in row ? row.record_id : row.question_id;
    const merge = merges.find(({ question_id }) => question_id === id);
    return merge ? `并入的题目：${beginningOf(merge)}` : '本题';
  },
});

const beginningOf = ({ stem_text }: Merge): string => stem_text.slice(0, 30) || '（题干没有文字）';

const Merges = ({ merges }: { merges: Merge[] }) => (
  <section className={styles.record} aria-labelledby="merges">
    <h2 id="merges">并入的题目</h2>
    <Form>
      <ListTable<Merge>
        caption="并入的题目"
        rows={merges}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          { key: 'stem', header: '题干', minWidth: 200, phone: 'name', cell: beginningOf },
          timeColumn('at', '合并时间', ({ merged_at }) => merged_at),
          actionsColumn((merge) => [
            {
              label: '撤销合并',
              recordName: beginningOf(merge),
              ...(merge.can_undo === 1
                ? { intent: `undo ${merge.id}` }
                : { fault: '并入的是另一道已合并的题目，请先撤销那一次合并' }),
            },
          ]),
        ]}
      />
    </Form>
  </section>
);

interface UsesProps {
  uses: QuestionUses;
  merges: readonly Merge[];
}

function Uses({ uses, merges }: UsesProps) {
  const { list, total, hidden, graded } = uses;
  return (
    <section className={styles.record} aria-labelledby="uses">
      <h2 id="uses">使用情况</h2>
      <p>
        {total === 0
          ? '还没有在已发布的作业或考试中使用'
          : `在 ${total} 次作业和考试中使用，已批改 ${graded} 份；难度系数 ${percent(uses.facility, graded)}，区分度 ${discrimination(uses.discrimination, graded)}`}
        {hidden > 0 && `；其中 ${hidden} 次您不可查看，只计入合计`}
        {total > 0 && graded < smallSample && `。已批改少于 ${smallSample} 份，不作判断`}
      </p>
      {list.length > 0 && (
        <ListTable<QuestionUse>
          caption="使用过这道题的作业和考试"
          rows={list}
          rowKey={({ kind, id, question_id }) => `${kind} ${id} ${question_id}`}
          empty={null}
          columns={[
            {
              key: 'name',
              header: '名称',
              minWidth: 200,
              phone: 'name',
              cell: ({ kind, id, name }) => (
                <a
                  href={
                    kind === 'exam' ? examDetail.href({ id }) : homeworkDetail.href({ hw_id: id, class_id: 0, tab: 1 })
                  }
                >
                  {name}
                </a>
              ),
            },
            { key: 'kind', header: '类型', nowrap: true, phone: 'bare', cell: ({ kind }) => kindNames[kind] },
            merges.length > 0 && originColumn(merges),
            timeColumn('at', '发布时间', ({ at }) => at),
            { key: 'graded', header: '已批改', align: 'right', nowrap: true, cell: (use) => `${use.graded} 份` },
            {
              key: 'facility',
              header: '难度系数',
              hint: '平均得分占满分的比例',
              align: 'right',
              nowrap: true,
              cell: (use) => percent(use.facility, use.graded),
            },
            {
              key: 'discrimination',
              header: '区分度',
              hint: '本题得分与其余题目总分是否一致，-100～100',
              align: 'right',
              nowrap: true,
              cell: (use) => (use.graded < smallSample ? '-' : (use.discrimination?.toFixed(1) ?? '-')),
            },
          ]}
        />
      )}
    </section>
  );
}

const kindNames = { homework: '作业', exam: '考试' } as const;

const Versions = ({ versions, merges }: { versions: HistoryRow[]; merges: readonly Merge[] }) => (
  <section className={styles.record} aria-labelledby="versions">
    <h2 id="versions">修改记录</h2>
    <ListTable<HistoryRow>
      caption="修改记录"
      rows={versions}
      rowKey={({ id }) => id}
      empty="暂无修改记录"
      columns={[
        timeColumn('at', '时间', ({ at }) => at),
        merges.length > 0 && originColumn(merges),
        { key: 'who', header: '操作人', nowrap: true, phone: 'bare', cell: ({ who }) => who || '系统' },
        { key: 'action', header: '动作', nowrap: true, phone: 'name', cell: (row) => row.action_name },
        { key: 'changes', header: '变化', minWidth: 260, phone: 'line', cell: (row) => <Changes row={row} /> },
      ]}
    />
  </section>
);
