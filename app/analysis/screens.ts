import * as v from 'valibot';
import { ArrangedSubmissionFilter, SubmissionFilter } from '#server/analysis/contract.ts';
import { AnalysisOrder } from '#server/analysis/question.contract.ts';
import { TranscriptFilter } from '#server/analysis/transcript.contract.ts';
import { missingHomework } from '#server/homework/rules.ts';
import { pageOnly, SearchText } from '#server/platform/calls/fields.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listOfEither, type Sorting } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';
import { MaybeId, MomentText, maybeOneOf, oneOf, ScreenId, ScreenIdOrAll } from '../lib/search.ts';
import { answerGroups } from './terms.ts';

/** What is looked at: a homework over all classes or in one; `from=arrange` as that of a scheduled lesson. */
const scope = { hw_id: ScreenId, class_id: ScreenIdOrAll, from: maybeOneOf(['arrange']) };
const missing = { missing: missingHomework };

export const detailTabs = [0, 1, 2, 3] as const;
export type DetailTab = (typeof detailTabs)[number];
/** Submissions, question analysis, transcript and distribution; a grid and a chart where a tab has them. */
const looked = { ...scope, tab: oneOf(detailTabs, 0), view: oneOf(['list', 'grid', 'chart'], 'list') };

export const homeworkDetail = screen('HomeworkDetail', '/homework/detail', 'homework-detail', looked, missing);
export const classHomeworkDetail = screen(
  'ClassesHomeworkDetail',
  '/classes/homework',
  'homework-detail',
  looked,
  missing,
);
/** One screen at two places. */
export const eitherDetail = either(homeworkDetail, classHomeworkDetail);

export type DetailPlace = ReturnType<typeof eitherDetail.at>;
export type Scope = Pick<DetailPlace, 'hw_id' | 'class_id' | 'from'>;

/** Names are cut into pages by the screen, all as long. */
const Pages = v.pick(pageOnly(), ['page']);
/** Over the distribution: the students of one of its bands. */
export const bandStudents = listDialog(eitherDetail, 'students', 'band-students', Pages, {
  band: SearchText,
  min: SearchText,
  max: SearchText,
});

const moments = { start_at: MomentText, end_at: MomentText };
export const submissions = listOfEither(
  eitherDetail,
  v.object({
    ...v.omit(SubmissionFilter, ['page', 'limit']).entries,
    ...ArrangedSubmissionFilter.entries,
    ...moments,
  }),
  { tab: 0, view: 'list' },
);
export const analysedQuestions = listOfEither(eitherDetail, AnalysisOrder, { tab: 1 });
/** An address that names no order shows the worst question first. */
export const orderOf = ({ sort_field, sort }: AnalysisOrder): AnalysisOrder =>
  sort_field ? { sort_field, sort } : { sort_field: 'average_right_rate', sort: 'asc' };
/** The same for the headers of its table. */
export const sortingOf = ({ filter, sorting }: ReturnType<typeof analysedQuestions.at>): Sorting | undefined => {
  const { sort_field: field, sort: direction } = orderOf(filter);
  return sorting && { ...sorting, field, direction };
};
/** Over the question analysis: who answered a question how. */
export const questionStudents = listDialog(eitherDetail, 'question', 'question-students', Pages, {
  ques_id: ScreenId,
  group: v.picklist(answerGroups),
});
/** Over the submission details, or wherever it is offered: a text message to who has not handed in, or to one of them. */
export const reminding = dialog(eitherDetail, 'remind', 'remind', { student_id: MaybeId });
export const transcript = listOfEither(eitherDetail, v.object({ ...TranscriptFilter.entries, ...moments }), { tab: 2 });

/** `answers` 1: with what is right; else the questions alone, as students get them and as they are printed. */
export const homeworkPreview = screen(
  'HomeworkPreview',
  '/homework/preview',
  'homework-preview',
  { hw_id: ScreenId, answers: oneOf([0, 1], 0) },
  missing,
);
/** `tab` 1: the charts. */
export const homeworkStatistics = screen(
  'HomeworkStatis',
  '/homework/statistics',
  'homework-statistics',
  { ...scope, tab: oneOf([0, 1], 0) },
  missing,
);
export const studentStatistics = screen(
  'HomeworkStudentStatis',
  '/homework/student-statistics',
  'student-statistics',
  { hw_id: ScreenId, class_id: ScreenIdOrAll, report_id: ScreenId },
  missing,
);
export const homeworkAnswers = screen('HomeworkAnswerPreview', '/homework/answers', 'homework-answers', scope, missing);
/** Over the answers: who answered a question how. */
export const studentsByAnswer = listDialog(homeworkAnswers, 'students', 'answer-students', Pages, {
  ques_id: ScreenId,
  group: v.picklist(answerGroups),
});
