import { handle } from '#server/school/context.ts';
import {
  bankPoints,
  displayAdminTexts,
  listBank,
  moveQuestions,
  shareQuestions,
  sharingEffect,
  showBankQuestion,
} from './bank.contract.ts';
import { bankPage, bankQuestion, moveToPoint, pointsWithDepth, setShared, sharingEffectOf } from './bank.ts';
import {
  addQuestion,
  cancelCollect,
  collectQuestion,
  correctQuestion,
  deleteQuestions,
  displayTexts,
  knowledgeTree,
  listPublicQuestions,
  listQuestions,
  listTags,
  pickablePoints,
  showPublicQuestions,
  showQuestions,
  tagQuestions,
  updateQuestion,
} from './contract.ts';
import { questionDetails } from './detail.ts';
import { displayedTexts } from './display.ts';
import {
  answerErrorReport,
  correctReportedQuestion,
  listErrorReports,
  listOwnErrorReports,
  showErrorReport,
  undoErrorReportAnswer,
} from './error-reports.contract.ts';
import {
  answerReport,
  correctQuestionOfReport,
  errorReportDetail,
  errorReportPage,
  errorReportsOfUser,
  undoAnswer,
} from './error-reports.ts';
import { exportFile, planExport } from './export/export-file.ts';
import { ownSelection } from './export/own-questions.ts';
import { exportQuestions, planQuestionExport } from './export.contract.ts';
import { applyRowOperation } from './import/arrange.ts';
import { importColumns, readAgain } from './import/columns.ts';
import { commitPreview } from './import/commit.ts';
import { correctRow, replaceRow, wholeRowOf } from './import/correct.ts';
import { correctMany, repeatCorrection } from './import/correct-many.ts';
import { importFile } from './import/direct-import.ts';
import { undoCorrection } from './import/import-rows.ts';
import { startPasted, startPreview } from './import/preview-start.ts';
import { dropPreview, importState, unfinishedImportsOf } from './import/preview-state.ts';
import {
  chooseImportColumns,
  commitImport,
  dropImport,
  importQuestions,
  importTemplate,
  listImports,
  showImport,
  showImportColumns,
  startImport,
  startPastedImport,
} from './import.contract.ts';
import {
  arrangeImportRow,
  correctImport,
  correctImportRow,
  repeatImportCorrection,
  replaceImportRow,
  showImportRow,
  undoImportCorrection,
} from './import-correction.contract.ts';
import { importTemplateFile } from './import-template.ts';
import { publicPage, questionPage } from './list.ts';
import { merge, mergePlan, mergesOf, takeBackMerge } from './merges.ts';
import {
  addPoint,
  addPoints,
  deletePoint,
  editPoint,
  listPoints,
  mergePoint,
  movePoint,
  orderPoint,
  showPoint,
} from './points.contract.ts';
import { pickPointTree, pointTree } from './points.ts';
import {
  createPoint,
  createPoints,
  mergePoints,
  movePointTo,
  removePoint,
  swapPoint,
  updatePoint,
} from './points-changes.ts';
import { pointPage, pointRecord } from './points-list.ts';
import { addToCollection, removeFromCollection, reportMistake } from './reader-actions.ts';
import {
  listMerges,
  listSimilarQuestions,
  markDifferent,
  mergeQuestions,
  planMerge,
  undoMerge,
  unmarkDifferent,
} from './similar.contract.ts';
import { removeDifference, setDifferent, similarPage } from './similar.ts';
import { ownTags, setTags } from './tags.ts';
import { ownQuestions, visibleQuestions } from './visible.ts';
import { addToBank, deleteFromBank, editInBank } from './write.ts';

