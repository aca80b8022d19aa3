import { missingCourse, missingPeriod } from '#server/classes/rules.ts';
import { CourseFilter } from '#server/courses/contract.ts';
import { PeriodFilter } from '#server/courses/periods.contract.ts';
import { missingChapter } from '#server/courses/rules.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

// All screens of this file are for administrators.

const course = { missing: missingCourse };
const chapter = { missing: missingChapter };
const period = { missing: missingPeriod };

export const courseScreen = screen('AdminCourses', '/admin/courses', 'list');
export const courseList = listScreen(courseScreen, CourseFilter);
export const courseAdd = screen('AdminCourseAdd', '/admin/courses/add', 'add');
export const courseEdit = screen('AdminCourseEdit', '/admin/courses/edit', 'edit', { id: ScreenId }, course);
export const courseCopy = screen('AdminCourseCopy', '/admin/courses/copy', 'copy', { id: ScreenId }, course);

export const courseTabs = ['periods', 'chapters'] as const;
export type CourseTab = (typeof courseTabs)[number];
export const courseDetail = screen(
  'AdminCourseDetail',
  '/admin/courses/detail',
  'detail',
  { id: ScreenId, tab: oneOf(courseTabs, 'periods') },
  course,
);
export const periodList = listScreen(courseDetail, PeriodFilter, { tab: 'periods' });
export const courseCover = dialog(courseDetail, 'cover', 'cover', {}, { ...course, files: true });
export const courseArchive = dialog(courseDetail, 'put-away', 'archive');
export const courseRestore = dialog(courseDetail, 'restore', 'restore');
export const courseDelete = dialog(courseDetail, 'delete', 'delete');
export const chapterAdd = dialog(courseDetail, 'chapter', 'chapter-add');
export const chapterRename = dialog(courseDetail, 'chapters/:chapter/rename', 'chapter-rename', {}, chapter);
export const chapterDelete = dialog(courseDetail, 'chapters/:chapter/delete', 'chapter-delete', {}, chapter);
export const periodMove = dialog(courseDetail, 'periods/:period/move', 'period-move', {}, period);
export const periodDelete = dialog(courseDetail, 'periods/:period/delete', 'period-delete', {}, period);

export const periodAdd = screen(
  'AdminPeriodAdd',
  '/admin/courses/periods/add',
  'period-form',
  { course_id: ScreenId },
  course,
);
export const periodSeries = screen(
  'AdminPeriodSeries',
  '/admin/courses/periods/series',
  'series',
  { course_id: ScreenId },
  course,
);
export const periodEdit = screen(
  'AdminPeriodEdit',
  '/admin/courses/periods/edit',
  'period-form',
  { id: ScreenId },
  period,
);
