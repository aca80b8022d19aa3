/** Where the analysis of one homework stands. */
import * as v from 'valibot';
import {
  AnalysisOrder,
  ArrangedSubmissionFilter,
  SubmissionFilter,
  TranscriptFilter,
} from '#server/analysis/contract.ts';
import { missingHomework } from '#server/homework/rules.ts';
import { SearchText } from '#server/platform/calls/fields.ts';
import {
  countFrom,
  dialog,
  listScreen,
  MomentText,
  maybeOneOf,
  oneOf,
  ScreenId,
  ScreenIdOrAll,
  screen,
} from '../lib/screen.ts';
import { answerGroups } from './answer-groups.ts';

/** What is looked at: a homework over all classes or in one; `from=arrange` as that of a scheduled lesson. */
const scope = { hw_id: ScreenId, class_id: ScreenIdOrAll, from: maybeOneOf(['arrange']) };
const missing = missingHomework;

export const detailTabs = [0, 1, 2, 3] as const;
export type DetailTab = (typeof detailTabs)[number];
/** Submissions, question analysis, transcript and distribution; a grid and a chart where a tab has them. */
const looked = { ...scope, tab: oneOf(detailTabs, 0), view: oneOf(['list', 'grid', 'chart'], 'list') };

export const homeworkDetail = screen('HomeworkDetail', '/homework/detail', looked, missing);
export const classHomeworkDetail = screen('ClassesHomeworkDetail', '/classes/homework', looked, missing);
/** Of the two, which are one screen at two places, the one that an address is of. */
export const detailAt = ({ pathname }: { pathname: string }) =>
  pathname.startsWith(classHomeworkDetail.path) ? classHomeworkDetail : homeworkDetail;

export type DetailPlace = ReturnType<typeof homeworkDetail.at>;
export type Scope = Pick<DetailPlace, 'hw_id' | 'class_id' | 'from'>;

// Of either: a list stays at the place of the address that it is read from.
const moments = { start_at: MomentText, end_at: MomentText };
export const submissions = listScreen(
  homeworkDetail,
  v.object({
    ...v.omit(SubmissionFilter, ['page', 'limit']).entries,
    ...ArrangedSubmissionFilter.entries,
    ...moments,
  }),
  { tab: 0, view: 'list' },
);
export const analysedQuestions = listScreen(homeworkDetail, AnalysisOrder, { tab: 1 });
export const transcript = listScreen(homeworkDetail, v.object({ ...TranscriptFilter.entries, ...moments }), { tab: 2 });

/** Over the distribution: the students of one of its bands. */
export const bandStudents = dialog('students', {
  band: SearchText,
  min: SearchText,
  max: SearchText,
  page: countFrom(1),
});

export const homeworkPreview = screen('HomeworkPreview', '/homework/preview', { hw_id: ScreenId }, missing);
/** `tab` 1: the charts. */
export const homeworkStatistics = screen(
  'HomeworkStatis',
  '/homework/statistics',
  { ...scope, tab: oneOf([0, 1], 0) },
  missing,
);
export const studentStatistics = screen(
  'HomeworkStudentStatis',
  '/homework/student-statistics',
  { hw_id: ScreenId, class_id: ScreenIdOrAll, report_id: ScreenId },
  missing,
);
export const homeworkAnswers = screen('HomeworkAnswerPreview', '/homework/answers', scope, missing);
/** Over the answers: who answered a question how. */
export const studentsByAnswer = dialog('students', {
  ques_id: ScreenId,
  group: v.picklist(answerGroups),
  page: countFrom(1),
});
