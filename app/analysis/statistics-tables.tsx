/** Statistics by question type and by question, with a bar for each rate. */
import type { QuestionStatistics, TypeStatistics } from '#server/analysis/question.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import { ShortStem } from '../questions/short-stem.tsx';
import { numberColumn } from '../ui/columns.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { SampleSize, submittedText, TitledFigure } from './population.tsx';
import { isRateUnknown, WaitingCount } from './rate-bar.tsx';

const SubmittedRate = ({ percent, n }: { percent: number | null; n: number }) => (
  <ShareBar percent={percent} title={submittedText(n)} note={<SampleSize n={n} />} />
);

interface ScoreRateProps {
  percent: number;
  /** `asked`: number of all answers. `waiting`: number of ungraded ones. */
  asked: number;
  waiting: number;
  n: number;
}

function ScoreRate({ percent, asked, waiting, n }: ScoreRateProps) {
  const marked = asked - waiting;
  return (
    <>
      <ShareBar
        percent={isRateUnknown({ marked, waiting }) ? null : percent}
        title={`基于已批改的 ${marked} 份作答`}
        note={<SampleSize n={n} />}
        tone="second"
      />
      {waiting > 0 && <WaitingCount count={waiting} />}
    </>
  );
}

const typeColumns: Column<TypeStatistics>[] = [
  { key: 'name', header: '题型', nowrap: true, cell: (row) => row.name },
  numberColumn(
    'average_right_answer',
    '平均答对题数',
    (row) => <TitledFigure value={row.average_right_answer?.toFixed(1) ?? '-'} title={submittedText(row.submitted)} />,
    { hint: '每份已提交作业平均答对的题数；简答题不统计。' },
  ),
  numberColumn('total', '总题数', (row) => row.total),
  numberColumn('average_score', '平均得分', (row) => (
    <TitledFigure value={formatScore(row.average_score)} title={submittedText(row.submitted)} />
  )),
  numberColumn('score', '总分值', (row) => formatScore(row.score)),
  {
    key: 'correct_rate',
    header: '完全正确率',
    minWidth: 200,
    hint: '得满分的题数占总题数的比例；简答题不统计。',
    cell: (row) => <SubmittedRate percent={row.correct_rate} n={row.submitted} />,
  },
  {
    key: 'score_rate',
    header: '得分率',
    minWidth: 200,
    hint: '已批改的作答的平均得分占分值的比例，未作答按0分计。题目分析称为平均正确率。',
    cell: (row) => (
      <ScoreRate
        percent={row.score_rate}
        asked={row.submitted * row.total}
        waiting={row.waiting_count}
        n={row.submitted}
      />
    ),
  },
];

const questionColumns: Column<QuestionStatistics>[] = [
  { key: 'number', header: '题号', nowrap: true, cell: (row) => row.number },
  {
    key: 'stem',
    header: '题干',
    minWidth: 160,
    cell: (row) => <ShortStem html={row.ques_stem} />,
  },
  { key: 'ques_type', header: '题型', nowrap: true, cell: (row) => questionTypeNames[row.ques_type] },
  numberColumn('total_right', '答对人数/提交人数', (row) => `${row.total_right ?? '-'}/${row.total}`),
  numberColumn('average_score', '平均得分/分值', (row) => (
    <TitledFigure
      value={`${formatScore(row.average_score)}/${formatScore(row.ques_score)}`}
      title={submittedText(row.total)}
    />
  )),
  {
    key: 'correct_rate',
    header: '完全正确率',
    minWidth: 170,
    hint: '得满分的人数占提交人数的比例；简答题不统计。',
    cell: (row) => <SubmittedRate percent={row.correct_rate} n={row.total} />,
  },
  {
    key: 'score_rate',
    header: '得分率',
    minWidth: 170,
    hint: '已批改的作答的平均得分占分值的比例，未作答按0分计。题目分析称为平均正确率，是同一个数。',
    cell: (row) => (
      <ScoreRate
        percent={row.score_rate}
        asked={row.total}
        waiting={row.waiting_count}
        n={row.total - row.waiting_count}
      />
    ),
  },
];

export function TypeTable({ types }: { types: TypeStatistics[] }) {
  return (
    <ListTable caption="题型统计" columns={typeColumns} rows={types} rowKey={(row) => row.type} empty="暂无题目" />
  );
}

export function QuestionTable({ questions }: { questions: QuestionStatistics[] }) {
  return (
    <ListTable
      caption="题目统计"
      columns={questionColumns}
      rows={questions}
      rowKey={(row) => row.id}
      empty="暂无题目"
    />
  );
}
