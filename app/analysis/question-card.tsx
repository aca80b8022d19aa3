import type { ReactNode } from 'react';
import { formatScore } from '#server/platform/text/rules.ts';
import { type QuestionType, questionTypeNames } from '#server/questions/rules.ts';
import { Difficulty } from '../questions/difficulty.tsx';
import { RichHtml } from '../ui/rich-html.tsx';
import styles from './question-card.analysis.module.css';

interface CardQuestion {
  id: number;
  /** Number of the question: 3, or 3.1 for a part of a material question. */
  number: string;
  ques_type: QuestionType;
  ques_stem: string;
  ques_option: { id: number; label: string; content: string; is_right: 1 | 2 }[];
  answer_html: string;
  ques_analysis: string;
  facility_value: number;
  ques_score: number;
}

interface QuestionCardProps {
  question: CardQuestion;
  /** True if the homework has points (is_set_score 2). */
  scored: boolean;
  /** Replaces the usual name of the question type. */
  kind?: string | undefined;
  /** Shown beside the question type, such as the number of right answers. */
  aside?: ReactNode;
  /** Number of students who chose each option, by option id. */
  chosen?: readonly { id: number; count: number }[] | undefined;
  /** Replaces the options. */
  figure?: ReactNode;
  more?: ReactNode;
  /** Set on screens that can hide the answers. The analysis is then folded separately. */
  answers?: 'shown' | 'hidden' | undefined;
  children?: ReactNode;
}

export function QuestionCard({
  question,
  scored,
  kind,
  aside,
  chosen,
  figure,
  more,
  answers,
  children,
}: QuestionCardProps) {
  const { number, ques_type, ques_stem, ques_option, answer_html, ques_analysis, facility_value } = question;
  const isMaterial = ques_type === 6;
  const marksRight = (isRight: 1 | 2) => isRight === 1 && answers !== 'hidden';
  return (
    <article className={styles.card} id={`question-${question.id}`}>
      <header className={styles.header}>
        <h2>
          {number}. {kind ?? questionTypeNames[ques_type]}
          {scored && <span className={styles.score}>{formatScore(question.ques_score)} 分</span>}
        </h2>
        {!isMaterial && (
          // A printout for students does not show the difficulty.
          <span className={answers === 'hidden' ? 'no-print' : undefined}>
            <Difficulty value={facility_value} />
          </span>
        )}
        {aside}
      </header>
      <RichHtml html={ques_stem} />
      {figure}
      {!figure && ques_option.length > 0 && (
        <ol className={styles.options}>
          {ques_option.map(({ id, label, content, is_right }) => (
            <li key={id} data-right={marksRight(is_right) ? '' : undefined}>
              <span>{ques_type === 2 ? '' : label}</span>
              <RichHtml html={content} />
              {marksRight(is_right) && <span className={styles.mark}>正确答案</span>}
              {chosen && (
                <span className={styles.chosen}>{chosen.find((one) => one.id === id)?.count ?? 0} 人选择</span>
              )}
            </li>
          ))}
        </ol>
      )}
      {more}
      {ques_type === 5 && answers === 'hidden' && <div className={styles.room} />}
      {!isMaterial && answers !== 'hidden' && (
        <dl className={styles.answer}>
          <dt>正确答案</dt>
          <dd>
            <RichHtml html={answer_html || '-'} />
          </dd>
          {answers === undefined && (
            <>
              <dt>解析</dt>
              <dd>
                <RichHtml html={ques_analysis || '-'} />
              </dd>
            </>
          )}
        </dl>
      )}
      {answers !== undefined && ques_analysis !== '' && (
        <details className={styles.fold} open={answers === 'shown'}>
          <summary>解析</summary>
          <RichHtml html={ques_analysis} />
        </details>
      )}
      {children && <div className={styles.parts}>{children}</div>}
    </article>
  );
}
