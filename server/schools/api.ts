import { handle } from '#server/school/context.ts';
import { addSchool, archiveSchool, deleteSchool, editSchool, restoreSchool } from './changes.ts';
import {
  addSchoolRecord,
  archiveSchoolRecord,
  deleteSchoolRecord,
  editSchoolRecord,
  listSchoolRecords,
  restoreSchoolRecord,
  showSchoolRecord,
} from './contract.ts';
import { schoolPage, schoolRecord } from './list.ts';

export const schoolRecordCalls = [
  handle(listSchoolRecords, ({ query, ...context }) => schoolPage(context, query)),
  handle(showSchoolRecord, ({ params, ...context }) => schoolRecord(context, params.id)),
  handle(addSchoolRecord, ({ body, ...context }) => addSchool(context, body)),
  handle(editSchoolRecord, ({ params, body, ...context }) => editSchool(context, params.id, body)),
  handle(archiveSchoolRecord, ({ params, body, ...context }) => archiveSchool(context, params.id, body.acknowledged)),
  handle(restoreSchoolRecord, ({ params, ...context }) => restoreSchool(context, params.id)),
  handle(deleteSchoolRecord, ({ params, ...context }) => deleteSchool(context, params.id)),
];
