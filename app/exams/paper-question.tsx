/** A question as printed on the paper of an exam. */
import type { ReactNode } from 'react';
import type { ExamPaperPart } from '#server/exams/paper.contract.ts';
import { examTypeName, toExamType } from '#server/exams/rules.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { QuestionCard } from '../analysis/question-card.tsx';
import { Matching, type MatchingDrawing } from '../grading/matching.tsx';
import { Attachments } from '../grading/question-view.tsx';
import styles from './preview.work.module.css';

interface PaperQuestionProps {
  question: ExamPaperPart;
  answers: 'shown' | 'hidden';
  drawings: Record<number, MatchingDrawing>;
  scored?: boolean;
  /** Shown beside the question type. */
  aside?: ReactNode;
  children?: ReactNode;
}

export function PaperQuestion(props: PaperQuestionProps) {
  const { question, answers, drawings, scored = false, aside, children } = props;
  const drawing = drawings[question.id];
  const { sort, ques_type, attachments } = question;
  return (
    <QuestionCard
      question={{ ...question, number: sort }}
      scored={scored}
      aside={aside}
      kind={examTypeName(toExamType(ques_type), drawing !== undefined)}
      figure={drawing && <Matching drawing={drawing} />}
      more={
        <>
          {ques_type === 7 && <Blanks question={question} shown={answers === 'shown'} />}
          <Attachments files={attachments} />
        </>
      }
      answers={answers}
    >
      {children}
    </QuestionCard>
  );
}

/** Points and answer of each blank of a fill-in question. */
function Blanks({ question, shown }: { question: ExamPaperPart; shown: boolean }) {
  const scores = question.answer_score.split('@@');
  const answers = [question.right_answer].flat();
  return (
    <ol className={styles.blanks} aria-label="各空">
      {scores.map((score, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a blank is its place.
        <li key={place}>
          第 {place + 1} 空（{formatScore(Number(score))} 分）
          {shown && <span className={styles.blank}>{answers[place]}</span>}
        </li>
      ))}
    </ol>
  );
}