export const questionCalls = [
  handle(listQuestions, ({ db, actor, query }) => questionPage(db, actor, query)),
  handle(listPublicQuestions, ({ db, actor, body, settings }) => publicPage(db, actor, body, settings)),
  handle(knowledgeTree, ({ db }) => pointTree(db)),
  handle(pickablePoints, ({ db, query }) => pickPointTree(db, query)),
  handle(showQuestions, ({ db, actor, params }) => questionDetails(db, actor, ownQuestions(db, actor), params.ids)),
  handle(showPublicQuestions, ({ db, actor, params, settings }) =>
    questionDetails(db, actor, visibleQuestions(db, actor, settings), params.ids),
  ),
  handle(addQuestion, ({ db, actor, body, now }) => addToBank(db, body, { actor, now })),
  handle(updateQuestion, ({ db, actor, params, body, now }) => editInBank(db, params.id, body, { actor, now })),
  handle(listTags, ({ db, actor }) => ownTags(db, actor)),
  handle(tagQuestions, ({ body, ...context }) => setTags(context, body)),
  handle(listSimilarQuestions, ({ query, ...context }) => similarPage(context, query)),
  handle(markDifferent, ({ body, ...context }) => setDifferent(context, body)),
  handle(unmarkDifferent, ({ params, ...context }) => removeDifference(context, params)),
  handle(planMerge, ({ db, actor, params }) => mergePlan(db, actor, params)),
  handle(mergeQuestions, ({ params, body, ...context }) => merge(context, params, body)),
  handle(listMerges, ({ db, actor, params }) => mergesOf(db, actor, params.id)),
  handle(undoMerge, ({ params, ...context }) => takeBackMerge(context, params.id)),
  handle(deleteQuestions, ({ db, actor, params, now }) => deleteFromBank(db, { actor, now }, params.ids)),
  handle(displayTexts, ({ body }) => displayedTexts(body.texts)),

  handle(correctQuestion, ({ db, actor, body, now, settings }) =>
    reportMistake(db, { actor, now, settings }, { questionId: body.ques_id, type: body.type, text: body.error_msg }),
  ),
  handle(listOwnErrorReports, ({ db, actor, params }) => errorReportsOfUser(db, actor, params.id)),
  handle(collectQuestion, ({ db, actor, body, now, settings }) =>
    addToCollection(db, { actor, now, settings }, { questionId: body.ques_id, type: body.type }),
  ),
  handle(cancelCollect, ({ db, actor, now, params }) => removeFromCollection(db, { actor, now }, params.collectId)),

  handle(importQuestions, ({ files, params, ...context }) => importFile(context, files[0], params.format)),
  handle(importTemplate, async ({ params }) => importTemplateFile(params.format)),
  handle(startImport, ({ files, ...context }) => startPreview(context, files)),
  handle(startPastedImport, { prepare: ({ body, ...context }) => startPasted(context, body.text) }),
  handle(listImports, ({ db, actor, now }) => unfinishedImportsOf(db, actor, now)),
  handle(showImport, ({ db, actor, params, query, now }) =>
    importState(db, actor, { id: params.importId, filter: query, now }),
  ),
  handle(commitImport, ({ db, actor, params, body, now }) =>
    commitPreview(db, actor, { id: params.importId, scope: body.scope, now }),
  ),
  handle(dropImport, ({ db, actor, params, now }) => dropPreview(db, actor, { id: params.importId, now })),

  handle(planQuestionExport, async ({ query, ...context }) =>
    planExport(context, await ownSelection(context.db, context.actor, query), query),
  ),
  handle(exportQuestions, async ({ params, query, ...context }) =>
    exportFile(context, await ownSelection(context.db, context.actor, query), { ...query, format: params.format }),
  ),
  handle(showImportRow, ({ params, ...context }) => wholeRowOf(context, params)),
  handle(correctImportRow, ({ params, body, ...context }) => correctRow(context, params, body)),
  handle(replaceImportRow, ({ params, body, ...context }) => replaceRow(context, params, body)),
  handle(arrangeImportRow, ({ params, body, ...context }) => applyRowOperation(context, { ...params, ...body })),
  handle(correctImport, ({ params, body, ...context }) => correctMany(context, params.importId, body)),
  handle(repeatImportCorrection, ({ params, body, ...context }) =>
    repeatCorrection(context, params.importId, body.number),
  ),
  handle(showImportColumns, ({ params, ...context }) => importColumns(context, params.importId)),
  handle(chooseImportColumns, { prepare: ({ params, body, ...context }) => readAgain(context, params.importId, body) }),
  handle(undoImportCorrection, ({ params, body, ...context }) => undoCorrection(context, params.importId, body.number)),
];

export const pointCalls = [
  handle(listPoints, ({ db, query }) => pointPage(db, query)),
  handle(showPoint, ({ db, params }) => pointRecord(db, params.id)),
  handle(addPoint, ({ body, ...context }) => createPoint(context, body)),
  handle(addPoints, ({ body, ...context }) => createPoints(context, body)),
  handle(editPoint, ({ params, body, ...context }) => updatePoint(context, params.id, body)),
  handle(movePoint, ({ params, body, ...context }) =>
    movePointTo(context, params.id, { parent_id: body.parent_id, from_id: body.from_id }),
  ),
  handle(orderPoint, ({ params, body, ...context }) => swapPoint(context, params.id, body.direction)),
  handle(mergePoint, ({ params, body, ...context }) => mergePoints(context, params.id, body)),
  handle(deletePoint, ({ params, ...context }) => removePoint(context, params.id)),
];

/** Calls by which administrators manage all question banks. */
export const bankCalls = [
  handle(listBank, ({ db, actor, query }) => bankPage(db, actor, query)),
  handle(bankPoints, ({ db }) => pointsWithDepth(db)),
  handle(sharingEffect, ({ db, actor, query }) => sharingEffectOf(db, actor, query)),
  handle(showBankQuestion, ({ db, actor, params }) => bankQuestion(db, actor, params.id)),
  handle(shareQuestions, ({ body, ...context }) => setShared(context, body)),
  handle(moveQuestions, ({ body, ...context }) => moveToPoint(context, body)),
  handle(displayAdminTexts, ({ body }) => displayedTexts(body.texts)),
  handle(listErrorReports, ({ query, ...context }) => errorReportPage(context, query)),
  handle(showErrorReport, ({ params, ...context }) => errorReportDetail(context, params.id)),
  handle(answerErrorReport, ({ params, body, ...context }) => answerReport(context, params.id, body)),
  handle(undoErrorReportAnswer, ({ params, ...context }) => undoAnswer(context, params.id)),
  handle(correctReportedQuestion, ({ params, body, ...context }) => correctQuestionOfReport(context, params.id, body)),
];
