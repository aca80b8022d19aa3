import * as v from 'valibot';
import { AdminExamFilter } from '#server/exams/admin.contract.ts';
import { ExamBankFilter } from '#server/exams/composing.contract.ts';
import { ExamFilter, ExamReportFilter } from '#server/exams/contract.ts';
import { examBanks, missingExam, missingExamQuestion, missingSection, missingSheet } from '#server/exams/rules.ts';
import { ExamStudentFilter, examAnswerGroups } from '#server/exams/statistics.contract.ts';
import { pageOnly, SearchText, SortDirection, searchWord } from '#server/platform/calls/fields.ts';
import { ImportFilter } from '#server/questions/import.contract.ts';
import { importExpiredMessage } from '#server/questions/import.rules.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { exportChoice, exportFileChoice } from '../lib/export-choice.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { ruleParams } from '../lib/rule-address.ts';
import { screen } from '../lib/screen.ts';
import { CheckedParam, MomentText, OptionalId, oneOf, ScreenId } from '../lib/search.ts';

export const examManage = screen('ExamManage', '/exams', 'manage');
export const examList = listScreen(examManage, ExamFilter);

export const examTabs = ['paper', 'score', 'student', 'question'] as const;
export type ExamTab = (typeof examTabs)[number];

export const examDetail = screen(
  'ExamDetail',
  '/exams/detail',
  'detail',
  { id: ScreenId, tab: oneOf(examTabs, 'paper'), view: oneOf(['list', 'chart'], 'list') },
  { missing: missingExam },
);
export const examPapers = listScreen(
  examDetail,
  v.object({ ...ExamReportFilter.entries, start_at: MomentText, end_at: MomentText }),
  { tab: 'paper' },
);
/** Question statistics. Without a sort order in the address, questions are in the order of the paper. */
export const examQuestions = listScreen(
  examDetail,
  v.object({ sort_field: searchWord(['sort', 'right_rate', 'wrong_count']), sort: SortDirection }),
  { tab: 'question' },
);
/** Dialog over the question statistics: lists students by how they answered a question. */
export const examAnswers = listDialog(examQuestions, 'question', 'answer-students', v.pick(pageOnly(), ['page']), {
  question_id: ScreenId,
  group: v.picklist(examAnswerGroups),
});
export const examStudents = listScreen(examDetail, v.omit(ExamStudentFilter, ['test_id']), { tab: 'student' });

export const examPreview = screen(
  'ExamPaperPreview',
  '/exams/preview',
  'preview',
  { id: ScreenId, answers: CheckedParam },
  { missing: missingExam },
);
export const examDownload = screen(
  'ExamDownload',
  '/exams/preview/download',
  'download',
  { id: ScreenId },
  { missing: missingExam },
);

export const examExport = dialog(examDetail, 'export', 'export', exportChoice);
export const examExportFile = screen(
  'exams/export-file',
  '/exams/detail/export/:id/:format',
  'export-file.ts',
  { id: ScreenId, ...exportFileChoice },
  { missing: missingExam },
);

/** A read-only answer sheet. With `wrong` it shows only wrong answers. */
export const examSheet = screen(
  'ExamPaperApproveView',
  '/exams/approve/view',
  'approve-view',
  { report_id: ScreenId, wrong: CheckedParam },
  { missing: missingSheet },
);

const ofExam = { missing: missingExam };

export const adminExams = screen('AdminExams', '/admin/exams', 'admin/list');
export const adminExamList = listScreen(adminExams, AdminExamFilter);
export const examAdd = screen('AdminExamAdd', '/admin/exams/add', 'admin/add');
export const examEdit = screen('AdminExamEdit', '/admin/exams/edit', 'admin/edit', { id: ScreenId }, ofExam);

export const examRecord = screen('AdminExamDetail', '/admin/exams/detail', 'admin/detail', { id: ScreenId }, ofExam);
export const examPublish = dialog(examRecord, 'publish', 'admin/publish');
export const examExtend = dialog(examRecord, 'extend', 'admin/extend');
export const examClose = dialog(examRecord, 'close', 'admin/close');
export const examWithdraw = dialog(examRecord, 'withdraw', 'admin/withdraw');
export const examRemove = dialog(examRecord, 'delete', 'admin/remove');
export const adminExamExport = dialog(examRecord, 'export', 'admin/export', exportChoice);
export const adminExamExportFile = screen(
  'admin/exams/export-file',
  '/admin/exams/export/:id/:format',
  'admin/export-file.ts',
  { id: ScreenId, ...exportFileChoice },
  ofExam,
);

/** The paper while it is being composed. `exchanged`: question that was exchanged last. */
export const examPaper = screen(
  'AdminExamPaper',
  '/admin/exams/paper',
  'admin/paper',
  { id: ScreenId, exchanged: OptionalId },
  ofExam,
);
export const sectionAdd = dialog(examPaper, 'section', 'admin/section');
export const sectionEdit = dialog(examPaper, ':section/edit', 'admin/section', {}, { missing: missingSection });
export const sectionRemove = dialog(
  examPaper,
  ':section/delete',
  'admin/remove-section',
  {},
  { missing: missingSection },
);
export const examQuestionRemove = dialog(
  examPaper,
  'question/:question',
  'admin/remove-question',
  {},
  { missing: missingExamQuestion },
);
export const examPick = listDialog(
  examPaper,
  'questions',
  'admin/pick',
  v.object({ ...v.omit(ExamBankFilter, ['bank']).entries, point_name: SearchText }),
  { bank: oneOf(examBanks, 'public'), section: ScreenId, ...pickerParams },
  { missing: missingSection, largeForm: true },
);
/** Dialog that chooses questions for a section by a rule. */
export const examRule = dialog(
  examPaper,
  'rule',
  'admin/rule',
  { section: ScreenId, ...ruleParams },
  { missing: missingSection, largeForm: true },
);

const inSection = { id: ScreenId, section: ScreenId };
export const examQuestionAdd = screen(
  'AdminExamQuestionAdd',
  '/admin/exams/question/add',
  'admin/add-question',
  inSection,
  {
    missing: missingSection,
    files: true,
  },
);
export const examQuestionEdit = screen(
  'AdminExamQuestionEdit',
  '/admin/exams/question/edit',
  'admin/edit-question',
  { id: ScreenId, question: ScreenId },
  { missing: missingExamQuestion, files: true },
);
/** `file`: id of the uploaded file. */
export const examImport = screen(
  'AdminExamImport',
  '/admin/exams/import',
  'admin/import',
  { ...inSection, file: SearchText },
  { missing: missingSection, files: true, largeForm: true },
);
export const examImportPreview = listScreen(examImport, ImportFilter);
/** `row`: a question of the import. The others are parameters of the preview, to which it returns. */
export const examImportEdit = screen(
  'AdminExamImportEdit',
  '/admin/exams/import/edit',
  'admin/import-edit',
  { ...inSection, file: SearchText, row: ScreenId, only: ImportFilter.entries.only, page: OptionalId },
  { missing: importExpiredMessage, files: true },
);
/** Meaning of the columns of the spreadsheet `file`. */
export const examImportColumns = screen(
  'AdminExamImportColumns',
  '/admin/exams/import/columns',
  'admin/import-columns',
  { ...inSection, file: SearchText },
  { missing: importExpiredMessage },
);
/** `format`: 1 for Word, 2 for Excel. */
export const examTemplate = screen('AdminExamTemplate', '/admin/exams/template/:format', 'admin/template.ts', {
  format: v.string(),
});
