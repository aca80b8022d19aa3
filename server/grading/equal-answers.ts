/** Computes the key by which equal answers are found, so that they can be graded in a batch. */

import { createHash } from 'node:crypto';
import { answerStatus } from './rules.ts';
import { subjectiveAnswer } from './scoring.ts';

/**
 * Returns the key of an ungraded answer. Answers with the same trimmed text and format have the same key. Null if the
 * answer has pictures, is empty or is graded.
 */
export function sameAnswerKey(userAnswer: string, status: number): string | null {
  if (status !== answerStatus.waiting) return null;
  const { content, images, format } = subjectiveAnswer(userAnswer);
  const words = content.replaceAll('\r\n', '\n').trim();
  if (images.length > 0 || words === '') return null;
  const hash = createHash('sha256');
  if (format === 'html') hash.update('\0html');
  return hash.update(words).digest('base64url').slice(0, 22);
}
