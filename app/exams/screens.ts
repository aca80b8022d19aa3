/** Where the exam screens stand. */
import * as v from 'valibot';
import { ExamFilter, ExamReportFilter, ExamStudentFilter } from '#server/exams/contract.ts';
import { missingExam, missingSheet } from '#server/exams/rules.ts';
import { listScreen, MomentText, oneOf, ScreenId, screen, Ticked } from '../lib/screen.ts';

export const examManage = screen('ExamManage', '/exams');
export const examList = listScreen(examManage, ExamFilter);

export const examTabs = ['paper', 'score', 'student', 'question'] as const;
export type ExamTab = (typeof examTabs)[number];

export const examDetail = screen(
  'ExamDetail',
  '/exams/detail',
  { id: ScreenId, tab: oneOf(examTabs, 'paper') },
  missingExam,
);
export const examPapers = listScreen(
  examDetail,
  v.object({ ...ExamReportFilter.entries, start_at: MomentText, end_at: MomentText }),
  { tab: 'paper' },
);
export const examStudents = listScreen(examDetail, v.omit(ExamStudentFilter, ['test_id']), { tab: 'student' });

export const examPreview = screen('ExamPaperPreview', '/exams/preview', { id: ScreenId, answers: Ticked }, missingExam);
export const examDownload = screen('ExamDownload', '/exams/preview/download', { id: ScreenId }, missingExam);

/** An answer sheet, to be read. `wrong`: only what was answered wrongly. */
export const examSheet = screen(
  'ExamPaperApproveView',
  '/exams/approve/view',
  { report_id: ScreenId, wrong: Ticked },
  missingSheet,
);
