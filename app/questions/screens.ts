import * as v from 'valibot';
import { paging, SearchIds, SearchText } from '#server/platform/calls/fields.ts';
import { BankFilter } from '#server/questions/bank.contract.ts';
import { QuestionFilter } from '#server/questions/contract.ts';
import { ErrorReportFilter } from '#server/questions/error-reports.contract.ts';
import { missingErrorReport } from '#server/questions/error-reports.rules.ts';
import { ImportFilter } from '#server/questions/import.contract.ts';
import { importExpiredMessage } from '#server/questions/import.rules.ts';
import { PointFilter } from '#server/questions/points.contract.ts';
import { missingPoint } from '#server/questions/points.rules.ts';
import { missingQuestion } from '#server/questions/rules.ts';
import { SimilarFilter } from '#server/questions/similar.contract.ts';
import { homeworkManage, publish } from '../homework/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { exportChoice, exportFileChoice } from '../lib/export-choice.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { OptionalId, oneOf, optionalOneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

const Filter = v.omit(QuestionFilter, ['with_preview', 'for_picker']);
export const questionList = listScreen(homeworkManage, Filter, { tab: 'ques' });
/** The list of questions. `select=all`: every row of the page is ticked. Paging and filtering drop the ticks. */
export const questionListAllSelected = listScreen(
  homeworkManage,
  Filter,
  { tab: 'ques' },
  { further: { select: optionalOneOf(['all']) } },
);
export const removeQuestions = dialog(homeworkManage, 'questions/delete', 'delete', { ids: SearchIds });

/** Adds tags to the ticked questions, or removes some. */
export const tagging = dialog(homeworkManage, 'questions/tags', 'tagging', { ids: SearchIds });

/** `ids`: ticked questions; without any, all that the list finds. */
export const questionExport = dialog(homeworkManage, 'questions/export', 'export', {
  ids: SearchIds,
  ...exportChoice,
});
export const questionExportFile = screen(
  'questions/export-file',
  '/homework/question/export/:format',
  'export-file.ts',
  {
    ...v.pick(Filter, ['ques_stem', 'ques_type', 'facility_value', 'point', 'tag', 'remark']).entries,
    ids: SearchIds,
    ...exportFileChoice,
  },
);

const missing = { missing: missingQuestion };
export const questionDetail = screen('HomeworkQuesDetail', '/homework/question', 'detail', { id: ScreenId }, missing);
/** Pairs of equal and nearly equal questions of the own bank. */
export const similarScreen = screen('HomeworkQuesSimilar', '/homework/question/similar', 'similar');
export const similarList = listScreen(similarScreen, SimilarFilter);
/** Merges `gone` into `kept`. */
export const questionMerging = dialog(similarScreen, 'merge', 'merge', { kept: ScreenId, gone: ScreenId }, missing);
/** Page with the uses, figures and changes of a question. */
export const questionRecord = screen(
  'HomeworkQuesRecord',
  '/homework/question/record',
  '../analysis/question-record',
  { id: ScreenId },
  missing,
);
export const errorReportForm = dialog(questionDetail, 'correction', 'error-report');
export const questionAdd = screen('HomeworkAddQues', '/homework/question/add', 'add', {}, { files: true });
export const questionEdit = screen(
  'HomeworkEditQues',
  '/homework/question/edit',
  'edit',
  { id: ScreenId },
  {
    ...missing,
    files: true,
  },
);

export const questionImport = screen(
  'HomeworkQuesImport',
  '/homework/question/import',
  'import',
  // `publishing`: address of the publish form that takes the imported questions.
  { id: SearchText, publishing: ReturnAddress },
  { files: true, largeForm: true },
);
export const importPreview = listScreen(questionImport, ImportFilter);
/** `row`: a question of the import `id`. The others are parameters of the preview, to which it returns. */
export const importEdit = screen(
  'HomeworkQuesImportEdit',
  '/homework/question/import/edit',
  'import-edit',
  { id: SearchText, row: ScreenId, publishing: ReturnAddress, only: ImportFilter.entries.only, page: OptionalId },
  { missing: importExpiredMessage, files: true },
);
/** Meaning of the columns of the spreadsheet `id`. */
export const importColumns = screen(
  'HomeworkQuesImportColumns',
  '/homework/question/import/columns',
  'columns',
  { id: SearchText, publishing: ReturnAddress },
  { missing: importExpiredMessage },
);
/** `format`: 1 for Word, 2 for Excel. */
export const questionTemplate = screen('questions/template', '/homework/question/template/:format', 'template.ts', {
  format: v.string(),
});
/** Renders rich texts for the question form in the browser. */
export const questionDisplay = screen('questions/display', '/homework/question/display', 'display.ts');

const ImportedScores = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^[\d.:+,]{1,100000}$/))), undefined);

