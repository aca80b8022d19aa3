import { missingClass } from '#server/classes/rules.ts';
import { AttendanceChange, TeamClassFilter, TeamStudentFilter } from '#server/group-classes/contract.ts';
import { TeamHomeworkFilter } from '#server/homework/session.contract.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen } from '../lib/screen.ts';
import { IdPair, oneOf, ScreenId } from '../lib/search.ts';

export const teamManage = screen('CurriculumManage', '/curriculum');
export const teamList = listScreen(teamManage, TeamClassFilter);

/** Students, attendance, homework. `at`: the cell that was changed last, by its session and its student. */
export const teamDetail = screen(
  'CurriculumDetail',
  '/curriculum/detail',
  { id: ScreenId, tab: oneOf(['1', '2', '3'], '1'), at: IdPair },
  { missing: missingClass },
);
export const teamStudents = listScreen(teamDetail, TeamStudentFilter, { tab: '1' });
export const teamHomework = listScreen(teamDetail, TeamHomeworkFilter, { tab: '3' });

/** Without `type` it offers what is possible. */
export const teamAttendance = dialog(teamDetail, 'attendance', { cell: IdPair, type: AttendanceChange.entries.type });
