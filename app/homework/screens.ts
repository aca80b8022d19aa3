import * as v from 'valibot';
import { HomeworkFilter } from '#server/homework/contract.ts';
import { EarlierHomeworkFilter } from '#server/homework/copies.contract.ts';
import { arrangeTypes, missingHomework, sourceClass } from '#server/homework/rules.ts';
import { paging, SearchIds, SearchText } from '#server/platform/calls/fields.ts';
import { classHomeworkDetail, homeworkDetail } from '../analysis/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { ruleParams } from '../lib/rule-address.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { MomentText, OptionalId, optionalOneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

export const homeworkTabs = ['main', 'approve', 'ques'] as const;
export type HomeworkTab = (typeof homeworkTabs)[number];

/**
 * Without `tab`, the page shows the tab opened last, if the user may still open it, else `main`. Under a dialog it
 * always shows `main`.
 */
export const homeworkManage = screen('HomeworkManage', '/homework', 'manage', { tab: optionalOneOf(homeworkTabs) });

/** `course_basis_id` limits the list to one course. It does not count as a filter that the user set. */
export const homeworkList = listScreen(
  homeworkManage,
  HomeworkFilter,
  { tab: 'main' },
  { further: { course_basis_id: OptionalId } },
);

const missing = { missing: missingHomework };
export const recall = dialog(homeworkManage, ':id/recall', 'recall', {}, missing);
// The screens over which the dialogs below open.
const eitherHomework = screenGroup(homeworkList, homeworkDetail, classHomeworkDetail);
/** `to` is the initial value of the field. */
export const deadline = dialog(eitherHomework, ':id/deadline', 'deadline', { to: MomentText }, missing);
/** With `select=all`, every class is ticked. */
export const publishToMore = dialog(
  eitherHomework,
  ':id/continue',
  'continue',
  { select: optionalOneOf(['all']) },
  missing,
);

// ---- publishing --------------------------------------------------------------------------------

/** Parses one of a few numbers. Undefined for anything else. */
const maybeNumber = <const N extends number>(numbers: readonly N[]) =>
  v.fallback(v.optional(v.pipe(ScreenId, v.picklist(numbers))), undefined);

/**
 * Starting point of the publish form: a course or one of its periods; a homework to copy; remedial homework (for
 * `ques_ids` or all failed questions, for one class or all); a scheduled lesson; a class. `back` is the address to
 * return to.
 */
const start = {
  course_id: OptionalId,
  /** A period of the course. The calendar links here with it. */
  period_id: OptionalId,
  type: optionalOneOf(['copy', 'remedial']),
  id: OptionalId,
  ques_ids: SearchIds,
  class_id: OptionalId,
  arrange_id: OptionalId,
  arrange_type: maybeNumber(arrangeTypes),
  source: maybeNumber([1, sourceClass]),
  back: ReturnAddress,
};
/** Id of the form stored on the server. */
const draft = SearchText;

export const publish = screen(
  'HomeworkPublish',
  '/homework/publish',
  'publish/publish',
  { ...start, draft },
  { largeForm: true },
);
/**
 * Parameters in the addresses of the publish form: where it started (`start`), and the stored form (`draft`). Links
 * between its screens pass them on.
 */
export type PublishAddress = ReturnType<typeof publish.at>;

/** `key` is the key of a question in the form. Without it, a new question is added. */
export const publishQuestion = screen(
  'homework/publish/question',
  '/homework/publish/question',
  'publish/question',
  {
    ...start,
    key: OptionalId,
    draft,
  },
  { files: true, largeForm: true },
);
export const publishSend = screen('homework/publish/send', '/homework/publish/send', 'publish/send.ts', start, {
  largeForm: true,
});
/** Stores the form as a draft. With `given_up`, deletes the draft instead. */
export const publishDraft = screen(
  'homework/publish/keep',
  '/homework/publish/keep',
  'publish/save-draft.ts',
  { ...start, given_up: optionalOneOf(['yes']) },
  { largeForm: true },
);
/** Finds a question to exchange for one of the form. */
export const publishExchange = screen('homework/publish/exchange', '/homework/publish/exchange', 'publish/exchange.ts');
export const publishChoices = screen('homework/publish/choices', '/homework/publish/choices', 'publish/choices.ts', {
  course_basis_id: OptionalId,
  publish_scope: SearchText,
  child_course_basis_ids: SearchIds,
  arrange_id: OptionalId,
});

export const pickCourse = dialog(publish, 'course', 'publish/course', { title: SearchText }, { largeForm: true });
/** Dialog that chooses questions by a rule. */
export const composeByRule = dialog(publish, 'rule', 'publish/rule', ruleParams, { largeForm: true });
export const pickEarlierHomework = listDialog(
  publish,
  'history',
  'publish/history',
  v.object({ ...EarlierHomeworkFilter.entries, ...paging(10) }),
  pickerParams,
  { largeForm: true },
);
