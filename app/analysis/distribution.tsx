/** Grade distribution as a table and, on request, as a chart. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { boundsText } from '#server/analysis/rules.ts';
import type { DistributionSummary, GradeBand } from '#server/analysis/transcript.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { formatPercent } from '../lib/amounts.ts';
import { ChartSpace } from '../shell/chart-space.tsx';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import { Figures } from '../ui/figures.tsx';
import { Island } from '../ui/island.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Detail } from './detail.server.ts';
import styles from './distribution.analysis.module.css';
import { populationText, RateWithSample } from './population.tsx';
import { bandStudents, detailScreens, type Scope } from './screens.ts';
import { bandColors, bandNames } from './terms.ts';

export function Distribution({ detail, summary }: { detail: Detail; summary: DistributionSummary }) {
  const { place, header, view } = detail;
  const screen = detailScreens.of(useLocation().pathname);
  const other = view === 'chart' ? 'list' : 'chart';
  return (
    <>
      <Toolbar start={populationText({ submitted: header.submit, graded: header.revise })}>
        <Button component="a" variant="default" href={screen.href({ ...place, tab: 3, view: other })}>
          {other === 'chart' ? '图表视图' : '列表视图'}
        </Button>
      </Toolbar>
      <GradeFigures detail={detail} summary={summary} />
      {/* Without client JS, bars in the table replace the chart. */}
      {view === 'chart' && (
        <Island name="distribution-chart.island" props={{ summary }} fallback={<ChartSpace height={274} />} />
      )}
      <ListTable
        caption="成绩分布"
        columns={bandColumns(place, summary, screen.href({ ...place, tab: 3, view }))}
        rows={summary.grade_distribution}
        rowKey={(band) => band.id}
        empty="暂无数据"
      />
    </>
  );
}

/** Label of the total: for one class its size, for all classes the number of students expected to submit. */
const totalLabel = ({ class_id }: Scope) => (class_id === 0 ? '应交人数' : '班级人数');

function GradeFigures({ detail, summary }: { detail: Detail; summary: DistributionSummary }) {
  const { graded, is_set_score, correct_rate } = summary;
  const title = `基于已批改的 ${graded} 份作业`;
  const score = (value: number | null) => (value === null ? '-' : formatScore(value));
  const rate = (value: number | null) => (value === null ? '-' : formatPercent(value));
  const figures: [string, ReactNode][] = [
    [totalLabel(detail.place), `${summary.total} 人`],
    ['平均正确率', <RateWithSample key="rate" percent={correct_rate} n={graded} title={title} />],
    ...(is_set_score === 2
      ? ([
          ['总分', formatScore(summary.score)],
          ['平均分', score(summary.average_score)],
          ['最高分', score(summary.max_score)],
          ['最低分', score(summary.min_score)],
        ] as [string, string][])
      : ([
          ['题目数量', `${summary.question_num} 题`],
          ['最高正确率', rate(summary.max_rate)],
          ['最低正确率', rate(summary.min_rate)],
        ] as [string, string][])),
  ];
  return <Figures figures={figures.map(([name, value]) => [name, value, title])} />;
}

/** Columns of the score bands. `here` is the address over which the students of a band open. */
function bandColumns(
  place: Scope,
  summary: DistributionSummary,
  here: AddressOf<typeof detailScreens>,
): (Column<GradeBand> | false)[] {
  const scored = summary.is_set_score === 2;
  return [
    {
      key: 'band',
      header: scored ? '成绩区间（占总分）' : '正确率区间',
      nowrap: true,
      cell: ({ id }) => (
        <>
          <span className={styles.swatch} style={{ background: bandColors[id] }} />
          {bandNames[id]}
        </>
      ),
    },
    scored && { key: 'score', header: '分数', nowrap: true, cell: (band) => <ScoreSpan band={band} /> },
    numberColumn('number', '人数', ({ number }) => number),
    {
      key: 'correct_rate',
      header: '占比',
      minWidth: 260,
      hint: `占${totalLabel(place)}（${summary.total} 人）的比例。`,
      cell: ({ id, number, correct_rate }) => (
        <ShareBar percent={correct_rate} title={`${number}/${summary.total} 人`} color={bandColors[id]} />
      ),
    },
    actionsColumn(({ id, min, max, number }) => [
      {
        label: '学员明细',
        recordName: bandNames[id],
        href: bandStudents.href(here, { band: String(id), min: String(min), max: String(max) }),
        fault: number > 0 ? undefined : '该区间没有学员',
      },
    ]),
  ];
}

/** Shows the bounds of a score band in whole points. The tooltip has the exact bounds. */
function ScoreSpan({ band: { id, min, max, exact_min, exact_max } }: { band: GradeBand }) {
  if (id === 0) return '-';
  return <span title={`实际区间：${boundsText(id, exact_min, exact_max)}`}>{boundsText(id, min, max)}</span>;
}
