/** Shows the answer saved by another device beside the one in the form. */
import type { Question } from './answers.ts';
import styles from './learn.learn.module.css';
import { answerIn, isText, keptAnswer, writtenOf } from './question-answer.ts';
import { shownAnswer } from './question-result.tsx';

/** Formats a saved answer, with the number of its pictures. */
export function writtenAnswer(question: Question, saved: string): string {
  const { content, images } = isText(question) ? writtenOf(saved) : { content: saved, images: [] };
  return shownAnswer(question, content) + (images.length > 0 ? `（${images.length}张图片）` : '');
}

/** Shows a question's saved answer if it differs from the form. */
export function OtherDevice({ question, typed, saved }: { question: Question; typed: URLSearchParams; saved: string }) {
  const answer = answerIn(typed, question);
  const here = answer === undefined ? '' : keptAnswer(answer);
  if (saved === '' || saved === here) return null;
  return (
    <div className={styles.other}>
      已暂存的是：<span className={styles.said}>{writtenAnswer(question, saved)}</span>
    </div>
  );
}
