import { inClassOrder } from '#server/classes/rules.ts';
import { gradePlace, visibleClasses } from '#server/classes/visible.ts';
import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { isRefusal } from '#server/platform/calls/outcome.ts';
import { bankPage, colleaguesWithQuestions } from '#server/questions/banks.ts';
import { exportFile, planExport } from '#server/questions/export/export-file.ts';
import { applyRowOperation } from '#server/questions/import/arrange.ts';
import { importColumns, readAgain } from '#server/questions/import/columns.ts';
import { correctRow, replaceRow, wholeRowOf } from '#server/questions/import/correct.ts';
import { correctMany, repeatCorrection } from '#server/questions/import/correct-many.ts';
import { undoCorrection } from '#server/questions/import/import-rows.ts';
import { startPasted, startPreview } from '#server/questions/import/preview-start.ts';
import { dropPreview, importState, unfinishedImportsOf } from '#server/questions/import/preview-state.ts';
import { importTemplateFile } from '#server/questions/import-template.ts';
import { pickPointTree } from '#server/questions/points.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import {
  addExam,
  closeExam,
  editExam,
  examChoices,
  exportAdminExam,
  extendExam,
  listAdminExams,
  planAdminExport,
  publishExam,
  removeExam,
  showAdminExam,
  showAdminPaper,
  withdrawExam,
} from './admin.contract.ts';
import { addDraft, editExamDetails, removeDraft } from './admin-changes.ts';
import { endExamNow, extendExamEnd, publishDraft, withdrawToDraft } from './admin-publication.ts';
import { adminExamPage, adminExamPaper, adminExamRecord } from './admin-record.ts';
import { answerStudentPage } from './answer-students.ts';
import { composeOfExam } from './compose.ts';
import * as composing from './composing.contract.ts';
import {
  type ExamListExtra,
  type ExamReportsExtra,
  examCategories,
  examInfo,
  examNames,
  examReports,
  listExams,
} from './contract.ts';
import { moveQuestion } from './draft-order.ts';
import {
  addByHand,
  addFromBanks,
  addFromFile,
  editByHand,
  removeQuestion,
  writtenQuestion,
} from './draft-questions.ts';
import { storeScores, storeSectionScore } from './draft-scores.ts';
import { deleteSection, insertSection, moveSectionOf, updateSection } from './draft-sections.ts';
import { audienceChoices } from './exam-classes.ts';
import { exchangeQuestion, undoExchange } from './exchange.ts';
import { adminSelection, examSelection } from './export-questions.ts';
import { categoryTree, examPage, schoolsOfExams, schoolsOfReports } from './list.ts';
import { namesOfExams } from './names.ts';
import { downloadExam, examReport, exportExam, planExamExport, previewExam } from './paper.contract.ts';
import { examPreview } from './preview.ts';
import { examPdf } from './print.ts';
import { examHeader, examReportPage, examStudentPage } from './reports.ts';
import { examSheet } from './sheet.ts';
import {
  type ExamAnswersExtra,
  examAnswerStudents,
  examQuestionStatistics,
  examSchools,
  examStatistics,
  examStudents,
  exportExamAnswerStudents,
  exportExamStudents,
} from './statistics.contract.ts';
import { questionStatisticsOfExam, statisticsOfExam } from './statistics.ts';
import { exportAnswers, exportStudents } from './students-export.ts';

