/** Two questions side by side, with their differences marked. */
import { optionLetter } from '#server/platform/text/rules.ts';
import { joinTags } from '#server/questions/rules.ts';
import type { ComparedQuestion } from '#server/questions/similar.contract.ts';
import { NearMoment } from '../ui/moment.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './pair-comparison.work.module.css';
import { questionDetail } from './screens.ts';
import { difficultyName, questionTypeName } from './terms.ts';
import { type Run, textDifference } from './text-difference.ts';

interface PairProps {
  one: ComparedQuestion;
  other: ComparedQuestion;
}

export function PairComparison({ one, other }: PairProps) {
  const options = Array.from(
    { length: Math.max(one.ques_option.length, other.ques_option.length) },
    (_, index) => index,
  );
  const field = (label: string, of: (question: ComparedQuestion) => string) => (
    <Field key={label} label={label} one={of(one)} other={of(other)} />
  );
  return (
    <table className={styles.pair}>
      <thead>
        <tr>
          <td />
          {[one, other].map(({ id }, index) => (
            <th key={id} scope="col">
              <a href={questionDetail.href({ id })}>{index === 0 ? '左边的题目' : '右边的题目'}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {field('题型', ({ ques_type }) => questionTypeName(ques_type))}
        {field('题干', ({ display }) => display.ques_stem)}
        {options.map((index) => field(`选项${optionLetter(index)}`, ({ display }) => display.ques_option[index] ?? ''))}
        {field('小题', ({ ques_item }) => ques_item.map(({ display }) => display.ques_stem).join(''))}
        {field('答案', ({ display }) => display.right_answer)}
        {field('解析', ({ display }) => display.ques_analysis)}
        {field('难度', ({ facility_value }) => difficultyName(facility_value))}
        {field('知识点', ({ point_path }) => point_path)}
        {field('标签', ({ tags }) => joinTags(tags))}
        {field('备注', ({ remark }) => remark)}
        {field('使用', ({ uses }) => (uses === 0 ? '没有使用过' : `${uses} 次`))}
        <tr>
          <th scope="row">更新时间</th>
          {[one, other].map(({ id, updated_at }) => (
            <td key={id}>
              <NearMoment at={updated_at} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

/** A field of both questions as HTML. Left out if both are empty. */
function Field({ label, one, other }: { label: string; one: string; other: string }) {
  if (one === '' && other === '') return null;
  const [left, right] = [plainOf(one), plainOf(other)];
  const runs = left !== undefined && right !== undefined ? textDifference(left, right) : undefined;
  return (
    <tr data-differs={one === other ? undefined : ''}>
      <th scope="row">{label}</th>
      <td>{runs ? <Runs runs={runs[0]} /> : <RichHtml html={one} />}</td>
      <td>{runs ? <Runs runs={runs[1]} /> : <RichHtml html={other} />}</td>
    </tr>
  );
}

/** Text of HTML that has only paragraphs; undefined if it has more, such as a formula. */
function plainOf(html: string): string | undefined {
  const text = html
    .replace(/<\/p>\s*<p>|<br \/>/g, '\n')
    .replace(/<\/?p>/g, '')
    .replaceAll('&nbsp;', ' ');
  return /[<&]/.test(text) ? undefined : text;
}

const Runs = ({ runs }: { runs: readonly Run[] }) => (
  <span className={styles.text} data-written>
    {runs.map(({ text, isDifferent }, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: nothing comes between them.
      isDifferent ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
    )}
  </span>
);
