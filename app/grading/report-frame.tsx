/** Layout pieces shared by reports and the grading desk. */
import type { ReactNode, Ref } from 'react';
import styles from './report-frame.work.module.css';

export const ReportBox = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <header className={className ? `${styles.head} ${className}` : styles.head}>{children}</header>
);

export const ReportTitle = ({ name, of }: { name: string; of: string }) => (
  <h1>
    {name}
    <small>{of}</small>
  </h1>
);

interface ReportColumnsProps {
  /** Column beside the questions. It stays in view while they scroll. */
  side: ReactNode;
  sideLabel?: string;
  children: ReactNode;
}

export const ReportColumns = ({ side, sideLabel, children }: ReportColumnsProps) => (
  <div className={styles.columns}>
    <div className={styles.main}>{children}</div>
    <aside className={styles.side} aria-label={sideLabel}>
      {side}
    </aside>
  </div>
);

interface QuestionCardProps {
  id?: string;
  heading: ReactNode;
  /** Ref of the heading, for headings that get the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export const QuestionCard = ({ id, heading, headingRef, children }: QuestionCardProps) => (
  <article id={id} className={styles.question}>
    <h2 className={styles.title} {...(headingRef && { ref: headingRef, tabIndex: -1 })}>
      {heading}
    </h2>
    {children}
  </article>
);

/** Statistics of a question over all students. */
export const QuestionFigures = ({ children }: { children: ReactNode }) => <p className={styles.stats}>{children}</p>;

/** Secondary text. With `inline` it stays within a line, else it is a paragraph. */
export const SecondaryText = ({ inline, children }: { inline?: boolean; children: ReactNode }) =>
  inline ? <span className={styles.quiet}>{children}</span> : <p className={styles.quiet}>{children}</p>;

export const OverallComment = ({ comment }: { comment: string }) => (
  <section aria-label="总评语">
    <h2>评语</h2>
    <p className={styles.comment}>{comment || '暂无评语'}</p>
  </section>
);
