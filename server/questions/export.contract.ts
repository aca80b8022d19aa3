/** Calls that export the user's own questions. Homework and exams have the same calls for theirs. */
import * as v from 'valibot';
import { SearchIds } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
import { QuestionFilter } from './contract.ts';
import { exportFormats, exportVariants, usualExportFormat, usualExportVariant } from './export.rules.ts';

const Format = v.picklist(exportFormats);

const Variant = v.picklist(exportVariants);

/** `variant`: which paper, with answers or without; formats that are no papers ignore it. */
export const ExportChoice = v.object({
  variant: v.fallback(v.optional(Variant, usualExportVariant), usualExportVariant),
});

/** For the plan the format is in the query. */
export const PlanQuery = v.object({
  ...ExportChoice.entries,
  format: v.fallback(v.optional(Format, usualExportFormat), usualExportFormat),
});
export type ExportQuery = v.InferOutput<typeof PlanQuery>;

const Note = v.object({ where: v.string(), message: v.string() });

/** Content of an export before the download. `fault`: why nothing is exported; '' if it can be. */
export const ExportPlan = v.object({
  title: v.string(),
  /** `total`: number of chosen questions. `count`: number that the format can hold. */
  total: v.number(),
  count: v.number(),
  file_name: v.string(),
  fault: v.string(),
  /** Content that the file will lack, by question. */
  losses: v.array(Note),
});
export type ExportPlan = v.InferOutput<typeof ExportPlan>;

/** Parameters of the calls that answer a file. */
export const exportParams = { format: Format };

/** `ids`: the chosen questions; without ids, all that the filter finds. */
const Selection = v.object({
  ids: SearchIds,
  ...v.pick(QuestionFilter, ['ques_stem', 'ques_type', 'facility_value', 'point', 'tag', 'remark']).entries,
});
export type BankExportQuery = v.InferOutput<typeof Selection>;

export const planQuestionExport = call({
  method: 'GET',
  path: 'ques/export',
  title: '导出题目的内容',
  needs: 'dispatch',
  query: v.object({ ...Selection.entries, ...PlanQuery.entries }),
  answer: ExportPlan,
});

/** Answers the file. 404: a question is somebody else's. 422: nothing to export, or too much. */
export const exportQuestions = call({
  method: 'GET',
  path: 'ques/export/:format',
  title: '导出题目',
  needs: 'dispatch',
  params: exportParams,
  query: v.object({ ...Selection.entries, ...ExportChoice.entries }),
  file: true,
  answer: v.null(),
});
