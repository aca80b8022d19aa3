/** Shows the answer that another device has saved, beside the answer in the form. */
import type { Question } from './api-answers.ts';
import styles from './learn.learn.module.css';
import { isText, parseText, readAnswer, serializeAnswer } from './question-answer.ts';
import { formatAnswer } from './question-result.tsx';

/** Formats a saved answer, with the number of its pictures. */
export function formatSavedAnswer(question: Question, saved: string): string {
  const { content, images } = isText(question) ? parseText(saved) : { content: saved, images: [] };
  return formatAnswer(question, content) + (images.length > 0 ? `（${images.length}张图片）` : '');
}

/** Shows the saved answer of a question if it differs from the form. */
export function OtherDevice({ question, typed, saved }: { question: Question; typed: URLSearchParams; saved: string }) {
  const answer = readAnswer(typed, question);
  const here = answer === undefined ? '' : serializeAnswer(answer);
  if (saved === '' || saved === here) return null;
  return (
    <div className={styles.other}>
      已保存的是：<span className={styles.said}>{formatSavedAnswer(question, saved)}</span>
    </div>
  );
}
