/** A question as it was published: stem, options with the right ones marked, answer, analysis. */
import type { ReactNode } from 'react';
import type { PreviewItem, PreviewQuestion } from '#server/analysis/contract.ts';
import { questionTypeNames } from '#server/questions/contract.ts';
import { RichHtml } from '../ui/rich-html.tsx';
import { Stars } from '../ui/stars.tsx';
import { points } from './figures.tsx';
import styles from './question-card.module.css';

interface QuestionCardProps {
  question: PreviewItem | Omit<PreviewQuestion, 'ques_item'>;
  /** is_set_score 2. */
  scored: boolean;
  /** Beside the type, such as how many were right. */
  aside?: ReactNode;
  /** The parts of a material question. */
  children?: ReactNode;
}

export function QuestionCard({ question, scored, aside, children }: QuestionCardProps) {
  const { number, ques_type, ques_stem, ques_option, answer_html, ques_analysis, facility_value } = question;
  const isMaterial = ques_type === 6;
  return (
    <article className={styles.card} id={`question-${question.id}`}>
      <header className={styles.header}>
        <h2>
          {number}. {questionTypeNames[ques_type]}
          {scored && <span className={styles.score}>{points(question.ques_score)} 分</span>}
        </h2>
        {!isMaterial && <Stars filled={facility_value} label={`难度 ${facility_value} 星`} />}
        {aside}
      </header>
      <RichHtml html={ques_stem} />
      {ques_option.length > 0 && (
        <ol className={styles.options}>
          {ques_option.map(({ id, label, content, is_right }) => (
            <li key={id} data-right={is_right === 1 ? '' : undefined}>
              <span>{ques_type === 2 ? '' : label}</span>
              <RichHtml html={content} />
              {is_right === 1 && <span className={styles.mark}>正确答案</span>}
            </li>
          ))}
        </ol>
      )}
      {!isMaterial && (
        <dl className={styles.answer}>
          <dt>正确答案</dt>
          <dd>
            <RichHtml html={answer_html || '-'} />
          </dd>
          <dt>解析</dt>
          <dd>
            <RichHtml html={ques_analysis || '-'} />
          </dd>
        </dl>
      )}
      {children && <div className={styles.parts}>{children}</div>}
    </article>
  );
}