/** Dialog over the publish form that picks questions from the user's own bank or the public one. */
export const pickQuestions = listDialog(
  publish,
  'questions',
  '../homework/publish/questions',
  v.object({ ...Filter.entries, point_id: OptionalId, point_name: SearchText, ...paging(10) }),
  // `scores`: of imported questions (imported-scores.ts).
  { bank: oneOf(['mine', 'public'], 'mine'), scores: ImportedScores, ...pickerParams },
  { largeForm: true },
);
export type Picker = ReturnType<typeof pickQuestions.at>;

// ---- screens of administrators: the tree of knowledge points -----------------------------------

const noPoint = { missing: missingPoint };
const unfolding = { neutral: ['open', 'whole'] as const };

export const pointScreen = screen('AdminPoints', '/admin/points', 'points/list');
export const pointList = listScreen(pointScreen, PointFilter, {}, unfolding);
/** `under`: id of the parent point. */
export const pointAdd = dialog(pointScreen, 'add', 'points/add', { under: OptionalId });
export const pointAddMany = dialog(pointScreen, 'many', 'points/add-many', { under: OptionalId });
export const pointEdit = dialog(pointScreen, ':id/edit', 'points/edit', {}, noPoint);
export const pointDelete = dialog(pointScreen, ':id/delete', 'points/delete', {}, noPoint);
/** Page to choose a new parent for a knowledge point. */
export const pointMove = screen('AdminPointMove', '/admin/points/move', 'points/move', { id: ScreenId }, noPoint);
export const pointMoveList = listScreen(pointMove, PointFilter, {}, unfolding);
/** Page to choose the knowledge point into which another one is merged. */
export const pointMerge = screen('AdminPointMerge', '/admin/points/merge', 'points/merge', { id: ScreenId }, noPoint);
export const pointMergeList = listScreen(pointMerge, PointFilter, {}, unfolding);

// ---- screens of administrators: reported mistakes, and the public question bank -----------------

const missingReport = { missing: missingErrorReport };
export const errorReportInbox = screen('AdminCorrections', '/admin/waiting/questions', 'error-reports/list');
export const errorReportList = listScreen(errorReportInbox, ErrorReportFilter);
export const errorReportDetail = screen(
  'AdminCorrectionDetail',
  '/admin/waiting/questions/detail',
  'error-reports/detail',
  { id: ScreenId },
  missingReport,
);
/** `outcome`: 2 to answer, 3 to dismiss. */
export const errorReportAnswer = dialog(errorReportDetail, 'answer', 'error-reports/answer', {
  outcome: oneOf([2, 3], 2),
});
export const errorReportEdit = screen(
  'AdminCorrectionEdit',
  '/admin/waiting/questions/edit',
  'error-reports/edit',
  { id: ScreenId },
  { ...missingReport, files: true },
);

export const bankScreen = screen('AdminQuestions', '/admin/questions', 'bank/list');
export const bankQuestionList = listScreen(bankScreen, BankFilter);
export const bankQuestionDetail = screen(
  'AdminQuestionDetail',
  '/admin/questions/detail',
  'bank/detail',
  { id: ScreenId },
  missing,
);
const placesOfBank = screenGroup(bankScreen, bankQuestionDetail);
/** `chosen`: ids ticked in the list or, on the page of a question, its id. */
export const questionSharing = dialog(placesOfBank, 'share', 'bank/share', {
  chosen: SearchIds,
  shared: oneOf([1, 0], 1),
});
export const questionMoving = dialog(placesOfBank, 'move', 'bank/move', { chosen: SearchIds });
