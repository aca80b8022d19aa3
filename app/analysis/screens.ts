import * as v from 'valibot';
import { ArrangedSubmissionFilter, SubmissionFilter } from '#server/analysis/contract.ts';
import { AnalysisOrder } from '#server/analysis/question.contract.ts';
import { TranscriptFilter } from '#server/analysis/transcript.contract.ts';
import { missingHomework } from '#server/homework/rules.ts';
import { pageOnly, SearchText } from '#server/platform/calls/fields.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { exportChoice, exportFileChoice } from '../lib/export-choice.ts';
import { listOnScreens, type Sorting } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { MomentText, OptionalId, oneOf, optionalOneOf, ScreenId, ScreenIdOrAll } from '../lib/search.ts';
import { answerGroups } from './terms.ts';

/** A homework in all classes or in one. `from=arrange` shows it as homework of a scheduled lesson. */
const scope = { hw_id: ScreenId, class_id: ScreenIdOrAll, from: optionalOneOf(['arrange']) };
const missing = { missing: missingHomework };

export const detailTabs = [0, 1, 2, 3] as const;
export type DetailTab = (typeof detailTabs)[number];
/** Tabs: submissions, question analysis, transcript, distribution. Some also have a grid or a chart as view. */
const detailParams = { ...scope, tab: oneOf(detailTabs, 0), view: oneOf(['list', 'grid', 'chart'], 'list') };

export const homeworkDetail = screen('HomeworkDetail', '/homework/detail', 'homework-detail', detailParams, missing);
export const classHomeworkDetail = screen(
  'ClassesHomeworkDetail',
  '/classes/homework',
  'homework-detail',
  detailParams,
  missing,
);
/** Two addresses show the same screen. */
export const detailScreens = screenGroup(homeworkDetail, classHomeworkDetail);

export type DetailPlace = ReturnType<typeof detailScreens.at>;
export type Scope = Pick<DetailPlace, 'hw_id' | 'class_id' | 'from'>;

/** The dialogs page over students in memory, with a fixed page size, so only `page` is in the address. */
const Pages = v.pick(pageOnly(), ['page']);
/** Dialog over the distribution with the students of one score band. */
export const bandStudents = listDialog(detailScreens, 'students', 'band-students', Pages, {
  band: SearchText,
  min: SearchText,
  max: SearchText,
});

const moments = { start_at: MomentText, end_at: MomentText };
export const submissions = listOnScreens(
  detailScreens,
  v.object({
    ...v.omit(SubmissionFilter, ['page', 'limit']).entries,
    ...ArrangedSubmissionFilter.entries,
    ...moments,
  }),
  { tab: 0, view: 'list' },
);
export const questionAnalysisList = listOnScreens(detailScreens, AnalysisOrder, { tab: 1 });
/** Sorts by default from the worst question to the best. */
export const withDefaultOrder = ({ sort_field, sort }: AnalysisOrder): AnalysisOrder =>
  sort_field ? { sort_field, sort } : { sort_field: 'average_right_rate', sort: 'asc' };
/** The sort order that the table headers show, with the same default. */
export const sortingOf = ({ filter, sorting }: ReturnType<typeof questionAnalysisList.at>): Sorting | undefined => {
  const { sort_field: field, sort: direction } = withDefaultOrder(filter);
  return sorting && { ...sorting, field, direction };
};
/** Dialog over the question analysis: students by how they answered a question. */
export const questionStudents = listDialog(detailScreens, 'question', 'question-students', Pages, {
  ques_id: ScreenId,
  group: v.picklist(answerGroups),
});
/**
 * Dialog that reminds by text message the students who have not submitted, or one student. Opens over several screens.
 */
export const reminderDialog = dialog(detailScreens, 'remind', 'remind', { student_id: OptionalId });
export const transcript = listOnScreens(detailScreens, v.object({ ...TranscriptFilter.entries, ...moments }), {
  tab: 2,
});

/** Dialog that exports the questions of the homework. */
export const homeworkExport = dialog(detailScreens, 'export', 'export', exportChoice);
export const homeworkExportFile = screen(
  'homework/export-file',
  '/homework/detail/export/:id/:format',
  'export-file.ts',
  { id: ScreenId, ...exportFileChoice },
  missing,
);

/** With `answers` 1 the page shows the right answers. Otherwise it shows the questions as students get them. */
export const homeworkPreview = screen(
  'HomeworkPreview',
  '/homework/preview',
  'homework-preview',
  { hw_id: ScreenId, answers: oneOf([0, 1], 0) },
  missing,
);
/** `tab` 1 shows the charts, `tab` 0 the tables. */
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
/** Dialog over HomeworkAnswerPreview: students by how they answered a question. */
export const studentsByAnswer = listDialog(homeworkAnswers, 'students', 'answer-students', Pages, {
  ques_id: ScreenId,
  group: v.picklist(answerGroups),
});
