/** A student's results over consecutive homework, as a line chart and a table with the same numbers. */
import { changeWord } from '#server/analysis/rules.ts';
import type { ProgressPoint, StudentProgress } from '#server/analysis/transcript.contract.ts';
import { homeworkSheet } from '../grading/screens.ts';
import { formatPercent } from '../lib/amounts.ts';
import { ListTable } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { smallSample } from './population.tsx';
import styles from './progress.analysis.module.css';
import { scoreRateLevel } from './terms.ts';

export function Progress({ classId, ...progress }: StudentProgress & { classId: number }) {
  const { current, earlier } = progress;
  const points = current ? [...earlier, current] : earlier;
  if (points.length === 0) return null;
  return (
    <section className={styles.progress} aria-label="进步情况">
      <h2>进步情况</h2>
      <p>{progressWords(progress)}</p>
      {points.length > 1 && <Line points={points} />}
      <ListTable<ProgressPoint>
        caption="最近的作业"
        columns={[
          {
            key: 'homework_name',
            header: '作业名称',
            minWidth: 160,
            cell: ({ report_id, homework_name }) => (
              <>
                <a href={homeworkSheet.href({ report_id, class_id: classId })}>{homework_name}</a>
                {report_id === current?.report_id && '（本次）'}
              </>
            ),
          },
          timeColumn('publish_time', '发布时间', (row) => row.publish_time),
          {
            key: 'rate',
            header: '得分率',
            minWidth: 180,
            cell: ({ rate }) => <ShareBar percent={rate} color={scoreRateLevel(rate).color} title="得分占满分的比例" />,
          },
          { key: 'rank', header: '排名', nowrap: true, cell: rankText },
        ]}
        rows={[...points].reverse()}
        rowKey={(row) => row.report_id}
        empty="暂无已批改的作业"
      />
    </section>
  );
}

/** Formats a rank, such as 12/57（中上）. With few reports, leaves out the word. */
function rankText({ rank, of }: ProgressPoint): string {
  const place = `${rank}/${of}`;
  if (of < smallSample) return place;
  const share = rank / of;
  const word = share <= 0.25 ? '靠前' : share <= 0.5 ? '中上' : share <= 0.75 ? '中下' : '靠后';
  return `${place}（${word}）`;
}

function progressWords({ current, earlier, earlier_rate, change }: StudentProgress): string {
  if (!current) return `本次作业尚未批改完成，以下为此前${earlier.length}次作业。`;
  const own = `本次得分率 ${formatPercent(current.rate)}，排名 ${rankText(current)}`;
  if (earlier_rate === null || change === null) return `${own}；此前没有已批改的作业。`;
  const points = change === 0 ? '' : `${change > 0 ? '高' : '低'} ${Math.abs(change)} 个百分点，`;
  return `${own}；与此前${earlier.length}次作业的平均得分率 ${formatPercent(earlier_rate)} 相比${points}${changeWord(change)}。`;
}

const size = { width: 240, height: 56, edge: 6 } as const;

/** Line chart of rates from 0 to 100. Hidden from screen readers: the table has the numbers. */
function Line({ points }: { points: ProgressPoint[] }) {
  const { width, height, edge } = size;
  const at = points.map(({ rate }, index) => ({
    x: Math.round(edge + (index * (width - 2 * edge)) / (points.length - 1)),
    y: Math.round(height - edge - (rate * (height - 2 * edge)) / 100),
  }));
  return (
    <svg className={styles.line} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <polyline points={at.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {at.map(({ x, y }, index) => (
        <circle key={points[index]?.report_id} cx={x} cy={y} r={index === at.length - 1 ? 4 : 2.5} />
      ))}
    </svg>
  );
}
