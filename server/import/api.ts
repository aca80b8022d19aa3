import { contentDisposition } from '#server/platform/files/serve.ts';
import { handle } from '#server/school/context.ts';
import {
  applyImport,
  cancelImport,
  checkImport,
  chooseImport,
  chooseImportRow,
  discardImport,
  importRecords,
  mapImport,
  showMapping,
  tryUndo,
  undoImport,
  uploadImport,
} from './actions.contract.ts';
import {
  cancelJob,
  chooseForUpload,
  discardImportOf,
  importJson,
  previewImportUndo,
  recheckImport,
  startApply,
  startUndo,
  storeRowChoice,
  uploadFile,
} from './actions.ts';
import {
  listImportRemarks,
  listImportRows,
  listImportSources,
  listImports,
  refusedRowsFile,
  showImport,
} from './contract.ts';
import { exportSchools, importTemplate } from './export.contract.ts';
import { importPage, importRecord, listSources } from './list.ts';
import { mapColumns, mappingOfImport } from './mapping.ts';
import { refusedFile } from './refused-file.ts';
import { remarkPage } from './remarks.ts';
import { rowPage } from './row-page.ts';
import { exportSchoolFile, templateResponse } from './school-export.ts';

export const importCalls = [
  handle(listImports, ({ query, ...context }) => importPage(context, query)),
  handle(listImportSources, ({ db, actor }) => listSources(db, actor)),
  handle(importTemplate, templateResponse),
  handle(showImport, ({ params, ...context }) => importRecord(context, params.id)),
  handle(listImportRows, ({ params, query, ...context }) => rowPage(context, params.id, query)),
  handle(listImportRemarks, ({ params, query, ...context }) => remarkPage(context, params.id, query)),
  handle(showMapping, ({ params, query, ...context }) => mappingOfImport(context, params.id, query)),
  handle(refusedRowsFile, async ({ params, ...context }) => {
    const file = await refusedFile(context, params.id);
    if (!('bytes' in file)) return file;
    return new Response(file.bytes, {
      headers: { 'content-type': file.type, 'content-disposition': contentDisposition('attachment', file.name) },
    });
  }),
  handle(exportSchools, ({ body, ...context }) => exportSchoolFile(context, body)),
  // These calls run before the call's transaction, because long work opens one of its own.
  handle(importRecords, { prepare: ({ body, ...context }) => importJson(context, body) }),
  handle(uploadImport, ({ body, ...context }) => uploadFile(context, body)),
  handle(mapImport, { prepare: ({ params, body, ...context }) => mapColumns(context, params.id, body) }),
  handle(checkImport, { prepare: ({ params, ...context }) => recheckImport(context, params.id) }),
  handle(chooseImport, { prepare: ({ params, body, ...context }) => chooseForUpload(context, params.id, body) }),
  handle(chooseImportRow, { prepare: ({ params, body, ...context }) => storeRowChoice(context, params, body) }),
  handle(applyImport, { prepare: ({ params, body, ...context }) => startApply(context, params.id, body) }),
  handle(tryUndo, ({ params, ...context }) => previewImportUndo(context, params.id)),
  handle(undoImport, { prepare: ({ params, ...context }) => startUndo(context, params.id) }),
  handle(discardImport, ({ params, ...context }) => discardImportOf(context, params.id)),
  handle(cancelImport, { prepare: ({ params, ...context }) => cancelJob(context, params.id) }),
];