export const examCalls = [
  handle(listExams, async ({ db, actor, query }) => {
    const [page, school_list, class_list] = await Promise.all([
      examPage(db, actor, query),
      schoolsOfExams(db, actor),
      visibleClasses(db, actor).select(['class.id', 'class.name', gradePlace]).execute(),
    ]);
    return new AnswerWithMessage(page, {
      extra: { school_list, class_list: inClassOrder(class_list) } satisfies ExamListExtra,
    });
  }),
  handle(examNames, ({ db, actor }) => namesOfExams(db, actor)),
  handle(examCategories, ({ db }) => categoryTree(db)),
  handle(examInfo, ({ db, actor, params }) => examHeader(db, actor, params.id)),
  handle(examReports, async ({ db, actor, params, query }) => {
    const found = await examReportPage(db, actor, params.id, query);
    if (isRefusal(found)) return found;
    const { user_school_list, ...page } = found;
    return new AnswerWithMessage(page, { extra: { user_school_list } satisfies ExamReportsExtra });
  }),
  handle(examStatistics, ({ db, actor, params }) => statisticsOfExam(db, actor, params.id)),
  handle(examStudents, ({ db, actor, body }) => examStudentPage(db, actor, body)),
  handle(exportExamStudents, ({ db, storage, log, actor, now, settings: { timezone }, body }) =>
    exportStudents({ db, storage, log, actor, now, timezone }, body),
  ),
  handle(examSchools, ({ db, actor }) => schoolsOfReports(db, actor)),
  handle(examQuestionStatistics, ({ db, actor, params }) => questionStatisticsOfExam(db, actor, params.id)),
  handle(examAnswerStudents, async ({ db, actor, params, query: { group, ...paging } }) => {
    const found = await answerStudentPage(
      db,
      actor,
      { examId: params.id, questionId: params.questionId, group },
      paging,
    );
    if (isRefusal(found)) return found;
    return new AnswerWithMessage(found.page, { extra: { number: found.number } satisfies ExamAnswersExtra });
  }),
  handle(exportExamAnswerStudents, ({ params, query: { group }, settings: { timezone }, ...context }) =>
    exportAnswers({ ...context, timezone }, { examId: params.id, questionId: params.questionId, group }),
  ),
  handle(previewExam, ({ db, actor, params }) => examPreview(db, actor, params.id)),
  handle(downloadExam, ({ db, storage, log, actor, now, params, body }) =>
    examPdf({ db, storage, log }, { actor, now }, { examId: params.id, variant: body.variant }),
  ),
  handle(planExamExport, async ({ params, query, ...context }) =>
    planExport(context, await examSelection(context.db, context.actor, params.id), query),
  ),
  handle(exportExam, async ({ params, query, ...context }) =>
    exportFile(context, await examSelection(context.db, context.actor, params.id), { ...query, format: params.format }),
  ),
  handle(examReport, ({ db, actor, now, params }) => examSheet(db, actor, { ...params, now })),
];

const sectionOf = ({ id, sectionId }: { id: number; sectionId: number }) => ({ examId: id, sectionId });
const questionOf = ({ id, questionId }: { id: number; questionId: number }) => ({ examId: id, questionId });

