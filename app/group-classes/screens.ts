import { missingClass } from '#server/classes/rules.ts';
import { LessonClassFilter } from '#server/group-classes/admin.contract.ts';
import { AttendanceChange, TeamClassFilter, TeamStudentFilter } from '#server/group-classes/contract.ts';
import { lessonClassTypes } from '#server/group-classes/rules.ts';
import { TeamHomeworkFilter } from '#server/homework/session.contract.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { IdPair, oneOf, ScreenId } from '../lib/search.ts';

export const teamManage = screen('CurriculumManage', '/curriculum', 'manage');
export const teamList = listScreen(teamManage, TeamClassFilter);

/**
 * A group class with the tabs students, attendance and homework. `at`: lesson and student of the cell that was changed
 * last.
 */
export const teamDetail = screen(
  'CurriculumDetail',
  '/curriculum/detail',
  'detail',
  { id: ScreenId, tab: oneOf(['1', '2', '3'], '1'), at: IdPair },
  { missing: missingClass },
);
export const teamStudents = listScreen(teamDetail, TeamStudentFilter, { tab: '1' });
export const teamHomework = listScreen(teamDetail, TeamHomeworkFilter, { tab: '3' });

/** Dialog for one cell of the attendance grid. Without `type` it offers all allowed actions. */
export const teamAttendance = dialog(teamDetail, 'attendance', 'attendance', {
  cell: IdPair,
  type: AttendanceChange.entries.type,
});

export const adminTeams = screen('AdminTeams', '/admin/group-classes', 'admin/list');
export const adminTeamList = listScreen(adminTeams, LessonClassFilter);
export const adminTeamAdd = screen('AdminTeamAdd', '/admin/group-classes/add', 'admin/add', {
  class_type: oneOf(lessonClassTypes, 3),
});
export const adminTeamEdit = screen(
  'AdminTeamEdit',
  '/admin/group-classes/edit',
  'admin/edit',
  { id: ScreenId },
  { missing: missingClass },
);
