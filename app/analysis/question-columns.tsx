import type { AnswerGroup, QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import type { AddressOf } from '../lib/address.ts';
import { HintedStem } from '../questions/hinted-stem.tsx';
import { numberColumn } from '../ui/columns.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { type Population, populationText, submittedText, TitledFigure } from './population.tsx';
import { RateBar } from './rate-bar.tsx';
import { type detailScreens, questionStudents } from './screens.ts';
import { answerGroupNames, rateLegend } from './terms.ts';

/** Columns of the question analysis. `here` is the address over which the students behind a count open. */
export function questionColumns(
  population: Population,
  here: AddressOf<typeof detailScreens>,
): GridColumn<QuestionAnalysisRow>[] {
  const whose = populationText(population);
  const overSubmitted = `基于已提交的 ${population.submitted} 份作业`;
  const Students = ({ row, group, count }: { row: QuestionAnalysisRow; group: AnswerGroup; count: number }) =>
    count === 0 ? (
      <TitledFigure value={0} title={overSubmitted} />
    ) : (
      <a
        href={questionStudents.href(here, { ques_id: row._id, group })}
        title={overSubmitted}
        aria-label={`${count}，第${row.number}题${answerGroupNames[group]}学员`}
      >
        {count}
      </a>
    );
  return [
    {
      key: 'number',
      header: '题号',
      minWidth: 36,
      phone: 'lead',
      sortField: 'number',
      sortFirst: 'asc',
      cell: (row) => row.number,
    },
    {
      key: 'stem',
      header: '题干',
      minWidth: 240,
      phone: 'name',
      cell: (row) => <HintedStem id={row._id} html={row.ques_stem} material={row.parent_ques_item?.ques_stem} />,
    },
    { key: 'ques_type', header: '题型', minWidth: 56, phone: 'bare', cell: (row) => questionTypeNames[row.ques_type] },
    numberColumn('total', '作答人数', (row) => <Students row={row} group="answered" count={row.total} />, {
      hint: `作答了本题的人数，与未作答人数合计为提交人数。${whose}。`,
    }),
    numberColumn('right_count', '正确人数', (row) => <Students row={row} group="right" count={row.right_count} />, {
      sortField: 'right_count',
      hint: `主观题得满分为正确。正确、部分正确、错误与未作答合计为提交人数。${whose}。`,
    }),
    numberColumn('part_count', '部分正确', (row) => <Students row={row} group="part" count={row.part_count} />, {
      hint: `主观题得分在0分与满分之间的人数；客观题没有部分正确，填空题只答对部分空的计入错误人数。${whose}。`,
    }),
    numberColumn('wrong_count', '错误人数', (row) => <Students row={row} group="wrong" count={row.wrong_count} />, {
      sortField: 'wrong_count',
      hint: `主观题得0分为错误，未作答不计入。${whose}。`,
    }),
    numberColumn(
      'un_answer_count',
      '未作答人数',
      (row) => <Students row={row} group="unanswered" count={row.un_answer_count} />,
      { hint: `提交了作业但没有作答本题的人数。${whose}。` },
    ),
    {
      key: 'average_right_rate',
      header: '平均正确率',
      minWidth: 150,
      phone: 'line',
      sortField: 'average_right_rate',
      sortFirst: 'asc',
      hint: `平均正确率 = 平均分 ÷ 分值 × 100%，未作答按0分计，与作业统计的“得分率”是同一个数；作业统计的“完全正确率”只算得满分的人数。${rateLegend}。${whose}。`,
      cell: ({ average_right_percent: percent, submitted, waiting_count: waiting }) => (
        <RateBar percent={percent} title={submittedText(submitted)} marked={submitted - waiting} waiting={waiting} />
      ),
    },
    numberColumn('ques_score', '分值', (row) => formatScore(row.ques_score)),
    numberColumn(
      'average_score',
      '平均分',
      (row) => <TitledFigure value={formatScore(row.average_score)} title={overSubmitted} />,
      { hint: `所有已提交作业的平均得分，未作答按0分计。${whose}。` },
    ),
    numberColumn('fallibility_option', '易错项', (row) => row.fallibility_option, {
      hint: '被选次数最多的错误选项；没有时显示“/”。',
    }),
  ];
}
