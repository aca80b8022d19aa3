/** Tab of an exam with its question statistics, by question type and by question. */
import { examTypeName } from '#server/exams/rules.ts';
import type { ExamAnswerGroup, ExamQuestionRow } from '#server/exams/statistics.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { RateBar } from '../analysis/rate-bar.tsx';
import { answerGroupNames, rateLegend } from '../analysis/terms.ts';
import type { AddressOf } from '../lib/address.ts';
import { HintedStem } from '../questions/hinted-stem.tsx';
import { numberColumn } from '../ui/columns.tsx';
import { type GridColumn, ListTable } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import styles from './detail.analysis.module.css';
import type { TabData } from './detail.server.ts';
import { examAnswers, examQuestions } from './screens.ts';

export function QuestionTab({ shown: { table_header, table_body, list } }: { shown: TabData<'question'> }) {
  const view = useAddress(examQuestions);
  // Every graded report counts for every question, so the first question gives the number of reports.
  const graded = (list[0]?.answered_count ?? 0) + (list[0]?.un_answer_count ?? 0);
  return (
    <>
      <p className={styles.population}>基于已批改的 {graded} 份答卷，未作答按0分计</p>
      <div className={styles.types}>
        <ListTable
          caption="各题型统计"
          columns={table_header.map(
            ({ key, title }): GridColumn<Line> => ({
              key,
              header: title,
              ...(key === 'item' ? {} : { align: 'right' as const }),
              cell: (line) => lineFigure(line, key, graded),
            }),
          )}
          rows={table_body}
          rowKey={(line) => String(line.item)}
          empty="暂无题目"
        />
      </div>
      <div className={styles.population}>
        {view.filter.sort_field === 'right_rate' ? (
          <a href={view.reset}>按题号排列</a>
        ) : (
          <a href={view.with({ sort_field: 'right_rate', sort: 'asc' })}>正确率最低的排在最前</a>
        )}
      </div>
      <ListTable
        caption="题目统计"
        columns={questionColumns(view.here)}
        rows={list}
        rowKey={(row) => row.question_id}
        sorting={view.sorting}
        empty="暂无题目"
      />
    </>
  );
}

/**
 * Formats a statistic: counts as whole numbers, scores and percentages with one decimal, and a dash without reports.
 */
function lineFigure(line: Line, key: string, graded: number) {
  const figure = line[key];
  if (graded === 0 && (line.item === '平均分' || line.item === '正确率（%）')) return '-';
  return typeof figure === 'number' && line.item !== '题数' ? figure.toFixed(1) : (figure ?? '-');
}

type Line = TabData<'question'>['table_body'][number];

const countPartlyRight = (row: ExamQuestionRow) => row.answered_count - row.right_count - row.wrong_count;

interface StudentsProps {
  row: ExamQuestionRow;
  group: ExamAnswerGroup;
  count: number;
  here: AddressOf<typeof examQuestions>;
}

/** A number of students that links to the list of these students. */
const Students = ({ row, group, count, here }: StudentsProps) =>
  count === 0 ? (
    0
  ) : (
    <a
      href={examAnswers.href(here, { question_id: row.question_id, group })}
      aria-label={`${count}，第${row.sort}题${answerGroupNames[group]}学员`}
    >
      {count}
    </a>
  );

const questionColumns = (here: StudentsProps['here']): GridColumn<ExamQuestionRow>[] => [
  {
    key: 'sort',
    header: '题号',
    minWidth: 36,
    sortField: 'sort',
    sortFirst: 'asc',
    phone: 'lead',
    cell: (row) => row.sort,
  },
  {
    key: 'stem',
    header: '题干',
    minWidth: 220,
    phone: 'name',
    cell: (row) => <HintedStem id={row.question_id} html={row.ques_stem} material={row.parent_ques_stem} />,
  },
  {
    key: 'type',
    header: '题型',
    nowrap: true,
    phone: 'bare',
    cell: (row) => examTypeName(row.type, row.is_matching === 1),
  },
  numberColumn(
    'part_count',
    '部分正确',
    (row) => <Students row={row} group="part" count={countPartlyRight(row)} here={here} />,
    {
      hint: '主观题得分在0分与满分之间的人数；客观题没有部分正确，填空题只答对部分空的计入错误人数。',
    },
  ),
  numberColumn(
    'wrong_count',
    '错误人数',
    (row) => <Students row={row} group="wrong" count={row.wrong_count} here={here} />,
    { sortField: 'wrong_count', hint: '主观题得0分为错误，未作答不计入。' },
  ),
  numberColumn('un_answer_count', '未作答人数', (row) => (
    <Students row={row} group="unanswered" count={row.un_answer_count} here={here} />
  )),
  numberColumn(
    'waiting_count',
    '待批改',
    (row) => <Students row={row} group="waiting" count={row.waiting_count} here={here} />,
    { hint: '本题还没有批改的答案；其余各列只统计批改完成的答卷。' },
  ),
  {
    key: 'right_rate',
    header: '正确率',
    minWidth: 180,
    sortField: 'right_rate',
    sortFirst: 'asc',
    hint: `正确率 = 平均分 ÷ 分值 × 100%，未作答按0分计。${rateLegend}。`,
    cell: (row) =>
      row.average_score === null || row.score === 0 ? (
        '-'
      ) : (
        <RateBar
          percent={row.right_rate}
          decimals={1}
          title={`平均分${formatScore(row.average_score)}`}
          marked={row.answered_count + row.un_answer_count}
          waiting={row.waiting_count}
        />
      ),
  },
  numberColumn('score', '分值', (row) => formatScore(row.score)),
  numberColumn('average_score', '平均分', (row) => formatScore(row.average_score)),
  numberColumn('wrong_option', '易错选项', (row) => row.wrong_option, {
    hint: '被选次数最多的错误选项；没有时显示“/”。',
  }),
];
