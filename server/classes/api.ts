import { handle } from '#server/school/context.ts';
import {
  addClass,
  classOptions,
  editClass,
  editClassCourses,
  editClassStaff,
  endClass,
  listAllClasses,
  removeClass,
  reopenClass,
  showAdminClass,
} from './admin.contract.ts';
import {
  addSchoolClass,
  editSchoolClass,
  endSchoolClass,
  removeSchoolClass,
  reopenSchoolClass,
} from './admin-changes.ts';
import { allClassesPage, optionsFor } from './admin-list.ts';
import { classRecord } from './admin-record.ts';
import { changeCourses, changeStaff } from './class-staff-changes.ts';
import {
  changeSchedule,
  listClassCourses,
  listClasses,
  listClassStudents,
  listLargeClasses,
  showClass,
} from './contract.ts';
import { coursePage } from './courses.ts';
import { classDetail } from './detail.ts';
import {
  addClassGroup,
  editClassGroup,
  listClassGroups,
  placeStudents,
  removeClassGroup,
  showClassGroup,
} from './groups.contract.ts';
import { addGroup, editGroup, groupOf, groupsOfClass, placeInGroup, removeGroup } from './groups.ts';
import { addLargeClass, editLargeClass, listAllLargeClasses, showLargeClass } from './large.contract.ts';
import { addLarge, editLarge, largeClass, largeClassPage } from './large.ts';
import { classPage, largeClasses } from './list.ts';
import { replaceSchedule } from './schedule.ts';
import { studentPage } from './students.ts';

export const classCalls = [
  handle(listClasses, ({ db, actor, query, now }) => classPage(db, actor, query, now)),
  handle(listLargeClasses, ({ db, actor }) => largeClasses(db, actor)),
  handle(showClass, ({ db, actor, params }) => classDetail(db, actor, params.id)),
  handle(changeSchedule, ({ params, body, ...context }) => replaceSchedule(context, params.id, body.schedule_image)),
  handle(listClassStudents, ({ db, actor, query }) => studentPage(db, actor, query)),
  handle(listClassCourses, ({ db, actor, query }) => coursePage(db, actor, query)),
];

export const adminClassCalls = [
  handle(listAllClasses, ({ db, actor, query, now }) => allClassesPage(db, actor, query, now)),
  handle(classOptions, optionsFor),
  handle(showAdminClass, ({ params, ...context }) => classRecord(context, params.id)),
  handle(addClass, ({ body, ...context }) => addSchoolClass(context, body)),
  handle(editClass, ({ params, body, ...context }) => editSchoolClass(context, params.id, body)),
  handle(editClassStaff, ({ params, body, ...context }) => changeStaff(context, params.id, body)),
  handle(editClassCourses, ({ params, body, ...context }) => changeCourses(context, params.id, body)),
  handle(endClass, ({ params, body, ...context }) => endSchoolClass(context, params.id, body.acknowledged)),
  handle(reopenClass, ({ params, ...context }) => reopenSchoolClass(context, params.id)),
  handle(removeClass, ({ params, ...context }) => removeSchoolClass(context, params.id)),
  handle(listClassGroups, ({ params, ...context }) => groupsOfClass(context, params.id)),
  handle(showClassGroup, ({ params, ...context }) => groupOf(context, params)),
  handle(addClassGroup, ({ params, body, ...context }) => addGroup(context, params.id, body)),
  handle(editClassGroup, ({ params, body, ...context }) => editGroup(context, params, body)),
  handle(removeClassGroup, ({ params, ...context }) => removeGroup(context, params)),
  handle(placeStudents, ({ params, body, ...context }) => placeInGroup(context, params.id, body)),
  handle(listAllLargeClasses, ({ query, ...context }) => largeClassPage(context, query)),
  handle(showLargeClass, ({ params, ...context }) => largeClass(context, params.id)),
  handle(addLargeClass, ({ body, ...context }) => addLarge(context, body)),
  handle(editLargeClass, ({ params, body, ...context }) => editLarge(context, params.id, body)),
];
