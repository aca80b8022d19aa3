/** Answers as learners send them, of a homework or an exam: in one form, and with pictures that the school keeps. */
import * as v from 'valibot';
import { maxId, withoutControls } from '#server/platform/calls/fields.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import { filesNotKept } from '#server/platform/files/kept.ts';
import { missingPicture } from '#server/platform/files/rules.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { imagesKept } from './answer-content.ts';
import { answerFormats, answerLimit, homeworkMessages } from './rules.ts';
import { subjectiveAnswer } from './scoring.ts';

const OwnImage = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, homeworkMessages.imageAddress));

const AnswerText = v.pipe(
  v.string(),
  withoutControls,
  // Half a character is kept as another one: the same answer again would be another.
  v.transform((text) => text.replace(/\p{Surrogate}/gu, '\ufffd')),
  v.maxLength(answerLimit, homeworkMessages.answerLength),
);

const Subjective = v.object({
  content: v.optional(AnswerText, ''),
  images: v.optional(v.pipe(v.array(OwnImage), v.maxLength(imagesKept, homeworkMessages.tooManyImages)), []),
  /** How `content` is to be read; it is never told from its letters. */
  format: v.optional(
    v.pipe(
      v.string(),
      // Within the choice of UserAnswer a picklist would be told as a wrong type of the whole answer.
      v.check((format) => (answerFormats as readonly string[]).includes(format), homeworkMessages.answerFormat),
    ),
    'text',
  ),
});

const Chosen = v.pipe(
  v.array(v.number()),
  v.check((options) => options.join(',').length <= answerLimit, homeworkMessages.answerLength),
);

/**
 * Option ids or blanks as text, option ids as numbers, or a subjective answer with its images; kept as text. It is made
 * text behind the choice between them: in front of it, nobody would say what is wrong with the one that was meant.
 */
export const UserAnswer = v.pipe(
  v.union([AnswerText, v.number(), Chosen, Subjective]),
  v.transform((answer) => {
    if (Array.isArray(answer)) return answer.join(',');
    if (typeof answer !== 'object') return String(answer);
    // Text is what an answer is unless it says otherwise, and it is stored so: the same answer has one form.
    const { content, images, format } = answer;
    return JSON.stringify(format === 'text' ? { content, images } : { content, images, format });
  }),
);

export const QuestionId = v.pipe(v.number(), v.integer(), v.maxValue(maxId));

/** Seconds that were spent on it. */
export const AnswerTime = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_000_000_000)), 0);

/** Bytes of all answers together: their images are uploaded before. */
export const answersBytes = 2 * 1024 * 1024;

/** The pictures of a subjective answer. */
const picturesOf = (answer: string): string[] =>
  answer.startsWith('{') ? subjectiveAnswer(answer).images.filter((image) => typeof image === 'string') : [];

/** Refused where an answer names a picture that is not there. */
export async function refuseLostPictures(
  storage: Storage,
  answers: readonly { user_answer: string }[],
): Promise<Refusal | undefined> {
  const lost = await filesNotKept(
    storage,
    answers.flatMap(({ user_answer }) => picturesOf(user_answer)),
  );
  return lost.length > 0 ? invalid({ answers: [missingPicture] }) : undefined;
}
