/** What stays of an answer whose student is erased: which options they chose, without a word of theirs or about them. */

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

/** Its review, and by what it was told apart from others. */
export const erasedReview = {
  answer_key: null,
  review_comment: '',
  review_attachments: '[]',
  review_images: '[]',
} as const;

/** Of these answers those of which something goes, with what stays of each. */
export const erasedAnswers = (rows: readonly Written[]): { id: number; user_answer: string }[] =>
  rows.flatMap(({ id, user_answer, ques_option, ...review }) => {
    const kept = isOfOptions({ user_answer, ques_option }) ? user_answer : '';
    const isBare = review.review_comment === '' && review.review_attachments === '[]' && review.review_images === '[]';
    return kept === user_answer && isBare && review.answer_key === null ? [] : [{ id, user_answer: kept }];
  });
