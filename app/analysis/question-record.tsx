/** Page of one question of the user's own bank: its uses in homework and exams, its results, and its edits. */
import { Button } from '@mantine/core';
import { type QuestionUse, type QuestionUses, questionUses } from '#server/analysis/question.contract.ts';
import { type HistoryRow, listQuestionHistory } from '#server/history/contract.ts';
import { showQuestions } from '#server/questions/contract.ts';
import { api } from '../api/client.server.ts';
import { examDetail } from '../exams/screens.ts';
import { Changes } from '../history/changes.tsx';
import { homeworkManage } from '../homework/screens.ts';
import { questionDetail, questionList, questionRecord } from '../questions/screens.ts';
import { ShortStem } from '../questions/short-stem.tsx';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
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
  const [[question], uses, versions] = await Promise.all([
    client.send(showQuestions, { params: { ids: String(id) } }),
    client.send(questionUses, { params: { id } }),
    client.send(listQuestionHistory, { params: { id } }),
  ]);
  return { id, stem: question?.display.ques_stem ?? '', uses, versions };
}

export default function QuestionRecord({ loaderData: { id, stem, uses, versions } }: Route.ComponentProps) {
  return (
    <Screen card>
      <h1>使用和修改记录</h1>
      <header className={styles.head}>
        <ShortStem html={stem} />
        <Button component="a" variant="default" href={questionDetail.href({ id })}>
          查看题目
        </Button>
      </header>
      <Uses uses={uses} />
      <Versions versions={versions} />
    </Screen>
  );
}

/** Figures over few reports are left out, as in the analysis of a homework. */
const percent = (value: number | null, graded: number): string =>
  value === null || graded < smallSample ? '-' : `${value}%`;

function discrimination(value: number | null, graded: number): string {
  return value === null || graded < smallSample ? '-' : `${value.toFixed(1)}（${discriminationWords(value)}）`;
}

function Uses({ uses }: { uses: QuestionUses }) {
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
          rowKey={({ kind, id }) => `${kind} ${id}`}
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

const Versions = ({ versions }: { versions: HistoryRow[] }) => (
  <section className={styles.record} aria-labelledby="versions">
    <h2 id="versions">修改记录</h2>
    <ListTable<HistoryRow>
      caption="修改记录"
      rows={versions}
      rowKey={({ id }) => id}
      empty="暂无修改记录"
      columns={[
        timeColumn('at', '时间', ({ at }) => at),
        { key: 'who', header: '操作人', nowrap: true, phone: 'bare', cell: ({ who }) => who || '系统' },
        { key: 'action', header: '动作', nowrap: true, phone: 'name', cell: (row) => row.action_name },
        { key: 'changes', header: '变化', minWidth: 260, phone: 'line', cell: (row) => <Changes row={row} /> },
      ]}
    />
  </section>
);
