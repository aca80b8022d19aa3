/** A grading form that the server refused, with the typed values. */
import type { Attachment } from '#server/grading-desk/answer.contract.ts';
import type { ReviewConflict } from '#server/grading-desk/mark.contract.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import type { Draft } from './draft-storage.ts';

export interface RefusedMark extends RefusedForm {
  ques_id: number;
  conflict?: ReviewConflict | undefined;
}

type Fields = NonNullable<RefusedForm['typed']>;

export const fieldsOf = ({ user_score, review_comment, review_attachments }: Draft): Fields => [
  ['user_score', user_score],
  ['review_comment', review_comment],
  ...review_attachments.map((file) => ['keep_attachment', JSON.stringify(file)] as const),
];

export function draftOfFields(fields: Fields): Draft {
  const text = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
  return {
    user_score: text('user_score').trim(),
    review_comment: text('review_comment').replaceAll('\r\n', '\n'),
    review_attachments: fields.flatMap(([name, file]) => (name === 'keep_attachment' ? readAttachment(file) : [])),
    image: [],
  };
}

/** Parses an attachment of a posted form. Drops a malformed one, because the API would refuse it. */
function readAttachment(text: string): Attachment[] {
  try {
    const { name, url, ext } = JSON.parse(text) as Partial<Attachment>;
    return typeof name === 'string' && typeof url === 'string' ? [{ name, url, ext: ext ?? '' }] : [];
  } catch {
    return [];
  }
}
