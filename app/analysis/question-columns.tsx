import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import { HintedStem } from '../questions/hinted-stem.tsx';
import { numberColumn } from '../ui/columns.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { Figure, type Population, populationText, Rate } from './population.tsx';

export function questionColumns(population: Population): GridColumn<QuestionAnalysisRow>[] {
  const whose = populationText(population);
  const overSubmitted = `基于已提交的 ${population.submitted} 份作业`;
  return [
    { key: 'number', header: '题号', minWidth: 36, cell: (row) => row.number },
    {
      key: 'stem',
      header: '题干',
      minWidth: 160,
      cell: (row) => <HintedStem id={row._id} html={row.ques_stem} material={row.parent_ques_item?.ques_stem} />,
    },
    { key: 'ques_type', header: '题型', minWidth: 56, cell: (row) => questionTypeNames[row.ques_type] },
    numberColumn('total', '作答人数', (row) => <Figure value={row.total} title={overSubmitted} />, {
      hint: `作答了本题的人数。${whose}。`,
    }),
    numberColumn('right_count', '正确人数', (row) => <Figure value={row.right_count} title={overSubmitted} />, {
      sortField: 'right_count',
      hint: `主观题得满分为正确。${whose}。`,
    }),
    numberColumn('wrong_count', '错误人数', (row) => <Figure value={row.wrong_count} title={overSubmitted} />, {
      sortField: 'wrong_count',
      hint: `主观题得0分为错误，未作答不计入。${whose}。`,
    }),
    numberColumn(
      'average_right_rate',
      '平均正确率',
      (row) => <Rate percent={row.average_right_percent} n={row.submitted} title={overSubmitted} />,
      { sortField: 'average_right_rate', hint: `平均正确率 = 平均分 ÷ 分值 × 100%，未作答按0分计。${whose}。` },
    ),
    numberColumn('ques_score', '分值', (row) => shownScore(row.ques_score)),
    numberColumn(
      'average_score',
      '平均分',
      (row) => <Figure value={shownScore(row.average_score)} title={overSubmitted} />,
      { hint: `所有已提交作业的平均得分，未作答按0分计。${whose}。` },
    ),
    numberColumn('fallibility_option', '易错项', (row) => row.fallibility_option, {
      hint: '被选次数最多的错误选项；没有时显示“/”。',
    }),
    numberColumn(
      'un_answer_count',
      '未作答人数',
      (row) => <Figure value={row.un_answer_count} title={overSubmitted} />,
      { hint: `提交了作业但没有作答本题的人数。${whose}。` },
    ),
  ];
}
