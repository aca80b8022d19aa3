/** Tab of an exam with its score statistics: figures, and the distribution as a table and, on request, as a chart. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ExamInfo } from '#server/exams/contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { populationText } from '../analysis/population.tsx';
import { ChartSpace } from '../shell/chart-space.tsx';
import { numberColumn } from '../ui/columns.tsx';
import { Empty } from '../ui/empty.tsx';
import { Figures } from '../ui/figures.tsx';
import { Island } from '../ui/island.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { TabData } from './detail.server.ts';
import { examDetail } from './screens.ts';
import { formatUsedTime, percentText } from './terms.ts';

export interface ScoreBand {
  /** Bounds of the band in points, such as `0.1-0.3`. */
  label: string;
  reports: number;
  percent: number;
}

export function ScoreTab({ exam, shown }: { exam: ExamInfo; shown: TabData<'score'> }) {
  const { statistics, charts_data, view } = shown;
  const other = view === 'chart' ? 'list' : 'chart';
  const { graded_nums, submitted_nums } = statistics;
  const overGraded = `基于已批改的 ${graded_nums} 份答卷`;
  const overPeople = `每名学员只计有效成绩，共 ${statistics.ranked_users_num} 人`;
  const ofGraded = (text: string) => (graded_nums === 0 ? '-' : text);
  const figures: [name: string, value: ReactNode, about: string][] = [
    ['平均正确率', exam.score === 0 ? '-' : ofGraded(percentText(statistics.average_right_percent)), overGraded],
    ['平均分', formatScore(statistics.average_score), overGraded],
    ['最高分', formatScore(statistics.max_score), overGraded],
    ['最低分', formatScore(statistics.min_score), overGraded],
    [
      '平均用时',
      statistics.average_answer_time === null ? '-' : formatUsedTime(statistics.average_answer_time),
      `基于已提交的 ${submitted_nums} 份答卷`,
    ],
    ['参加人数', `${statistics.answer_users_num} 人`, '提交过答卷的学员'],
    [
      '及格人数',
      statistics.ranked_users_num === 0 ? '-' : `${statistics.pass_users_num} 人`,
      `得分不低于及格分 ${formatScore(exam.pass_score)} 的学员，${overPeople}`,
    ],
    ['及格率', statistics.ranked_users_num === 0 ? '-' : percentText(statistics.pass_percent), overPeople],
  ];
  const bands = charts_data.scoreSteps.map((label, index) => ({
    label,
    reports: charts_data.userNums[index] ?? 0,
    percent: charts_data.percent[index] ?? 0,
  }));
  return (
    <>
      <Toolbar start={populationText({ submitted: submitted_nums, graded: graded_nums })}>
        {graded_nums > 0 && bands.length > 0 && (
          <Button component="a" variant="default" href={examDetail.href({ id: exam.id, tab: 'score', view: other })}>
            {other === 'chart' ? '图表视图' : '列表视图'}
          </Button>
        )}
      </Toolbar>
      <Figures figures={figures} />
      {graded_nums === 0 ? (
        <Empty>
          {submitted_nums === 0 ? '暂无学员提交试卷' : `已提交 ${submitted_nums} 份答卷，批改后才有成绩分布`}
        </Empty>
      ) : bands.length === 0 ? (
        <Empty>本场考试不计分，没有成绩分布</Empty>
      ) : (
        <>
          {/* Without client JS, bars in the table replace the chart. */}
          {view === 'chart' && (
            <Island name="score-chart.island" props={{ bands }} fallback={<ChartSpace height={360} />} />
          )}
          <ListTable
            caption="成绩分布"
            columns={bandColumns(graded_nums)}
            rows={bands}
            rowKey={({ label }) => label}
            empty="暂无数据"
          />
        </>
      )}
    </>
  );
}

const bandColumns = (graded: number): Column<ScoreBand>[] => [
  {
    key: 'step',
    header: '分数段',
    nowrap: true,
    hint: '高于下限，不高于上限；第一段含0分。',
    cell: ({ label }) => `${label.replace('-', '～')} 分`,
  },
  numberColumn('reports', '人次', ({ reports }) => reports),
  {
    key: 'percent',
    header: '占比',
    minWidth: 260,
    hint: `占已批改的 ${graded} 份答卷的比例。`,
    cell: ({ percent, reports }) => <ShareBar percent={percent} decimals={1} title={`${reports}/${graded} 份`} />,
  },
];
