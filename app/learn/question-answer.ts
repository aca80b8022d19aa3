/**
 * Converts answers between the public calls and form fields. By question type, an answer is a list of option ids, pairs
 * of options (`1-4,2-6`), blanks joined by `@@`, or a text with pictures.
 */
import * as v from 'valibot';
import { idOf } from '../lib/search.ts';
import type { Question } from './api-answers.ts';

/** An answer as posted to the API. */
export type SentAnswer = number[] | string | { content: string; images: string[]; format?: 'html' };

export const isText = ({ ques_type }: Pick<Question, 'ques_type'>): boolean => ques_type === 5;
export const isBlanks = ({ ques_type }: Pick<Question, 'ques_type'>): boolean => ques_type === 7;
export const isSingleChoice = ({ ques_type }: Pick<Question, 'ques_type'>): boolean =>
  ques_type === 1 || ques_type === 2;

type Option = Question['ques_option'][number];
const sideOf = (option: Option) => ('side' in option ? option.side : null);
/** Returns the two columns of a matching question. Undefined for other questions. */
export function matchingSidesOf({ ques_option }: Question): { left: Option[]; right: Option[] } | undefined {
  const left = ques_option.filter((option) => sideOf(option) === 'left');
  const right = ques_option.filter((option) => sideOf(option) === 'right');
  return left.length > 0 && right.length > 0 ? { left, right } : undefined;
}

export const fieldOf = (id: number) => `q${id}`;
export const blankField = (id: number, place: number) => `q${id}_blank${place}`;
export const matchField = (id: number, left: number) => `q${id}_match${left}`;
/** Field with the format of the saved text: `html` if another application saved it as HTML. */
export const formatField = (id: number) => `q${id}_format`;
/** Fields with the stored pictures, the pictures to remove, and new files. */
export const imageField = (id: number) => `q${id}_image`;
export const dropField = (id: number) => `q${id}_drop`;
export const fileField = (id: number) => `q${id}_file`;
export const cameraField = (id: number) => `q${id}_camera`;

/** Returns the question id in the name of a file field. */
export const questionOfFile = (field: string): number => idOf(field.slice(1).split('_')[0]) ?? 0;

/** Returns the saved answers of these questions as form fields. */
export function fieldsOfAnswers(
  questions: readonly Question[],
  answers: readonly { ques_id: number; user_answer: string }[],
): Record<string, string | string[]> {
  const given = new Map(answers.map(({ ques_id, user_answer }) => [ques_id, user_answer]));
  return Object.fromEntries(questions.flatMap((question) => entriesOf(question, given.get(question.id) ?? '')));
}

function entriesOf(question: Question, answer: string): [string, string | string[]][] {
  const { id } = question;
  if (isText(question)) {
    const { content, images, format } = parseText(answer);
    return [
      [fieldOf(id), content],
      [imageField(id), images],
      [formatField(id), format ?? []],
    ];
  }
  if (isBlanks(question)) return answer.split('@@').map((blank, place) => [blankField(id, place), blank]);
  if (matchingSidesOf(question)) {
    return answer.split(',').flatMap((pair): [string, string][] => {
      const [left, right] = pair.split('-');
      return left && right ? [[matchField(id, Number(left)), right]] : [];
    });
  }
  return [[fieldOf(id), answer.split(',').filter(Boolean)]];
}

/** Parses a saved text with pictures. Another application may have saved plain text, even one that looks like JSON. */
export function parseText(answer: string): Written {
  const known = v.safeParse(Written, answer);
  return known.success ? known.output : { content: answer, images: [] };
}

const Written = v.pipe(
  v.string(),
  v.startsWith('{"'),
  v.parseJson(),
  v.strictObject({
    content: v.optional(v.string(), ''),
    images: v.optional(v.array(v.string()), []),
    format: v.exactOptional(v.literal('html')),
  }),
);
type Written = v.InferOutput<typeof Written>;

interface Fields {
  get(name: string): unknown;
  getAll(name: string): unknown[];
}
const textIn = (fields: Fields, name: string) => String(fields.get(name) ?? '').replaceAll('\r\n', '\n');
const allIn = (fields: Fields, name: string) => fields.getAll(name).map(String);

/**
 * Reads the answer to a question from a form. Undefined if there is none. `added` are the paths of newly uploaded
 * pictures.
 */
export function readAnswer(fields: Fields, question: Question, added: readonly string[] = []): SentAnswer | undefined {
  const { id } = question;
  if (isText(question)) {
    const content = textIn(fields, fieldOf(id));
    const dropped = new Set(allIn(fields, dropField(id)));
    const images = [...allIn(fields, imageField(id)), ...added].filter((image) => !dropped.has(image));
    if (content.trim() === '' && images.length === 0) return undefined;
    return fields.get(formatField(id)) === 'html' ? { content, images, format: 'html' } : { content, images };
  }
  if (isBlanks(question)) {
    const blanks = Array.from({ length: question.blanks }, (_, place) => textIn(fields, blankField(id, place)));
    return blanks.some((blank) => blank.trim() !== '') ? blanks.join('@@') : undefined;
  }
  const sides = matchingSidesOf(question);
  if (sides) {
    const pairs = sides.left.flatMap((left) => {
      const right = idOf(fields.get(matchField(id, left.id)));
      return right === undefined ? [] : [`${left.id}-${right}`];
    });
    return pairs.length > 0 ? pairs.join(',') : undefined;
  }
  const ids = allIn(fields, fieldOf(id)).flatMap((one) => idOf(one) ?? []);
  return ids.length > 0 ? ids : undefined;
}

/** Formats a posted answer in the way the server stores it, to detect a save of another device. */
export const serializeAnswer = (answer: SentAnswer): string =>
  Array.isArray(answer) ? answer.join(',') : typeof answer === 'string' ? answer : JSON.stringify(answer);

/** Formats a saved answer in the way the unchanged form would send it. */
export function serializeSavedAnswer(question: Question, saved: string): string {
  const fields = new URLSearchParams(
    entriesOf(question, saved).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
  const answer = readAnswer(fields, question);
  return answer === undefined ? '' : serializeAnswer(answer);
}
