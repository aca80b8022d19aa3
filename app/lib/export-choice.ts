/** Parameters of the dialogs that export questions, and of the files. */
import * as v from 'valibot';
import { type ExportFormat, exportFormats, usualExportFormat } from '#server/questions/rules.ts';
import { CheckedParam, oneOf } from './search.ts';

const answers = { without_answers: CheckedParam };

export const exportChoice = { format: oneOf(exportFormats, usualExportFormat), ...answers };
export const exportFileChoice = { format: v.picklist(exportFormats), ...answers };

/** Returns the query of the call that plans an export. */
export const planQuery = ({ format, without_answers }: { format: ExportFormat; without_answers: boolean }) =>
  ({ format, without_answers: without_answers ? 1 : undefined }) as const;
