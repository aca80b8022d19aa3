/** Question statistics: by type, and question by question. */

import { examTypeName } from '#server/exams/rules.ts';
import type { ExamQuestionRow } from '#server/exams/statistics.contract.ts';
import { shownScore } from '#server/platform/text/rules.ts';
import { Hint } from '../ui/hint.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import { ShortStem } from '../ui/short-stem.tsx';
import styles from './detail.module.css';
import type { TabData } from './detail.server.ts';
import { percentText } from './terms.ts';

export function QuestionTab({ shown: { table_header, table_body, list } }: { shown: TabData<'question'> }) {
  // Every submitted report counts for every question.
  const submitted = (list[0]?.answered_count ?? 0) + (list[0]?.un_answer_count ?? 0);
  return (
    <>
      <p className={styles.population}>基于已提交的 {submitted} 份答卷，未作答和待批改的题目暂按0分计</p>
      <div className={styles.types}>
        <ListTable
          caption="各题型统计"
          columns={table_header.map(
            ({ key, title }): Column<Line> => ({
              key,
              header: title,
              ...(key === 'item' ? {} : { align: 'right' as const }),
              cell: (line) => lineFigure(line, key, submitted),
            }),
          )}
          rows={table_body}
          rowKey={(line) => String(line.item)}
          empty="暂无题目"
        />
      </div>
      <ListTable caption="题目统计" columns={columns} rows={list} rowKey={(row) => row.question_id} empty="暂无题目" />
    </>
  );
}

/** Counts are whole, scores and percentages have one decimal; over no reports there are none. */
function lineFigure(line: Line, key: string, submitted: number) {
  const figure = line[key];
  if (submitted === 0 && (line.item === '平均分' || line.item === '正确率（%）')) return '-';
  return typeof figure === 'number' && line.item !== '题数' ? figure.toFixed(1) : (figure ?? '-');
}

type Line = TabData<'question'>['table_body'][number];

const columns: Column<ExamQuestionRow>[] = [
  { key: 'sort', header: '题号', minWidth: 36, cell: (row) => row.sort },
  { key: 'stem', header: '题干', minWidth: 160, cell: (row) => <Stem row={row} /> },
  { key: 'type', header: '题型', nowrap: true, cell: (row) => examTypeName(row.type, row.is_matching === 1) },
  {
    key: 'wrong_count',
    header: '错误人数',
    align: 'right',
    hint: '主观题得0分为错误，未作答不计入。',
    cell: (row) => row.wrong_count,
  },
  { key: 'un_answer_count', header: '未作答人数', align: 'right', cell: (row) => row.un_answer_count },
  {
    key: 'right_rate',
    header: '正确率',
    align: 'right',
    hint: '正确率 = 平均分 ÷ 分值 × 100%，未作答按0分计。',
    cell: (row) => (row.average_score === null ? '-' : percentText(row.right_rate)),
  },
  { key: 'score', header: '分值', align: 'right', cell: (row) => shownScore(row.score) },
  { key: 'average_score', header: '平均分', align: 'right', cell: (row) => shownScore(row.average_score) },
  {
    key: 'wrong_option',
    header: '易错选项',
    align: 'right',
    hint: '被选次数最多的错误选项；没有时显示“/”。',
    cell: (row) => row.wrong_option,
  },
];

/** Two lines of the stem; the whole of it, and the material that it belongs to, on hover and on focus. */
function Stem({ row }: { row: ExamQuestionRow }) {
  return (
    <div className={styles.stem} data-written>
      <Hint id={`stem-${row.question_id}`} content={<RichHtml html={row.ques_stem} />}>
        <ShortStem html={row.ques_stem} />
      </Hint>
      {row.parent_ques_stem !== null && (
        <Hint id={`material-${row.question_id}`} content={<RichHtml html={row.parent_ques_stem} />}>
          <span className={styles.material}>材料</span>
        </Hint>
      )}
    </div>
  );
}
