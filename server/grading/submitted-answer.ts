/** Parses and validates submitted answers of homework and exams, and checks that their pictures exist. */

import * as v from 'valibot';
import { FlagNumber, maxId, withoutControls } from '#server/platform/calls/fields.ts';
import { invalid, type Refusal } from '#server/platform/calls/outcome.ts';
import type { FieldErrors } from '#server/platform/calls/rules.ts';
import { findMissingFiles } from '#server/platform/files/missing-files.ts';
import { pictureNotFoundMessage } from '#server/platform/files/rules.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { maxAnswerImages } from './answer-content.ts';
import { answerFormats, answerLimit, answerMessages } from './rules.ts';
import { optionIds, subjectiveAnswer } from './scoring.ts';

const OwnImage = v.pipe(v.string(), v.regex(/^\/files\/(?!.*\.\.)[\w\-./%?=&]+$/, answerMessages.imageAddress));

const AnswerText = v.pipe(
  v.string(),
  withoutControls,
  // Replaces lone surrogates. The database would not store them as sent, so the same answer sent again would differ.
  v.transform((text) => text.replace(/\p{Surrogate}/gu, '\ufffd')),
  v.maxLength(answerLimit, answerMessages.answerLength),
);

const Subjective = v.object({
  content: v.optional(AnswerText, ''),
  images: v.optional(v.pipe(v.array(OwnImage), v.maxLength(maxAnswerImages, answerMessages.tooManyImages)), []),
  /** Format of `content`. The client declares it; the server never guesses it. */
  format: v.optional(
    v.pipe(
      v.string(),
      // Checks the format without a picklist: because `UserAnswer` is a union, a picklist would report the whole answer
      // as the wrong type.
      v.check((format) => (answerFormats as readonly string[]).includes(format), answerMessages.answerFormat),
    ),
    'text',
  ),
});

const Chosen = v.pipe(
  v.array(v.number()),
  v.check((options) => options.join(',').length <= answerLimit, answerMessages.answerLength),
);

/**
 * A submitted answer, converted to the text that is stored. It is sent as text (option ids or blanks), as numbers
 * (option ids), or as a subjective answer with images. Converting comes after the union, because errors would otherwise
 * not name the variant that was meant.
 */
export const UserAnswer = v.pipe(
  v.union([AnswerText, v.number(), Chosen, Subjective]),
  v.transform((answer) => {
    if (Array.isArray(answer)) return answer.join(',');
    if (typeof answer !== 'object') return String(answer);
    // Leaves out the default format (text), so that equal answers have one stored form.
    const { content, images, format } = answer;
    return JSON.stringify(format === 'text' ? { content, images } : { content, images, format });
  }),
);

/** Null clears the answer, even a saved one. */
export const AnswerOrNull = v.pipe(
  v.nullable(UserAnswer),
  v.transform((answer) => answer ?? ''),
);

/** 1: submit despite unanswered questions. */
export const ConfirmBlank = v.optional(FlagNumber, 0);

export const QuestionId = v.pipe(v.number(), v.integer(), v.maxValue(maxId));

/** Seconds spent on the question. */
export const AnswerTime = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2_000_000_000)), 0);

/** Maximum bytes of all answers; images are uploaded beforehand. */
export const answersBytes = 2 * 1024 * 1024;

/** Fields of a question that validation needs. */
export interface QuestionShape {
  ques_type: number;
  options: readonly { id: number; side?: 'left' | 'right' | null | undefined }[];
}

/** Converts a stored question for validation. */
export const toQuestionShape = ({
  ques_type,
  ques_option,
}: {
  ques_type: number;
  ques_option: string;
}): QuestionShape => ({ ques_type, options: JSON.parse(ques_option) });

/** Highest question type that has options, and highest type with a single choice. */
const [lastChoice, lastSingle] = [4, 2];

/**
 * Why the options that an answer names are not valid. A question without options, which imports can create, accepts any
 * numbers.
 */
function choiceFault({ ques_type, options }: QuestionShape, userAnswer: string): string | undefined {
  if (ques_type > lastChoice || options.length === 0) return undefined;
  const chosen = [...optionIds(userAnswer)];
  const of = (side: 'left' | 'right') =>
    new Set(options.filter((one) => one.side === side).map(({ id }) => String(id)));
  const [left, right] = [of('left'), of('right')];
  const all = new Set(options.map(({ id }) => String(id)));
  const isOffered = (choice: string) => {
    if (left.size === 0) return all.has(choice);
    const [from = '', to = '', ...more] = choice.split('-');
    return more.length === 0 && left.has(from) && right.has(to);
  };
  if (!chosen.every(isOffered)) return answerMessages.noOption;
  return ques_type <= lastSingle && chosen.length > 1 ? answerMessages.oneOption : undefined;
}

/** Returns errors by field `answers.N`: an unknown question, a second answer to one question, or an unknown option. */
export function answerFaults(
  answers: readonly { ques_id: number; user_answer: string }[],
  questions: ReadonlyMap<number, QuestionShape>,
  wrongQuestion: string,
): FieldErrors | undefined {
  const errors: FieldErrors = {};
  const before = new Set<number>();
  answers.forEach(({ ques_id, user_answer }, place) => {
    const question = questions.get(ques_id);
    const fault = question && !before.has(ques_id) ? choiceFault(question, user_answer) : wrongQuestion;
    if (fault !== undefined) errors[`answers.${place}`] = [fault];
    before.add(ques_id);
  });
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** Returns the addresses of the pictures in a subjective answer. */
const picturesOf = (answer: string): string[] =>
  answer.startsWith('{') ? subjectiveAnswer(answer).images.filter((image) => typeof image === 'string') : [];

/** Refuses answers with 422 if they name a picture that is not stored. */
export async function refuseLostPictures(
  storage: Storage,
  answers: readonly { user_answer: string }[],
): Promise<Refusal | undefined> {
  const pictures = answers.map(({ user_answer }) => picturesOf(user_answer));
  const lost = new Set(await findMissingFiles(storage, pictures.flat()));
  if (lost.size === 0) return undefined;
  const places = pictures.flatMap((some, place) => (some.some((one) => lost.has(one)) ? [place] : []));
  return invalid(Object.fromEntries(places.map((place) => [`answers.${place}`, [pictureNotFoundMessage]])));
}
