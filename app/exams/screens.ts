import * as v from 'valibot';
import { ExamFilter, ExamReportFilter } from '#server/exams/contract.ts';
import { missingExam, missingSheet } from '#server/exams/rules.ts';
import { ExamStudentFilter, examAnswerGroups } from '#server/exams/statistics.contract.ts';
import { pageOnly, SortDirection, searchWord } from '#server/platform/calls/fields.ts';
import { listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { MomentText, oneOf, ScreenId, Ticked } from '../lib/search.ts';

export const examManage = screen('ExamManage', '/exams');
export const examList = listScreen(examManage, ExamFilter);

export const examTabs = ['paper', 'score', 'student', 'question'] as const;
export type ExamTab = (typeof examTabs)[number];

export const examDetail = screen(
  'ExamDetail',
  '/exams/detail',
  { id: ScreenId, tab: oneOf(examTabs, 'paper') },
  { missing: missingExam },
);
export const examPapers = listScreen(
  examDetail,
  v.object({ ...ExamReportFilter.entries, start_at: MomentText, end_at: MomentText }),
  { tab: 'paper' },
);
/** In the order of the paper unless sorted. */
export const examQuestions = listScreen(
  examDetail,
  v.object({ sort_field: searchWord(['sort', 'right_rate', 'wrong_count']), sort: SortDirection }),
  { tab: 'question' },
);
/** Over the question statistics: who answered a question how. */
export const examAnswers = listDialog(examQuestions, 'question', v.pick(pageOnly(), ['page']), {
  question_id: ScreenId,
  group: v.picklist(examAnswerGroups),
});
export const examStudents = listScreen(examDetail, v.omit(ExamStudentFilter, ['test_id']), { tab: 'student' });

export const examPreview = screen(
  'ExamPaperPreview',
  '/exams/preview',
  { id: ScreenId, answers: Ticked },
  { missing: missingExam },
);
export const examDownload = screen(
  'ExamDownload',
  '/exams/preview/download',
  { id: ScreenId },
  { missing: missingExam },
);

/** An answer sheet, to be read. `wrong`: only what was answered wrongly. */
export const examSheet = screen(
  'ExamPaperApproveView',
  '/exams/approve/view',
  { report_id: ScreenId, wrong: Ticked },
  { missing: missingSheet },
);