/** Calls by which administrators manage exams. */
export const adminExamCalls = [
  handle(listAdminExams, ({ query, ...context }) => adminExamPage(context, query)),
  handle(examChoices, async ({ db, actor, now }) => ({
    schools: await schoolChoices(db, actor),
    ...(await audienceChoices({ db, actor, now })),
    categories: await categoryTree(db),
  })),
  handle(composing.listExamBank, async ({ db, actor, settings, query }) => {
    const found = await bankPage(db, actor, query, settings);
    if (isRefusal(found)) return found;
    const list = found.list.map(({ id, stem_text, ques_type, facility_value, preview, ...row }) => ({
      id,
      stem_text,
      ques_type,
      facility_value,
      preview,
      note: 'point_name' in row ? row.point_name : '',
    }));
    return { ...found, list };
  }),
  handle(showAdminExam, ({ params, ...context }) => adminExamRecord(context, params.id)),
  handle(planAdminExport, async ({ params, query, ...context }) =>
    planExport(context, await adminSelection(context.db, context.actor, params.id), query),
  ),
  handle(exportAdminExam, async ({ params, query, ...context }) =>
    exportFile(context, await adminSelection(context.db, context.actor, params.id), {
      ...query,
      format: params.format,
    }),
  ),
  handle(addExam, ({ body, ...context }) => addDraft(context, body)),
  handle(editExam, ({ params, body, ...context }) => editExamDetails(context, params.id, body)),
  handle(removeExam, ({ params, ...context }) => removeDraft(context, params.id)),
  handle(publishExam, ({ params, body, ...context }) => publishDraft(context, params.id, body.acknowledged)),
  handle(extendExam, ({ params, body, ...context }) => extendExamEnd(context, params.id, body)),
  handle(closeExam, ({ params, body, ...context }) => endExamNow(context, params.id, body.acknowledged)),
  handle(withdrawExam, ({ params, body, ...context }) => withdrawToDraft(context, params.id, body.acknowledged)),

  handle(showAdminPaper, ({ params, ...context }) => adminExamPaper(context, params.id)),
  handle(composing.addSection, ({ params, body, ...context }) => insertSection(context, params.id, body)),
  handle(composing.editSection, ({ params, body, ...context }) => updateSection(context, sectionOf(params), body)),
  handle(composing.removeSection, ({ params, query, ...context }) =>
    deleteSection(context, sectionOf(params), query.acknowledged),
  ),
  handle(composing.moveSection, ({ params, body, ...context }) => moveSectionOf(context, sectionOf(params), body.to)),
  handle(composing.scoreSection, ({ params, body, ...context }) =>
    storeSectionScore(context, sectionOf(params), body.score),
  ),
  handle(composing.scoreExam, ({ params, body, ...context }) => storeScores(context, params.id, body)),
  handle(composing.addBankQuestions, ({ params, body, ...context }) =>
    addFromBanks(context, { examId: params.id, sectionId: body.section_id }, body),
  ),
  handle(composing.composeExam, ({ params, body, ...context }) => composeOfExam(context, params.id, body)),
  handle(composing.addWrittenQuestion, ({ params, body: { section_id, ...written }, ...context }) =>
    addByHand(context, { examId: params.id, sectionId: section_id }, written),
  ),
  handle(composing.showExamQuestion, ({ params, ...context }) => writtenQuestion(context, questionOf(params))),
  handle(composing.editExamQuestion, ({ params, body, ...context }) => editByHand(context, questionOf(params), body)),
  handle(composing.removeExamQuestion, ({ params, ...context }) => removeQuestion(context, questionOf(params))),
  handle(composing.moveExamQuestion, ({ params, body, ...context }) => moveQuestion(context, questionOf(params), body)),
  handle(composing.exchangeExamQuestion, ({ params, ...context }) => exchangeQuestion(context, questionOf(params))),
  handle(composing.undoExamExchange, ({ params, ...context }) => undoExchange(context, questionOf(params))),

  handle(composing.examBankChoices, async ({ db, actor, settings, query }) => ({
    offers_public: settings.switch_question_module,
    colleagues: await colleaguesWithQuestions(db, actor),
    ...(settings.switch_question_module ? await pickPointTree(db, query) : { points: [], is_part: 0 as const }),
  })),

  handle(composing.examImportTemplate, ({ params }) => importTemplateFile(params.format)),
  handle(composing.startExamImport, ({ files, ...context }) => startPreview(context, files)),
  handle(composing.showExamImport, ({ db, actor, params, query, now }) =>
    importState(db, actor, { id: params.importId, filter: query, now }),
  ),
  handle(composing.dropExamImport, ({ db, actor, params, now }) =>
    dropPreview(db, actor, { id: params.importId, now }),
  ),
  handle(composing.startPastedExamImport, { prepare: ({ body, ...context }) => startPasted(context, body.text) }),
  handle(composing.listExamImports, ({ db, actor, now }) => unfinishedImportsOf(db, actor, now)),
  handle(composing.showExamImportRow, ({ params, ...context }) => wholeRowOf(context, params)),
  handle(composing.correctExamImportRow, ({ params, body, ...context }) => correctRow(context, params, body)),
  handle(composing.replaceExamImportRow, ({ params, body, ...context }) => replaceRow(context, params, body)),
  handle(composing.arrangeExamImportRow, ({ params, body, ...context }) =>
    applyRowOperation(context, { ...params, ...body }),
  ),
  handle(composing.correctExamImport, ({ params, body, ...context }) => correctMany(context, params.importId, body)),
  handle(composing.repeatExamImportCorrection, ({ params, body, ...context }) =>
    repeatCorrection(context, params.importId, body.number),
  ),
  handle(composing.showExamImportColumns, ({ params, ...context }) => importColumns(context, params.importId)),
  handle(composing.chooseExamImportColumns, {
    prepare: ({ params, body, ...context }) => readAgain(context, params.importId, body),
  }),
  handle(composing.undoExamImportCorrection, ({ params, body, ...context }) =>
    undoCorrection(context, params.importId, body.number),
  ),
  handle(composing.commitExamImport, ({ params: { id, importId }, body: { section_id, scope }, ...context }) =>
    addFromFile(context, { examId: id, sectionId: section_id }, { importId, scope }),
  ),
];
