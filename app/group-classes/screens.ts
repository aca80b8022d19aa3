/** Where the screens of group classes stand. */
import * as v from 'valibot';
import { missingClass } from '#server/classes/rules.ts';
import { AttendanceChange, TeamClassFilter, TeamStudentFilter } from '#server/group-classes/contract.ts';
import { TeamHomeworkFilter } from '#server/homework/contract.ts';
import { dialog, listScreen, oneOf, ScreenId, screen } from '../lib/screen.ts';

export const teamManage = screen('CurriculumManage', '/curriculum');
export const teamList = listScreen(teamManage, TeamClassFilter);

/** Of the attendance grid: `<session>-<student>`. */
const Cell = v.fallback(v.optional(v.pipe(v.string(), v.regex(/^\d{1,10}-\d{1,10}$/))), undefined);

/** Students, attendance, homework. `at`: the cell that was changed last. */
export const teamDetail = screen(
  'CurriculumDetail',
  '/curriculum/detail',
  { id: ScreenId, tab: oneOf(['1', '2', '3'], '1'), at: Cell },
  missingClass,
);
export const teamStudents = listScreen(teamDetail, TeamStudentFilter, { tab: '1' });
export const teamHomework = listScreen(teamDetail, TeamHomeworkFilter, { tab: '3' });

/** Without `type` it offers what is possible. */
export const attendance = dialog('attendance', { cell: Cell, type: AttendanceChange.entries.type });
