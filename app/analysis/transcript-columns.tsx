import type { HomeworkHeader } from '#server/analysis/contract.ts';
import { changeWord, comparedHomeworkCount } from '#server/analysis/rules.ts';
import type { TranscriptRow } from '#server/analysis/transcript.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { homeworkSheet } from '../grading/screens.ts';
import { formatMinutes, formatPercent } from '../lib/amounts.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Medal } from './medal.tsx';
import { type Population, populationText } from './population.tsx';
import { type Scope, studentStatistics } from './screens.ts';
import { StatusTag } from './status-tag.tsx';

export interface TranscriptListProps {
  place: Scope;
  timezone: string;
  now: number;
  header: Pick<HomeworkHeader, 'is_set_score' | 'submit' | 'revise'>;
  rows: TranscriptRow[];
}

export const columnsOf = ({ place, timezone, now, header }: Omit<TranscriptListProps, 'rows'>) =>
  transcriptColumns({
    place,
    timezone,
    now,
    rated: header.is_set_score === 1,
    population: { submitted: header.submit, graded: header.revise },
  });

interface ColumnsContext {
  place: Scope;
  timezone: string;
  now: number;
  /** True if results are percentages (is_set_score 1). */
  rated: boolean;
  population: Population;
}

const graded = 3;

function transcriptColumns({ place, timezone, now, rated, population }: ColumnsContext): GridColumn<TranscriptRow>[] {
  const whose = populationText(population);
  const of = (name: string) => (rated ? `${name}（正确率）` : name);
  const figure = (score: number | null, rate: number | null): string => {
    if (score === null || rate === null) return '/';
    return rated ? formatPercent(rate) : formatScore(score);
  };
  return [
    { key: 'nickname', header: '学生姓名', minWidth: 120, cell: (row) => <Name row={row} place={place} /> },
    { key: 'identifier', header: '学号或尾号', nowrap: true, phone: 'bare', cell: (row) => row.identifier || '-' },
    { key: 'class_name', header: '班级', minWidth: 110, phone: 'bare', cell: (row) => row.class_name },
    {
      key: 'status',
      header: '状态',
      phone: 'bare',
      // Every status except graded counts as not submitted.
      cell: (row) => <StatusTag status={row.status === graded ? graded : 1} />,
    },
    numberColumn('answer_time', '用时', (row) => (row.answer_time === null ? '/' : formatMinutes(row.answer_time)), {
      nowrap: true,
    }),
    numberColumn(
      'rank',
      '排名',
      (row) => (row.rank === null ? '/' : <Medal rank={row.rank} of={population.graded} />),
      { hint: `按总分从高到低，同分同名次。${whose}。` },
    ),
    numberColumn('user_score', of('总分'), (row) => figure(row.user_score, row.user_rate)),
    numberColumn('objective_score', of('客观题'), (row) => figure(row.objective_score, row.objective_rate)),
    numberColumn('subjective_score', of('主观题'), (row) => figure(row.subjective_score, row.subjective_rate)),
    {
      key: 'change',
      header: '进步情况',
      nowrap: true,
      hint: `本次得分率与此前最多${comparedHomeworkCount}次已批改作业的平均得分率相差的百分点。`,
      cell: (row) => <Change row={row} />,
    },
    {
      key: 'updated_at',
      header: '提交时间',
      nowrap: true,
      cell: (row) => (row.status === graded ? <NearMoment at={row.updated_at} now={now} timezone={timezone} /> : '/'),
    },
    actionsColumn(
      ({ id, nickname, status }) => [
        status === graded && {
          label: '查看作业',
          recordName: nickname,
          href: homeworkSheet.href({ report_id: id, class_id: place.class_id }),
        },
      ],
      { none: '/' },
    ),
  ];
}

/** Shows the change against earlier homework, such as +6 进步. */
function Change({ row: { earlier_count, earlier_rate, change } }: { row: TranscriptRow }) {
  if (change === null || earlier_rate === null) return '/';
  const points = change === 0 ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change)} `;
  return (
    <span title={`此前${earlier_count}次作业的平均得分率 ${formatPercent(earlier_rate)}`}>
      {points}
      {changeWord(change)}
    </span>
  );
}

function Name({ row, place }: { row: TranscriptRow; place: Scope }) {
  if (row.status !== graded) return row.nickname;
  const { hw_id, class_id } = place;
  return <a href={studentStatistics.href({ hw_id, class_id, report_id: row.id })}>{row.nickname}</a>;
}
