/** Details of a question: its discrimination and the chosen options. */

import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { lowDiscrimination } from '#server/analysis/rules.ts';
import { ShortStem } from '../questions/short-stem.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { SampleSize, smallSample, submittedText } from './population.tsx';
import styles from './question-details.analysis.module.css';
import { discriminationWords } from './terms.ts';

export function QuestionDetails({ row, flagged }: { row: QuestionAnalysisRow; flagged: boolean }) {
  const { options } = row;
  const { discrimination: index } = figuresOf(row);
  const parts = [
    ...(index === null ? [] : [`区分度 ${index.toFixed(1)}（${discriminationWords(index)}）`]),
    ...(options.length > 0 ? ['选项分布'] : []),
  ];
  return (
    <details className={styles.details}>
      <summary title={index === null ? undefined : '区分度：本题得分与其余题目总分是否一致，-100～100'}>
        {parts.join('，') || '更多数据'}
        {flagged && <span className={styles.look}>值得关注</span>}
      </summary>
      <QuestionFigures row={row} />
    </details>
  );
}

/** The figures of a question; null while too few reports are graded. */
const figuresOf = ({ facility, discrimination, graded }: QuestionAnalysisRow) =>
  graded < smallSample ? { facility: null, discrimination: null } : { facility, discrimination };

export function QuestionFigures({ row }: { row: QuestionAnalysisRow }) {
  const { graded, options } = row;
  const { facility, discrimination } = figuresOf(row);
  return (
    <div className={styles.panel}>
      <dl>
        <div>
          <dt>难度系数</dt>
          <dd>{facility !== null ? `${facility}%` : '-'}</dd>
          <dd className={styles.note}>已批改作业的平均得分占满分的比例，全部批改后即平均正确率</dd>
        </div>
        <div>
          <dt>区分度</dt>
          <dd>{discrimination !== null ? discrimination.toFixed(1) : '-'}</dd>
          {discrimination !== null && <dd>{discriminationWords(discrimination)}</dd>}
          <dd className={styles.note}>
            本题得分与其余题目总分的相关（-100～100），明显低于 {lowDiscrimination}（排除偶然）值得关注；无差异时为“-”
          </dd>
        </div>
        <div>
          <dt>统计范围</dt>
          <dd>已批改 {graded} 份</dd>
          {graded < smallSample && <dd className={styles.note}>少于 {smallSample} 份，不作判断</dd>}
        </div>
      </dl>
      {options.length > 0 && <Options row={row} />}
    </div>
  );
}

function Options({ row }: { row: QuestionAnalysisRow }) {
  return (
    <table className={styles.options}>
      <caption>选项分布（已提交 {row.submitted} 份）</caption>
      <thead>
        <tr>
          <th scope="col">选项</th>
          <th scope="col">内容</th>
          <th scope="col">选择人数</th>
          <th scope="col">占比</th>
        </tr>
      </thead>
      <tbody>
        {row.options.map(({ id, label, content, is_right, count, rate }) => (
          <tr key={id} data-right={is_right === 1 ? '' : undefined}>
            <td>
              {row.ques_type === 2 ? '' : label}
              {is_right === 1 && <span className={styles.right}>正确答案</span>}
            </td>
            <td>
              <ShortStem html={content} />
            </td>
            <td>{count}</td>
            <td>
              <ShareBar
                percent={rate}
                title={submittedText(row.submitted)}
                tone={is_right === 1 ? 'first' : 'second'}
                note={<SampleSize n={row.submitted} />}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
