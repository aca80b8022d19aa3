/** Shows the answer that another device has saved, beside the one in the form. */
import type { Question } from './answers.ts';
import styles from './learn.learn.module.css';
import { answerIn, isText, keptAnswer, writtenOf } from './question-answer.ts';
import { shownAnswer } from './question-result.tsx';

/** A saved answer in words, with the number of its pictures. */
export function writtenAnswer(question: Question, saved: string): string {
  const { content, images } = isText(question) ? writtenOf(saved) : { content: saved, images: [] };
  return shownAnswer(question, content) + (images.length > 0 ? `（${images.length}张图片）` : '');
}

/** Shows the saved answer of a question where it differs from the one in the form. */
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
