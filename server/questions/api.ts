import { contentDisposition } from '#server/platform/files/serve.ts';
import { handle } from '#server/school/context.ts';
import {
  addQuestion,
  cancelCollect,
  collectQuestion,
  commitImport,
  correctQuestion,
  deleteQuestions,
  displayTexts,
  dropImport,
  importQuestions,
  importTemplate,
  knowledgeTree,
  listPublicQuestions,
  listQuestions,
  showImport,
  showPublicQuestions,
  showQuestions,
  startImport,
  updateQuestion,
} from './contract.ts';
import { questionDetails } from './detail.ts';
import { displayedTexts } from './display.ts';
import { excelTemplate, wordTemplate } from './import/template.ts';
import * as importing from './importing.ts';
import { publicPage, questionPage } from './list.ts';
import { collect, reportMistake, uncollect } from './marks.ts';
import { pointTree } from './points.ts';
import { ownQuestions, visibleQuestions } from './visible.ts';
import { addToBank, deleteFromBank, editInBank } from './write.ts';

export const questionCalls = [
  handle(listQuestions, ({ db, actor, query }) => questionPage(db, actor, query)),
  handle(listPublicQuestions, ({ db, actor, body, settings }) => publicPage(db, actor, body, settings)),
  handle(knowledgeTree, ({ db }) => pointTree(db)),
  handle(showQuestions, ({ db, actor, params }) => questionDetails(db, actor, ownQuestions(db, actor), params.ids)),
  handle(showPublicQuestions, ({ db, actor, params, settings }) =>
    questionDetails(db, actor, visibleQuestions(db, actor, settings), params.ids),
  ),
  handle(addQuestion, ({ db, actor, body, now }) => addToBank(db, body, { actor, now })),
  handle(updateQuestion, ({ db, actor, params, body, now }) => editInBank(db, params.id, body, { actor, now })),
  handle(deleteQuestions, ({ db, actor, params }) => deleteFromBank(db, actor, params.ids)),
  handle(displayTexts, ({ body }) => displayedTexts(body.texts)),

  handle(correctQuestion, ({ db, actor, body, now, settings }) =>
    reportMistake(db, { actor, now, settings }, { questionId: body.ques_id, type: body.type, text: body.error_msg }),
  ),
  handle(collectQuestion, ({ db, actor, body, now, settings }) =>
    collect(db, { actor, now, settings }, { questionId: body.ques_id, type: body.type }),
  ),
  handle(cancelCollect, ({ db, actor, params }) => uncollect(db, actor, params.collectId)),

  handle(importQuestions, ({ files, params, ...asked }) => importing.importFile(asked, files[0], params.format)),
  handle(importTemplate, async ({ params }) => templateFile(params.format)),
  handle(startImport, ({ files, ...asked }) => importing.startImport(asked, files[0])),
  handle(showImport, ({ db, actor, params, query, now }) =>
    importing.importState(db, actor, { id: params.importId, filter: query, now }),
  ),
  handle(commitImport, ({ db, actor, params, body, now }) =>
    importing.commitImport(db, actor, { id: params.importId, scope: body.scope, now }),
  ),
  handle(dropImport, ({ db, actor, params, now }) => importing.dropImport(db, actor, { id: params.importId, now })),
];

const templates = {
  1: {
    make: wordTemplate,
    name: '试题导入模板.docx',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  2: {
    make: excelTemplate,
    name: '试题导入模板.xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
} as const;

async function templateFile(format: 1 | 2): Promise<Response> {
  const { make, name, type } = templates[format];
  return new Response(new Uint8Array(await make()), {
    headers: { 'content-type': type, 'content-disposition': contentDisposition('attachment', name) },
  });
}
