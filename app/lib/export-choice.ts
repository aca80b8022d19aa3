/** Parameters of the dialogs that export questions, and of the files. */
import * as v from 'valibot';
import { exportFormats, usualExportFormat } from '#server/questions/rules.ts';
import { CheckedParam, oneOf } from './search.ts';

const answers = { without_answers: CheckedParam };

export const exportChoice = { format: oneOf(exportFormats, usualExportFormat), ...answers };
export const exportFileChoice = { format: v.picklist(exportFormats), ...answers };
