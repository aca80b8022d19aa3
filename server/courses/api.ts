import { handle } from '#server/school/context.ts';
import { addChapter, deleteChapter, listChapters, placeChapter, renameChapter } from './chapters.contract.ts';
import { addChapterOf, chaptersOf, placeChapterOf, removeChapter, renameChapterOf } from './chapters.ts';
import {
  addCourse,
  archiveCourse,
  changeCourseCover,
  courseChoices,
  deleteCourse,
  editCourse,
  listCourses,
  restoreCourse,
  showCourse,
} from './contract.ts';
import {
  addCourseOf,
  archiveCourseOf,
  editCourseOf,
  removeCourse,
  storeCourseCover,
  unarchiveCourse,
} from './course-changes.ts';
import { choicesFor, coursePage } from './list.ts';
import { addPeriodOf, editPeriodOf, removePeriod } from './period-changes.ts';
import { movePeriodOf } from './period-move.ts';
import { placePeriodOf, sortPeriodsOf } from './period-order.ts';
import {
  addPeriod,
  deletePeriod,
  editPeriod,
  listPeriods,
  movePeriod,
  placePeriod,
  showPeriod,
  sortPeriods,
} from './periods.contract.ts';
import { periodPage, showPeriodOf } from './periods.ts';
import { showCourseOf } from './record.ts';
import { addPeriods, copyCourse, previewCopy, previewPeriods } from './series.contract.ts';
import { addCourseCopy, addSeries, previewCopyOf, previewSeries } from './series.ts';

export const courseCalls = [
  handle(listCourses, ({ db, actor, query }) => coursePage(db, actor, query)),
  handle(courseChoices, ({ db, actor }) => choicesFor(db, actor)),
  handle(showCourse, ({ params, ...context }) => showCourseOf(context, params.id)),
  handle(addCourse, ({ body, ...context }) => addCourseOf(context, body)),
  handle(editCourse, ({ params, body, ...context }) => editCourseOf(context, params.id, body)),
  handle(changeCourseCover, ({ params, body, ...context }) => storeCourseCover(context, params.id, body.cover_img)),
  handle(archiveCourse, ({ params, body, ...context }) => archiveCourseOf(context, params.id, body.acknowledged)),
  handle(restoreCourse, ({ params, ...context }) => unarchiveCourse(context, params.id)),
  handle(deleteCourse, ({ params, ...context }) => removeCourse(context, params.id)),
  handle(previewCopy, ({ params, body, ...context }) => previewCopyOf(context, params.id, body)),
  handle(copyCourse, ({ params, body, ...context }) => addCourseCopy(context, params.id, body)),

  handle(listChapters, ({ params, ...context }) => chaptersOf(context, params.id)),
  handle(addChapter, ({ params, body, ...context }) => addChapterOf(context, params.id, body)),
  handle(renameChapter, ({ params, body, ...context }) => renameChapterOf(context, params.id, body)),
  handle(placeChapter, ({ params, body, ...context }) => placeChapterOf(context, params.id, body.direction)),
  handle(deleteChapter, ({ params, ...context }) => removeChapter(context, params.id)),

  handle(listPeriods, ({ params, query, ...context }) => periodPage(context, params.id, query)),
  handle(showPeriod, ({ params, ...context }) => showPeriodOf(context, params.id)),
  handle(addPeriod, ({ params, body, ...context }) => addPeriodOf(context, params.id, body)),
  handle(editPeriod, ({ params, body, ...context }) => editPeriodOf(context, params.id, body)),
  handle(placePeriod, ({ params, body, ...context }) => placePeriodOf(context, params.id, body.direction)),
  handle(sortPeriods, ({ params, ...context }) => sortPeriodsOf(context, params.id)),
  handle(movePeriod, ({ params, body, ...context }) => movePeriodOf(context, params.id, body)),
  handle(deletePeriod, ({ params, query, ...context }) => removePeriod(context, params.id, query.acknowledged)),
  handle(previewPeriods, ({ params, body, ...context }) => previewSeries(context, params.id, body)),
  handle(addPeriods, ({ params, body, ...context }) => addSeries(context, params.id, body)),
];
