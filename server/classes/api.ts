import { handle } from '#server/school/context.ts';
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
import { classPage, largeClasses } from './list.ts';
import { replaceSchedule } from './schedule.ts';
import { studentPage } from './students.ts';

export const classCalls = [
  handle(listClasses, ({ db, actor, query, now }) => classPage(db, actor, query, now)),
  handle(listLargeClasses, ({ db, actor }) => largeClasses(db, actor)),
  handle(showClass, ({ db, actor, params }) => classDetail(db, actor, params.id)),
  handle(changeSchedule, ({ params, body, ...asked }) => replaceSchedule(asked, params.id, body.schedule_image)),
  handle(listClassStudents, ({ db, actor, query }) => studentPage(db, actor, query)),
  handle(listClassCourses, ({ db, actor, query }) => coursePage(db, actor, query)),
];
