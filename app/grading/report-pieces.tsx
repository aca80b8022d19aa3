/** Components of the read-only report pages. */
import type { ReactNode } from 'react';
import type { AnswerStatus, HistoryEntry } from '#server/grading-desk/answer.contract.ts';
import type { StudentReport } from '#server/grading-desk/report.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { formatMinutes, formatPercent } from '../lib/amounts.ts';
import { Figures } from '../ui/figures.tsx';
import { NearMoment } from '../ui/moment.tsx';
import {
  Attachments,
  ObjectiveAnswer,
  QuestionText,
  QuestionTitle,
  Reference,
  type ShownQuestion,
  SubjectiveAnswer,
} from './question-view.tsx';
import { QuestionCard, ReportBox, ReportTitle, SecondaryText } from './report-frame.tsx';
import styles from './report-pieces.work.module.css';
import { questionAnchor } from './screens.ts';
import { formatMark } from './terms.ts';

export type ReportQuestion = StudentReport['report_questions'][number];

export const isRatedReport = ({ report }: StudentReport): boolean => report.is_set_score === 1;

/** Lists the total, objective and subjective result as score or rate. Parts that are not graded yet show a dash. */
export function resultFigures({ report }: StudentReport): [string, string][] {
  const isGraded = report.status === 3;
  const known = (shown: string, isKnown: boolean) => (isKnown ? shown : '-');
  const outOf = (earned: number, total: number) => `${formatScore(earned)}/${formatScore(total)}`;
  const isRated = report.is_set_score === 1;
  const figure = (earned: number, total: number, rate: number) =>
    isRated ? formatPercent(rate) : outOf(earned, total);
  return [
    [
      isRated ? '正确率（得分率）' : '得分',
      known(figure(report.user_score, report.score, report.correct_rate), isGraded),
    ],
    [
      isRated ? '客观题正确率' : '客观题得分',
      known(figure(report.object_score, report.object_total_score, report.object_rate), report.status !== 1),
    ],
    [
      isRated ? '主观题正确率' : '主观题得分',
      known(figure(report.subject_score, report.subject_total_score, report.subject_rate), isGraded),
    ],
  ];
}

/** Formats the time that the student spent. A dash before submission. */
export const timeSpent = ({ report }: StudentReport): string =>
  report.status === 1 ? '-' : formatMinutes(report.answer_time);

interface ReportHeadProps {
  report: StudentReport['report'];
  /** Lesson for which the homework was published. */
  lesson?: string | undefined;
  figures: readonly (readonly [name: string, value: ReactNode])[];
  other: { href: string; label: string };
}

export function ReportHead({ report, lesson, figures, other }: ReportHeadProps) {
  const place = [report.class_name, report.course_title, report.periods_name].filter((part) => part !== '');
  return (
    <ReportBox>
      <ReportTitle name={report.nickname} of={report.homework_name} />
      <SecondaryText>{place.join(' · ')}</SecondaryText>
      {lesson && <SecondaryText>{lesson}</SecondaryText>}
      <Figures figures={figures} inCard />
      <div className="no-print">
        <a href={other.href}>{other.label}</a>
      </div>
    </ReportBox>
  );
}

/** Statuses that the answer card counts, for a report of this status. */
export function countedStatuses(reportStatus: number): AnswerStatus[] {
  if (reportStatus === 2) return [1, 2, 3, 4, 5];
  if (reportStatus === 3) return [1, 2, 5, 3];
  return [3];
}

/** A question with the student's answer, the reference answer, and the grader's comment. */
export function AnsweredQuestion({
  question,
  rated,
  open,
  kind,
  figure,
  given,
  children,
}: {
  question: ShownQuestion;
  rated: boolean;
  open: boolean;
  /** Replaces the usual name of the question type. */
  kind?: string | undefined;
  /** Replaces the options. */
  figure?: ReactNode;
  /** The answer to an objective question in words, if known. */
  given?: string | undefined;
  children?: ReactNode;
}) {
  const subjective = question.ques_type === 5;
  return (
    <QuestionCard
      id={questionAnchor(question.id)}
      heading={<QuestionTitle question={question} rated={rated} kind={kind} />}
    >
      <QuestionText question={question} figure={figure} />
      {subjective ? (
        <SubjectiveAnswer question={question} images={question.answerImages} />
      ) : (
        <ObjectiveAnswer question={question} given={given} />
      )}
      <Reference question={question} open={open} analysisOpen={open} />
      {(question.review_comment || question.review_attachments.length > 0) && (
        <div className={styles.review}>
          <h3>评语</h3>
          <p>{question.review_comment || '（无文字）'}</p>
          <Attachments files={question.review_attachments} />
        </div>
      )}
      {children}
    </QuestionCard>
  );
}

/** 批改记录: each change of a score with author, time, old and new value. */
export function ReviewHistory({ entries, rated }: { entries: readonly HistoryEntry[]; rated: boolean }) {
  return (
    <section className={styles.history} aria-label="批改记录">
      <h2>批改记录</h2>
      {entries.length === 0 && <SecondaryText>暂无批改记录</SecondaryText>}
      <ol>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the log has no ids of its own, and never changes on this page.
          <li key={index}>
            <SecondaryText inline>
              <NearMoment at={entry.at} /> {entry.name}
            </SecondaryText>
            <span>{historyWords(entry, rated)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const deeds: Partial<Record<HistoryEntry['action'], string>> = {
  undo: '撤销',
  rejudge: '改判',
  resubmit: '重新作答',
};

function historyWords({ action, sort, before, after, comment }: HistoryEntry, rated: boolean): string {
  if (action === 'finish') return '完成批改';
  if (action === 'resubmit' && sort === '') return '考试延长后重新交卷';
  const change =
    before === after
      ? after === null
        ? '保存，未评分'
        : `评分不变（${formatMark(rated, after)}）`
      : `${formatMark(rated, before)} → ${formatMark(rated, after)}`;
  const commentText = comment === null ? '' : comment === '' ? '，删除评语' : `，评语：${comment}`;
  return `${deeds[action] ?? ''}第 ${sort} 题 ${change}${commentText}`;
}
