/** The columns of the question analysis, for the list and for the grid. */
import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { questionTypeNames } from '#server/questions/rules.ts';
import { Figure, type Population, populationText, Rate } from '../ui/figures.tsx';
import { Hint } from '../ui/hint.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { ShortStem } from '../ui/short-stem.tsx';
import styles from './question-columns.module.css';

export function questionColumns(population: Population): GridColumn<QuestionAnalysisRow>[] {
  const whose = populationText(population);
  const overSubmitted = `基于已提交的 ${population.submitted} 份作业`;
  return [
    { key: 'number', header: '题号', minWidth: 36, cell: (row) => row.number },
    { key: 'stem', header: '题干', minWidth: 160, cell: (row) => <Stem row={row} /> },
    { key: 'ques_type', header: '题型', minWidth: 56, cell: (row) => questionTypeNames[row.ques_type] },
    {
      key: 'total',
      header: '作答人数',
      align: 'right',
      hint: `作答了本题的人数。${whose}。`,
      cell: (row) => <Figure value={row.total} title={overSubmitted} />,
    },
    {
      key: 'right_count',
      header: '正确人数',
      align: 'right',
      sortField: 'right_count',
      hint: `主观题得满分为正确。${whose}。`,
      cell: (row) => <Figure value={row.right_count} title={overSubmitted} />,
    },
    {
      key: 'wrong_count',
      header: '错误人数',
      align: 'right',
      sortField: 'wrong_count',
      hint: `主观题得0分为错误，未作答不计入。${whose}。`,
      cell: (row) => <Figure value={row.wrong_count} title={overSubmitted} />,
    },
    {
      key: 'average_right_rate',
      header: '平均正确率',
      align: 'right',
      sortField: 'average_right_rate',
      hint: `平均正确率 = 平均分 ÷ 分值 × 100%，未作答按0分计。${whose}。`,
      cell: (row) => <Rate percent={row.average_right_percent} n={row.submitted} title={overSubmitted} />,
    },
    { key: 'ques_score', header: '分值', align: 'right', cell: (row) => shownScore(row.ques_score) },
    {
      key: 'average_score',
      header: '平均分',
      align: 'right',
      hint: `所有已提交作业的平均得分，未作答按0分计。${whose}。`,
      cell: (row) => <Figure value={shownScore(row.average_score)} title={overSubmitted} />,
    },
    {
      key: 'fallibility_option',
      header: '易错项',
      align: 'right',
      hint: '被选次数最多的错误选项；没有时显示“/”。',
      cell: (row) => row.fallibility_option,
    },
    {
      key: 'un_answer_count',
      header: '未作答人数',
      align: 'right',
      hint: `提交了作业但没有作答本题的人数。${whose}。`,
      cell: (row) => <Figure value={row.un_answer_count} title={overSubmitted} />,
    },
  ];
}

/** Two lines of the stem; the whole of it, and the material that it belongs to, on hover and on focus. */
function Stem({ row }: { row: QuestionAnalysisRow }) {
  const material = row.parent_ques_item;
  return (
    <div className={styles.stem} data-written>
      <Hint id={`stem-${row._id}`} content={<RichHtml html={row.ques_stem} />}>
        <ShortStem html={row.ques_stem} />
      </Hint>
      {material && (
        <Hint id={`material-${row._id}`} content={<RichHtml html={material.ques_stem} />}>
          <span className={styles.material}>材料</span>
        </Hint>
      )}
    </div>
  );
}
