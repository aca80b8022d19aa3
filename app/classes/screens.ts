import * as v from 'valibot';
import { StudyFilter } from '#server/attendance/contract.ts';
import { LeaveFilter } from '#server/attendance/leave.contract.ts';
import { CalendarSearch } from '#server/calendar/contract.ts';
import { AllClassesFilter } from '#server/classes/admin.contract.ts';
import { ClassFilter, ClassStudentFilter } from '#server/classes/contract.ts';
import { LargeClassFilter } from '#server/classes/large.contract.ts';
import { missingClass, missingGroup, missingLargeClass, missingStudent } from '#server/classes/rules.ts';

import { ClassMaterialFilter, MaterialFilter } from '#server/courseware/contract.ts';
import { missingMaterial } from '#server/courseware/rules.ts';
import { ClassHistoryFilter } from '#server/history/contract.ts';
import { ClassHomeworkFilter } from '#server/homework/contract.ts';
import { pageOnly, SearchId, SearchIds, SearchText, searchWord } from '#server/platform/calls/fields.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { pickerParams } from '../lib/picker-pages.ts';
import { screen } from '../lib/screen.ts';
import { CheckedByDefaultParam, oneOf, ScreenId } from '../lib/search.ts';

export const classManage = screen('ClassManage', '/classes', 'manage');
/** Unless the checkbox `only_mine` is cleared, lecturers see only the classes that they lead. */
export const classList = listScreen(
  classManage,
  v.object({ ...v.omit(ClassFilter, ['only_mine']).entries, only_mine: CheckedByDefaultParam }),
  {},
  { neutral: ['only_mine'] },
);
export const classSchedule = dialog(
  classManage,
  ':id/schedule',
  'schedule',
  {},
  { missing: missingClass, files: true },
);

export const classTabs = [
  'students',
  'courses',
  'homework',
  'study',
  'courseware',
  'calendar',
  'leave',
  'circle',
  'notice',
  'meeting',
] as const;
export type ClassTab = (typeof classTabs)[number];

export const classDetail = screen(
  'ClassDetail',
  '/classes/detail',
  'detail',
  { id: ScreenId, tab: oneOf(classTabs, 'students') },
  { missing: missingClass, files: true },
);

/** Unless the checkbox `only_in` is cleared, the list leaves out students who have left. */
export const classStudents = listScreen(
  classDetail,
  v.object({ ...v.omit(ClassStudentFilter, ['class_id']).entries, only_in: CheckedByDefaultParam }),
  { tab: 'students' },
  { neutral: ['only_in'] },
);
export const classHomework = listScreen(classDetail, ClassHomeworkFilter, { tab: 'homework' });
export const classStudy = listScreen(classDetail, StudyFilter, { tab: 'study' });
export const classCalendar = listScreen(classDetail, CalendarSearch, { tab: 'calendar' });
/** Leave requests of a class. `ticked`: ids of the ticked requests. `chosen`: all waiting requests are ticked. */
export const classLeave = listScreen(
  classDetail,
  v.object({ ...LeaveFilter.entries, chosen: searchWord(['pending']), ticked: SearchIds }),
  { tab: 'leave' },
);
export const classCircle = listScreen(classDetail, pageOnly(), { tab: 'circle' });
export const classNotices = listScreen(classDetail, pageOnly(), { tab: 'notice' });
export const classMeetings = listScreen(classDetail, pageOnly(), { tab: 'meeting' });

export const classMaterials = listScreen(classDetail, v.omit(ClassMaterialFilter, ['class_id']), { tab: 'courseware' });
export const classMaterialChoice = listDialog(
  classMaterials,
  'wares/choose',
  'materials/choose',
  MaterialFilter,
  pickerParams,
);

/** The upload is forwarded to the API without being parsed, so the address holds its idempotency key and class. */
const upload = { class_id: SearchId, key: SearchText };
export const classMaterialAdd = dialog(classDetail, 'wares/add', 'materials/upload', upload, { files: true });
export const classMaterialEdit = dialog(classDetail, 'wares/:ware/edit', 'materials/upload', upload, {
  missing: missingMaterial,
  files: true,
});
export const classMaterialRemoval = dialog(
  classDetail,
  'wares/:ware/remove',
  'materials/remove',
  {},
  { missing: missingMaterial },
);

const classOptions = { missing: missingClass };

export const adminClasses = screen('AdminClasses', '/admin/classes', 'admin/list');
export const adminClassList = listScreen(adminClasses, AllClassesFilter);
export const adminClassAdd = screen('AdminClassAdd', '/admin/classes/add', 'admin/add');
export const adminClassEdit = screen(
  'AdminClassEdit',
  '/admin/classes/edit',
  'admin/edit',
  { id: ScreenId },
  classOptions,
);

export const adminClassTabs = ['particulars', 'staff', 'courses', 'groups', 'contracts', 'history'] as const;
export type AdminClassTab = (typeof adminClassTabs)[number];
export const adminClass = screen(
  'AdminClassDetail',
  '/admin/classes/detail',
  'admin/detail',
  { id: ScreenId, tab: oneOf(adminClassTabs, 'particulars') },
  classOptions,
);
export const adminClassContracts = listScreen(adminClass, pageOnly(), { tab: 'contracts' });
export const adminClassHistory = listScreen(adminClass, ClassHistoryFilter, { tab: 'history' });
export const adminClassEnd = dialog(adminClass, 'end', 'admin/end');
export const adminClassReopen = dialog(adminClass, 'reopen', 'admin/reopen');
export const adminClassRemove = dialog(adminClass, 'remove', 'admin/remove');
export const classGroupAdd = dialog(adminClass, 'groups/add', 'admin/group-add');
export const classGroupEdit = dialog(
  adminClass,
  'groups/:group/edit',
  'admin/group-edit',
  {},
  { missing: missingGroup },
);
export const classGroupRemove = dialog(
  adminClass,
  'groups/:group/remove',
  'admin/group-remove',
  {},
  { missing: missingGroup },
);
export const contractEdit = dialog(adminClass, 'contracts/:member', 'admin/contract', {}, { missing: missingStudent });

export const largeClasses = screen('AdminLargeClasses', '/admin/classes/large', 'admin/large');
export const largeClassList = listScreen(largeClasses, LargeClassFilter);
export const largeClassAdd = dialog(largeClasses, 'add', 'admin/large-add');
export const largeClassEdit = dialog(largeClasses, ':id/edit', 'admin/large-edit', {}, { missing: missingLargeClass });
