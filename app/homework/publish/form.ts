/**
 * The publish form as it stands, on the server and in the browser. Fields are kept as they were typed; only the API
 * judges them.
 */
import { homeworkNameLimit, homeworkRemarkLimit } from '#server/homework/rules.ts';
import type { QuestionDraft } from '#server/questions/rules.ts';

export { homeworkNameLimit, homeworkRemarkLimit };

export interface FormQuestion {
  /** Its name in this form; never given twice. */
  key: number;
  /** The bank's question that it was taken from. */
  source_id: number | null;
  draft: QuestionDraft;
  /** As typed: one score, or of a material question one for each part. */
  scores: string[];
  /** The scores that were not typed here but set by batch or brought along: only these may have a decimal. */
  given: string[];
}

/** The types that batch score setting covers. */
export const batchTypes = [1, 2, 3, 4, 5, 7] as const;

/** What stands over the form and waits for an answer. */
export type Panel =
  | { kind: 'remove'; keys: number[]; selected: boolean }
  | { kind: 'batch'; values: Record<string, string>; error?: string }
  /** Asks once more before it is published; `past`: though its deadline is over. */
  | { kind: 'publish'; past: boolean };

export interface PublishForm {
  /** Ids as text; blank for none. */
  course_basis_id: string;
  publish_scope: string;
  child_course_basis_ids: string[];
  type: string;
  course_periods_id: string;
  name: string;
  remark: string;
  /** `yyyy-mm-ddThh:mm` in the school's zone. */
  ending_time: string;
  is_set_score: string;
  right_answers: string;
  /** `all` classes of the scope, or `some`. */
  class_choice: string;
  class_ids: string[];
  questions: FormQuestion[];
  /** Keys of the questions that are ticked. */
  selected: number[];
  next_key: number;
  panel: Panel | null;
  /** Submitting the same form twice is one homework. */
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

/** Content that a user would lose, as JSON: without the ticks and the open panel. */
export const writtenIn = ({
  submit_key: _key,
  selected: _selected,
  panel: _panel,
  next_key: _next,
  ...written
}: PublishForm): string => JSON.stringify(written);

// ---- scores: whole tenths of a point --------------------------------------------------------------------

/** Tenths of what was typed, or undefined where it is no score of 1 to 100 with at most one decimal. */
export function tenthsOf(typed: string): number | undefined {
  const match = /^\s*(\d{1,3})(?:\.(\d))?0*\s*$/.exec(typed);
  if (!match) return undefined;
  const tenths = Number(match[1]) * 10 + Number(match[2] ?? 0);
  return tenths >= 10 && tenths <= 1000 ? tenths : undefined;
}

/** `12.5`, `3`, as a score stands in its field. */
export const scoreText = (tenths: number): string => String(tenths / 10);

/** Whether a score may be published: typed ones are whole numbers; a decimal that was set by batch stays as it is. */
export function isPublishable({ scores, given }: FormQuestion, part: number): boolean {
  const tenths = tenthsOf(scores[part] ?? '');
  return tenths !== undefined && (tenths % 10 === 0 || tenths === tenthsOf(given[part] ?? ''));
}

/** A score that is none is sent as 0, which is refused; a blank one as nothing. */
export function sentScore(question: FormQuestion, part: number): number | undefined {
  const typed = question.scores[part] ?? '';
  if (isPublishable(question, part)) return (tenthsOf(typed) ?? 0) / 10;
  return typed.trim() === '' ? undefined : 0;
}

/** Tenths of a question: of a material question the sum of its parts. With scores off every part is worth a point. */
export function questionTenths({ draft, scores }: FormQuestion, is_set_score: string): number {
  const parts = draft.ques_type === 6 ? draft.ques_item.length : 1;
  if (is_set_score === '1') return parts * 10;
  return scores.slice(0, parts).reduce((sum, typed) => sum + (tenthsOf(typed) ?? 0), 0);
}

export const totalTenths = ({ questions, is_set_score }: PublishForm): number =>
  questions.reduce((sum, question) => sum + questionTenths(question, is_set_score), 0);

/** Types that are scored, of material questions those of their parts. */
export const typesOf = ({ questions }: PublishForm): number[] =>
  questions.flatMap(({ draft }) =>
    (draft.ques_type === 6 ? draft.ques_item : [draft]).map(({ ques_type }) => ques_type),
  );

/** How many scores a question has. */
export const scoreCount = (draft: QuestionDraft): number => (draft.ques_type === 6 ? draft.ques_item.length : 1);

// ---- questions -------------------------------------------------------------------------------------------

/** A question with the scores that it brings along, in points; blank where it brings none. */
export interface NewQuestion {
  source_id: number | null;
  draft: QuestionDraft;
  scores?: (number | undefined)[];
}

/** Points by type, for what brings none along. */
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

/** Adds those that are not in the form yet; `present` are the places, counted from 1, of those that are. */
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

/** What is said of questions that were to be added and are there already. */
export const presentNotice = (places: readonly number[]): string =>
  `以下题目已在作业中，未重复添加：${places.map((place) => `第${place}题`).join('、')}`;

type Content = Pick<NewQuestion, 'source_id' | 'draft'>;

function isSameQuestion(one: Content, other: Content): boolean {
  if (one.source_id !== null && one.source_id === other.source_id) return true;
  return contentOf(one.draft) === contentOf(other.draft);
}

const contentOf = ({ ques_type, ques_stem, ques_option, ques_item }: QuestionDraft): string =>
  JSON.stringify([ques_type, ques_stem, ques_option.map(({ content }) => content), ques_item.map(contentOf)]);

/** The same question written anew; the scores of parts that are still there stay. */
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

export interface ChosenCourse {
  id: string;
  scope: '1' | '3';
  /** The class that is published from, which alone it reaches at first. */
  classId?: number | undefined;
}

/** Another course has other periods, child courses and classes. */
export function withCourse(form: PublishForm, { id: courseId, scope, classId }: ChosenCourse): PublishForm {
  if (form.course_basis_id === courseId) return form;
  return {
    ...form,
    course_basis_id: courseId,
    course_periods_id: '',
    publish_scope: scope,
    child_course_basis_ids: [],
    ...classesFrom(classId),
  };
}

/** All classes of a scope, unless one publishes from a class. */
export const classesFrom = (classId: number | undefined) =>
  classId === undefined
    ? { class_choice: 'all', class_ids: [] }
    : { class_choice: 'some', class_ids: [String(classId)] };
