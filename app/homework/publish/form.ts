/**
 * State of the publish form, on the server and in the browser. Values are kept as typed; only the API validates them.
 */
import { homeworkNameLimit, homeworkRemarkLimit } from '#server/homework/rules.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';

export { homeworkNameLimit, homeworkRemarkLimit };

export interface FormQuestion {
  /** Unique in this form, never reused. */
  key: number;
  /** Id of the question in the bank from which this one was copied. */
  source_id: number | null;
  draft: QuestionDraft;
  /** Scores as typed: one score, or one per part of a material question. */
  scores: string[];
  /** Scores that were set by the batch panel or copied with the question. Only such scores may have a decimal. */
  given: string[];
  /** The question before it was exchanged. */
  before?: Pick<FormQuestion, 'source_id' | 'draft' | 'scores' | 'given'> | undefined;
  /** Bank questions that were exchanged away from this place. */
  tried?: number[] | undefined;
}

/** Question types of the panel that sets scores by type. */
export const batchTypes = [1, 2, 3, 4, 5, 7] as const;

/** The panel that is open over the form and waits for a confirmation. */
export type Panel =
  | { kind: 'remove'; keys: number[]; selected: boolean }
  | { kind: 'batch'; values: Record<string, string>; error?: string }
  /** `past` is true if the deadline is over. */
  | { kind: 'publish'; past: boolean };

export interface PublishForm {
  /** Ids as text, empty for none. */
  course_basis_id: string;
  publish_scope: string;
  child_course_basis_ids: string[];
  type: string;
  course_periods_id: string;
  name: string;
  remark: string;
  /** `yyyy-mm-ddThh:mm` in the school's time zone. */
  ending_time: string;
  is_set_score: string;
  right_answers: string;
  /** `all` classes of the scope, or only `some` of them. */
  class_choice: string;
  class_ids: string[];
  questions: FormQuestion[];
  /** Keys of the ticked questions. */
  selected: number[];
  next_key: number;
  panel: Panel | null;
  /** Idempotency key: posting the same form twice publishes it once. */
  submit_key: string;
}

export const emptyForm: PublishForm = {
  course_basis_id: '',
  publish_scope: '3',
  child_course_basis_ids: [],
  type: '1',
  course_periods_id: '',
  name: '',
  remark: '',
  ending_time: '',
  is_set_score: '2',
  right_answers: '1',
  class_choice: 'all',
  class_ids: [],
  questions: [],
  selected: [],
  next_key: 1,
  panel: null,
  submit_key: '',
};

/** Returns as JSON the content that the user would lose. Leaves out the ticks and the open panel. */
export const unsavedContent = ({
  submit_key: _key,
  selected: _selected,
  panel: _panel,
  next_key: _next,
  ...written
}: PublishForm): string => JSON.stringify(written);

// ---- scores in tenths of a point ----------------------------------------------------------------------

/** Parses a score into tenths. Undefined unless it is 1 to 100 with at most one decimal. */
export function parseTenths(typed: string): number | undefined {
  const match = /^\s*(\d{1,3})(?:\.(\d))?0*\s*$/.exec(typed);
  if (!match) return undefined;
  const tenths = Number(match[1]) * 10 + Number(match[2] ?? 0);
  return tenths >= 10 && tenths <= 1000 ? tenths : undefined;
}

/** Formats tenths for the score field: `12.5`, `3`. */
export const formatTenths = (tenths: number): string => String(tenths / 10);

/** True if a score may be published: it is a whole number, or a decimal that was set by the batch panel or copied. */
export function isPublishable({ scores, given }: FormQuestion, part: number): boolean {
  const tenths = parseTenths(scores[part] ?? '');
  return tenths !== undefined && (tenths % 10 === 0 || tenths === parseTenths(given[part] ?? ''));
}

/** Score as sent to the API. An invalid one is sent as 0, which the API refuses. Undefined if empty. */
export function scoreForApi(question: FormQuestion, part: number): number | undefined {
  const typed = question.scores[part] ?? '';
  if (isPublishable(question, part)) return (parseTenths(typed) ?? 0) / 10;
  return typed.trim() === '' ? undefined : 0;
}

/**
 * Points of a question in tenths, for a material question the sum of its parts. In rated homework every part counts as
 * one point.
 */
export function questionTenths({ draft, scores }: FormQuestion, is_set_score: string): number {
  const parts = draft.ques_type === 6 ? draft.ques_item.length : 1;
  if (is_set_score === '1') return parts * 10;
  return scores.slice(0, parts).reduce((sum, typed) => sum + (parseTenths(typed) ?? 0), 0);
}

export const totalTenths = ({ questions, is_set_score }: PublishForm): number =>
  questions.reduce((sum, question) => sum + questionTenths(question, is_set_score), 0);

/** Types of the questions that get scores. A material question is replaced by its parts. */
export const scoredTypes = ({ questions }: PublishForm): number[] =>
  questions.flatMap(({ draft }) =>
    (draft.ques_type === 6 ? draft.ques_item : [draft]).map(({ ques_type }) => ques_type),
  );

export const scoreCount = (draft: QuestionDraft): number => (draft.ques_type === 6 ? draft.ques_item.length : 1);

// ---- questions -------------------------------------------------------------------------------------------

/** A question to add to the form, with its scores in points (undefined where unknown). */
export interface NewQuestion {
  source_id: number | null;
  draft: QuestionDraft;
  scores?: (number | undefined)[];
}

