/** Screens for students and their records, for administrators. */
import { missingStudent } from '#server/classes/rules.ts';
import { pageOnly } from '#server/platform/calls/fields.ts';
import { StudentFilter } from '#server/students/contract.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { screen } from '../lib/screen.ts';
import { OptionalId, oneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

const student = { missing: missingStudent };

export const studentScreen = screen('AdminStudents', '/admin/students', 'list');
export const studentList = listScreen(studentScreen, StudentFilter);
export const studentAdd = screen('AdminStudentAdd', '/admin/students/add', 'add');
export const studentEdit = screen('AdminStudentEdit', '/admin/students/edit', 'edit', { id: ScreenId }, student);

export const studentTabs = [
  'all',
  'classes',
  'homework',
  'exams',
  'attendance',
  'leave',
  'communication',
  'history',
] as const;
export type StudentTab = (typeof studentTabs)[number];

/** All records of one student: some of each kind, or one kind in full. */
export const studentRecord = screen(
  'AdminStudentRecord',
  '/admin/students/detail',
  'detail',
  { id: ScreenId, tab: oneOf(studentTabs, 'all') },
  student,
);
export const studentPart = listScreen(studentRecord, pageOnly());
export const studentDisable = dialog(studentRecord, 'disable', 'disable');
export const studentEnable = dialog(studentRecord, 'enable', 'enable');
export const studentDelete = dialog(studentRecord, 'delete', 'delete');
export const studentErase = dialog(studentRecord, 'erase', 'erase');
export const studentExport = screen(
  'AdminStudentExport',
  '/admin/students/export',
  'export.ts',
  { id: ScreenId },
  student,
);

/** First passwords of a class, or of one student: chooses them, then shows slips to print. */
export const studentPasswords = screen(
  'AdminStudentPasswords',
  '/admin/students/passwords',
  'passwords',
  { class_id: OptionalId, student_id: OptionalId },
  student,
);

/** Page to pick several students. They join the class `class_id`, or a class that is chosen afterwards. */
export const studentPick = screen('AdminStudentPick', '/admin/students/pick', 'pick', {
  ...pickerParams,
  class_id: OptionalId,
  back: ReturnAddress,
});
export const studentPickList = listScreen(studentPick, StudentFilter);
