/** Calls that export the questions of a homework. */
import * as v from 'valibot';
import { ExportChoice, ExportPlan, exportParams, PlanQuery } from '#server/questions/export.contract.ts';
import { call } from '#server/school/call.ts';

export const planHomeworkExport = call({
  method: 'GET',
  path: 'hw/export/:id',
  title: '导出作业题目的内容',
  needs: 'dispatch',
  query: PlanQuery,
  answer: ExportPlan,
});

export const exportHomework = call({
  method: 'GET',
  path: 'hw/export/:id/:format',
  title: '导出作业题目',
  needs: 'dispatch',
  params: exportParams,
  query: ExportChoice,
  file: true,
  answer: v.null(),
});
