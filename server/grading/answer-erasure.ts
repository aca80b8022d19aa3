/** Erases answers of a student: keeps the options they chose, removes text by or about the student. */

import { isOfOptions } from './rules.ts';

interface Written {
  id: number;
  user_answer: string;
  answer_key: string | null;
  review_comment: string;
  review_attachments: string;
  review_images: string;
  ques_option: Parameters<typeof isOfOptions>[0]['ques_option'];
}

/** Values of the review columns after erasure: empty, and without a key for equal answers. */
export const emptyReviewColumns = {
  answer_key: null,
  review_comment: '',
  review_attachments: '[]',
  review_images: '[]',
} as const;

/** Returns the answers that have something to erase, each with the part of it that is kept. */
export const eraseAnswers = (rows: readonly Written[]): { id: number; user_answer: string }[] =>
  rows.flatMap(({ id, user_answer, ques_option, ...review }) => {
    const kept = isOfOptions({ user_answer, ques_option }) ? user_answer : '';
    const isBare = review.review_comment === '' && review.review_attachments === '[]' && review.review_images === '[]';
    return kept === user_answer && isBare && review.answer_key === null ? [] : [{ id, user_answer: kept }];
  });
