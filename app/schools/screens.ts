import { SchoolFilter } from '#server/schools/contract.ts';
import { missingSchool } from '#server/schools/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';

const missing = { missing: missingSchool };

export const schoolScreen = screen('AdminSchools', '/admin/schools', 'list');
export const schoolList = listScreen(schoolScreen, SchoolFilter);
export const schoolAdd = dialog(schoolScreen, 'add', 'add');
export const schoolEdit = dialog(schoolScreen, ':id/edit', 'edit', {}, missing);
export const schoolArchive = dialog(schoolScreen, ':id/put-away', 'archive', {}, missing);
export const schoolRestore = dialog(schoolScreen, ':id/restore', 'restore', {}, missing);
export const schoolDelete = dialog(schoolScreen, ':id/delete', 'delete', {}, missing);
