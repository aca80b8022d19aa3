import { handle } from '#server/school/context.ts';
import { addSchool, deleteSchool, editSchool, putAwaySchool, restoreSchool } from './changes.ts';
import {
  addSchoolRecord,
  deleteSchoolRecord,
  editSchoolRecord,
  listSchoolRecords,
  putAwaySchoolRecord,
  restoreSchoolRecord,
  showSchoolRecord,
} from './contract.ts';
import { schoolPage, schoolRecord } from './list.ts';

export const schoolRecordCalls = [
  handle(listSchoolRecords, ({ query, ...context }) => schoolPage(context, query)),
  handle(showSchoolRecord, ({ params, ...context }) => schoolRecord(context, params.id)),
  handle(addSchoolRecord, ({ body, ...context }) => addSchool(context, body)),
  handle(editSchoolRecord, ({ params, body, ...context }) => editSchool(context, params.id, body)),
  handle(putAwaySchoolRecord, ({ params, body, ...context }) => putAwaySchool(context, params.id, body.acknowledged)),
  handle(restoreSchoolRecord, ({ params, ...context }) => restoreSchool(context, params.id)),
  handle(deleteSchoolRecord, ({ params, ...context }) => deleteSchool(context, params.id)),
];
