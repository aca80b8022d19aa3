/** Where the correction of homework and that of exams live. */
import type { DeskPlaces } from './desk.ts';

export const homeworkPlaces: DeskPlaces = {
  shelf: 'grading',
  base: '/homework/approve',
  list: () => '/homework?tab=approve',
  view: (reportId, classId = 0) => `/homework/approve/view?report_id=${reportId}&class_id=${classId}`,
};

export const examPlaces: DeskPlaces = {
  shelf: 'exam-grading',
  base: '/exams/approve',
  list: (examId) => `/exams/detail?id=${examId}`,
  view: (reportId) => `/exams/approve/view?report_id=${reportId}`,
};
