/** Parameters of the dialogs that export questions, and of the files. */
import * as v from 'valibot';
import {
  exportFormats,
  exportVariants,
  usualExportFormat,
  usualExportVariant,
} from '#server/questions/export.rules.ts';
import { oneOf } from './search.ts';

const variant = oneOf(exportVariants, usualExportVariant);

export const exportChoice = { format: oneOf(exportFormats, usualExportFormat), variant };
export const exportFileChoice = { format: v.picklist(exportFormats), variant };
