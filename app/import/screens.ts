/** Screens of imports, for administrators: upload, check, apply, undo. */
import { ImportFilter, ImportRemarkFilter, ImportRowFilter } from '#server/import/contract.ts';
import { listKinds, missingImport } from '#server/import/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

const missing = { missing: missingImport };

export const importScreen = screen('AdminImports', '/admin/import', 'list');
export const importList = listScreen(importScreen, ImportFilter);
/** Downloads an empty workbook to fill in. */
export const importTemplateFile = screen('AdminImportTemplate', '/admin/import/template', 'template.ts');
export const importUpload = screen('AdminImportUpload', '/admin/import/upload', 'upload', {}, { files: true });

export const importDetail = screen('AdminImportDetail', '/admin/import/detail', 'detail', { id: ScreenId }, missing);
export const importRows = listScreen(importDetail, ImportRowFilter);
export const importApply = dialog(importDetail, 'apply', 'apply');
export const importUndo = dialog(importDetail, 'undo', 'undo');
export const importDiscard = dialog(importDetail, 'discard', 'discard');
export const importChoices = dialog(importDetail, 'choices', 'choices');
export const importRowChoice = dialog(importDetail, 'rows/:row', 'row-choice', {}, missing);
export const importMapping = screen(
  'AdminImportMapping',
  '/admin/import/mapping',
  'mapping',
  { id: ScreenId, kind: oneOf(['', ...listKinds], '') },
  missing,
);
export const importReading = screen(
  'AdminImportReading',
  '/admin/import/reading',
  'reading-remarks',
  { id: ScreenId },
  missing,
);
export const importRemarks = listScreen(importReading, ImportRemarkFilter);
export const importRefused = screen(
  'AdminImportRefused',
  '/admin/import/refused',
  'refused-rows.ts',
  { id: ScreenId },
  missing,
);
