/** Where the correction of homework lives. */
import type { DeskPlaces } from './desk.ts';

export const homeworkPlaces: DeskPlaces = {
  base: '/homework/approve',
  list: '/homework?tab=approve',
  listLabel: '作业批改',
  view: (reportId, classId) => `/homework/approve/view?report_id=${reportId}&class_id=${classId}`,
};