/** Default points of a question, by question type. */
export type Scores = ReadonlyMap<number, number>;

export function withScores({ draft, scores, ...question }: NewQuestion, usual: Scores): NewQuestion {
  const parts = draft.ques_type === 6 ? draft.ques_item : [draft];
  return {
    ...question,
    draft,
    scores: parts.map(({ ques_type }, part) => scores?.[part] ?? usual.get(ques_type)),
  };
}

export function withQuestions(form: PublishForm, added: readonly NewQuestion[]): PublishForm {
  const questions = added.map(({ source_id, draft, scores = [] }, index) => {
    const given = Array.from({ length: scoreCount(draft) }, (_, part) => String(scores[part] ?? ''));
    return { key: form.next_key + index, source_id, draft, scores: given, given };
  });
  return { ...form, questions: [...form.questions, ...questions], next_key: form.next_key + added.length };
}

/**
 * Adds the questions that the form does not contain yet. `present`: numbers (from 1) of the questions that the form
 * contains already.
 */
export function withNewQuestions(
  form: PublishForm,
  added: readonly NewQuestion[],
): { form: PublishForm; present: number[] } {
  let grown = form;
  const present = new Set<number>();
  for (const question of added) {
    const place = grown.questions.findIndex((one) => isSameQuestion(one, question));
    if (place === -1) grown = withQuestions(grown, [question]);
    else present.add(place + 1);
  }
  return { form: grown, present: [...present].sort((one, other) => one - other) };
}

export const alreadyPresentNotice = (places: readonly number[]): string =>
  `以下题目已在作业中，未重复添加：${places.map((place) => `第${place}题`).join('、')}`;

type Content = Pick<NewQuestion, 'source_id' | 'draft'>;

function isSameQuestion(one: Content, other: Content): boolean {
  if (one.source_id !== null && one.source_id === other.source_id) return true;
  return contentOf(one.draft) === contentOf(other.draft);
}

const contentOf = ({ ques_type, ques_stem, ques_option, ques_item }: QuestionDraft): string =>
  JSON.stringify([ques_type, ques_stem, ques_option.map(({ content }) => content), ques_item.map(contentOf)]);

/** Replaces a question's content. Keeps the scores of the parts that remain. */
export function withEditedQuestion(form: PublishForm, key: number, draft: QuestionDraft): PublishForm {
  return {
    ...form,
    questions: form.questions.map((question) =>
      question.key === key
        ? {
            ...question,
            draft,
            scores: Array.from({ length: scoreCount(draft) }, (_, part) => question.scores[part] ?? ''),
            given: Array.from({ length: scoreCount(draft) }, (_, part) => question.given[part] ?? ''),
          }
        : question,
    ),
  };
}

/** Replaces a question by a similar one of the bank. Keeps its scores, and the question itself, to put it back. */
export function withExchanged(
  form: PublishForm,
  key: number,
  { source_id, draft }: Pick<NewQuestion, 'source_id' | 'draft'>,
): PublishForm {
  const before = form.questions.find((one) => one.key === key);
  if (!before) return form;
  const edited = withEditedQuestion(form, key, draft);
  const { scores, given } = before;
  const tried = [...(before.tried ?? []), ...(before.source_id === null ? [] : [before.source_id])];
  return {
    ...edited,
    questions: edited.questions.map((one) =>
      one.key === key
        ? { ...one, source_id, tried, before: { source_id: before.source_id, draft: before.draft, scores, given } }
        : one,
    ),
  };
}

/** Puts back the question that was exchanged last. It gets the scores that its place has now. */
export const withExchangeUndone = (form: PublishForm, key: number): PublishForm => ({
  ...form,
  questions: form.questions.map(({ before, ...now }) => {
    if (now.key !== key || !before) return { ...now, ...(before && { before }) };
    const isScored = now.scores.length === before.scores.length;
    return { ...now, ...before, ...(isScored && { scores: now.scores, given: now.given }) };
  }),
});

/** Body of the call that finds a similar question: facts of one, and bank questions that are not wanted. */
export function exchangeRequest({ questions }: PublishForm, key: number) {
  const question = questions.find((one) => one.key === key);
  if (!question) return undefined;
  const { source_id, draft, tried = [] } = question;
  const present = [...questions.flatMap((one) => one.source_id ?? []), ...tried];
  return { source_id, ques_type: draft.ques_type, facility_value: draft.facility_value, present };
}

export interface ChosenCourse {
  id: string;
  scope: '1' | '3';
  /** Class from which publishing was started. Only this class is preselected. */
  classId?: number | undefined;
}

/** Sets another course and its scope, clears period and child courses, and restores the first choice of classes. */
export function withCourse(form: PublishForm, { id: courseId, scope, classId }: ChosenCourse): PublishForm {
  if (form.course_basis_id === courseId) return form;
  return {
    ...form,
    course_basis_id: courseId,
    course_periods_id: '',
    publish_scope: scope,
    child_course_basis_ids: [],
    ...initialClasses(classId),
  };
}

/** Preselected audience: all classes of the scope, or only the class from which publishing was started. */
export const initialClasses = (classId: number | undefined) =>
  classId === undefined
    ? { class_choice: 'all', class_ids: [] }
    : { class_choice: 'some', class_ids: [String(classId)] };
