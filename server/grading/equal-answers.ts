/** The key by which equal answers are found. */

import { createHash } from 'node:crypto';
import { answerStatus } from './rules.ts';
import { subjectiveAnswer } from './scoring.ts';

/** Key shared by waiting answers with the same trimmed words in the same format; null with pictures, or if not waiting. */
export function sameAnswerKey(userAnswer: string, status: number): string | null {
  if (status !== answerStatus.waiting) return null;
  const { content, images, format } = subjectiveAnswer(userAnswer);
  const words = content.replaceAll('\r\n', '\n').trim();
  if (images.length > 0 || words === '') return null;
  const hash = createHash('sha256');
  if (format === 'html') hash.update('\0html');
  return hash.update(words).digest('base64url').slice(0, 22);
}
