/** Calls that export a school, and the import template. */
import * as v from 'valibot';
import { SearchId } from '#server/platform/calls/fields.ts';
import { adminCall } from '#server/school/call.ts';
import { exportForms, importPermissions } from './rules.ts';

const needs = 'people';

/** Returns a workbook with an example in each sheet and an explanation of all columns. */
export const importTemplate = adminCall({
  method: 'GET',
  path: 'import/template',
  title: '导入模板',
  needs: importPermissions,
  answer: v.null(),
  file: true,
});

/** Exports one school, or all schools of the administrator. Ended records are left out. */
export const exportSchools = adminCall({
  method: 'POST',
  path: 'import/export',
  title: '导出学校数据',
  fromReplica: true,
  description: 'form为workbook时是可以再次导入的工作簿，为oneroster时是OneRoster 1.2数据包（CSV）。',
  needs,
  reads: true,
  body: v.object({ form: v.fallback(v.picklist(exportForms), 'workbook'), school_id: SearchId }),
  answer: v.object({ url: v.string() }),
});
