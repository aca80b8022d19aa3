/** Data of the publish screen besides the form itself. */

import type { CourseChoice, PeriodChoice, ScopeClass } from '#server/homework/publication.contract.ts';
import { publicationMessages } from '#server/homework/rules.ts';
import type { SessionRow } from '#server/sessions/contract.ts';
import type { FormOwner } from '../../lib/form-owner.ts';
import type { Messages } from '../../ui/client/form-messages.ts';
import type { RefusedForm } from '../../ui/form-state.ts';
import type { DeadlinePreset } from './deadlines.ts';
import type { PublishForm } from './form.ts';
import type { PublishLinks } from './links.server.ts';
import type { Notice } from './operations.ts';

export interface Choices {
  course: Pick<CourseChoice, 'id' | 'title' | 'parent_title'> | null;
  children: CourseChoice[];
  periods: PeriodChoice[];
  classes: ScopeClass[];
  /** One list per student who is in several classes: the ids of these classes. */
  shared: number[][];
  /** Number of classes by scope. Scope 2 is missing, because chosen child courses are counted separately. */
  reach: { 1?: number; 3?: number };
  /** Scheduled lesson that the homework belongs to. */
  session: SessionRow | null;
}

/** Classes that get the homework on publication. */
export const audienceOf = (
  { class_choice, class_ids }: Pick<PublishForm, 'class_choice' | 'class_ids'>,
  { classes }: Pick<Choices, 'classes'>,
): ScopeClass[] => (class_choice === 'some' ? classes.filter(({ id }) => class_ids.includes(String(id))) : classes);

/** Key of an audience, to detect that it has changed. */
export const audienceKey = (classes: readonly ScopeClass[]): string => classes.map(({ id }) => id).join(',');

/** Returns why the chosen scope reaches no class. */
export function scopeFault(
  { publish_scope, child_course_basis_ids }: PublishForm,
  { course, children, classes, session }: Choices,
): string | undefined {
  if (!course || session) return undefined;
  if (children.length === 0 && publish_scope !== '3') return publicationMessages.noChildren;
  const isComplete = publish_scope !== '2' || child_course_basis_ids.length > 0;
  return isComplete && classes.length === 0 ? publicationMessages.noClasses : undefined;
}

export interface PublishView {
  form: PublishForm;
  choices: Choices;
  /** Rendered HTML (safe) of texts with formulas, pictures or tables, by source text. */
  displays: [text: string, html: string][];
  notice?: Notice;
  refusal?: RefusedPublication;
}

export interface RefusedPublication extends RefusedForm {
  /** Errors by field. Errors of questions have the keys `score.KEY.PART` and `question.KEY`. */
  errors: Messages;
}

export interface FieldFault {
  /** Element id of the field. */
  field: string;
  text: string;
}

/** Order of these fields in the form. Other fields come after them, questions before. */
const shownOrder = [
  'course_basis_id',
  'publish_scope',
  'child_course_basis_ids',
  'class_ids',
  'type',
  'course_periods_id',
  'name',
  'ending_time',
  'remark',
  'is_set_score',
  'right_answers',
];

function sortErrors(errors: Messages) {
  const place = (field: string) => (shownOrder.includes(field) ? shownOrder.indexOf(field) : shownOrder.length);
  return Object.entries(errors).sort(([one], [other]) => place(one) - place(other));
}

/**
 * Lists the errors in the order of the form. Errors of questions come first, with the question numbers:
 * `第2、5题：请设置题目分数`.
 */
export function fieldFaultsOf(errors: Messages, { questions }: Pick<PublishForm, 'questions'>): FieldFault[] {
  const settings: FieldFault[] = [];
  const faults: FieldFault[] = [];
  const ofQuestions = new Map<string, { field: string; numbers: Set<number> }>();
  for (const [field, messages] of sortErrors(errors)) {
    const [, key] = /^(?:score|question)\.(\d+)/.exec(field) ?? [];
    if (key === undefined) {
      settings.push({ field, text: messages.join('；') });
      continue;
    }
    const index = questions.findIndex((question) => question.key === Number(key));
    // The question has been removed since.
    if (index < 0) continue;
    for (const message of messages) {
      const known = ofQuestions.get(message) ?? { field, numbers: new Set() };
      known.numbers.add(index + 1);
      ofQuestions.set(message, known);
    }
  }
  for (const [message, { field, numbers }] of ofQuestions) {
    const sorted = [...numbers].sort((one, other) => one - other);
    faults.push({ field, text: `第${sorted.join('、')}题：${message}` });
  }
  return [...faults, ...settings];
}

/** True for texts that cannot be shown as plain text: with formulas, pictures, tables or emphasis. */
export const needsDisplay = (html: string): boolean => /<(?!\/?(?:p|br|span)\b)|data-latex|\$|\\\(|\\\[/i.test(html);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Converts simple HTML to one line of text. */
export const htmlToLine = (html: string): string =>
  html
    .replace(/<img\b[^<>]*>/gi, '［图片］')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    // Keeps full-width spaces: between brackets they are the gap for the answer.
    .replace(/[ \t\r\n\u00a0]+/g, ' ')
    .trim();

/** Lists all texts of the questions that the table may show. */
export const textsOf = ({ questions }: Pick<PublishForm, 'questions'>): string[] =>
  questions.flatMap(({ draft }) =>
    [draft, ...draft.ques_item].flatMap((part) => [
      part.ques_stem,
      part.ques_analysis,
      ...part.ques_option.map(({ content }) => content),
      ...(part.ques_type === 5 ? [part.right_answer] : []),
    ]),
  );

/** Properties of the publish screen, sent to the browser as JSON. */
export interface PublishScreenProps {
  view: PublishView;
  /** The form, deflated for its hidden field. */
  packedForm: string;
  links: PublishLinks;
  /** Id of the stored form in the address. Null if there is none. */
  draftId: string | null;
  person: FormOwner;
  publicBank: boolean;
  presets: DeadlinePreset[];
  /** True while a dialog route is open over the form. */
  covered: boolean;
}
