import * as v from 'valibot';
import { missingStudent } from '#server/classes/rules.ts';
import { AttendanceChange } from '#server/group-classes/contract.ts';
import { SearchIds, searchOneOf } from '#server/platform/calls/fields.ts';
import {
  CommunicationFilter,
  SessionFilter,
  type SessionRow,
  SessionStudentFilter,
} from '#server/sessions/contract.ts';
import { HandoutFilter } from '#server/sessions/handouts.contract.ts';
import { LessonFilter } from '#server/sessions/lessons.contract.ts';
import { missingHandout, missingSession } from '#server/sessions/rules.ts';
import { UploadKey } from '../courseware/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { listOnScreens, listScreen } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { CheckedParam, OptionalId, oneOf, ReturnAddress, ScreenId } from '../lib/search.ts';

const missing = { missing: missingSession };

export const sessionManage = screen('ScheduleManage', '/sessions', 'manage', {
  view: oneOf(['cards', 'list'], 'cards'),
});
export const sessionList = listScreen(sessionManage, SessionFilter);
export const leaveFromList = dialog(sessionManage, ':id/leave', 'leave', {}, missing);

const detailSearch = { id: ScreenId, tab: oneOf(['students', 'homework'], 'students') };
export const groupSession = screen('CurriculumTimeDetail', '/sessions/class', 'session', detailSearch, missing);
export const oneToOneSession = screen('OtoTimeDetail', '/sessions/one-to-one', 'session', detailSearch, missing);

/** Two addresses show the same screen of a lesson. */
export const sessionScreens = screenGroup(groupSession, oneToOneSession);
/** Returns the screen of a lesson: its address depends on the type of the class. */
export const sessionDetail = ({ class_type }: Pick<SessionRow, 'class_type'>) =>
  class_type === 3 ? groupSession : oneToOneSession;

export const sessionStudents = listOnScreens(sessionScreens, SessionStudentFilter, { tab: 'students' });
export const sessionHomework = listOnScreens(sessionScreens, SessionStudentFilter, { tab: 'homework' });

export const sessionRoll = screen(
  'SessionRollCall',
  '/sessions/roll-call',
  'roll',
  { id: ScreenId, back: ReturnAddress },
  missing,
);

export const leave = dialog(sessionScreens, 'leave', 'leave');
export const evaluate = dialog(sessionScreens, 'evaluate/:student', 'evaluate', {}, { missing: missingStudent });
/** Without `type`, the dialog offers all allowed actions. */
export const sessionAttendance = dialog(sessionScreens, 'attendance', 'attendance', {
  student: ScreenId,
  type: AttendanceChange.entries.type,
});
export const handout = dialog(sessionScreens, 'handout', 'handout', { key: UploadKey }, { files: true });
/** Address to which client JS sends the handout form. */
export const handoutSend = screen(
  'sessions/handout-send',
  '/sessions/handout/send',
  'handout-send.ts',
  { id: ScreenId, key: UploadKey, return: ReturnAddress },
  { ...missing, files: true },
);

export const communication = screen(
  'ScheduleCommunication',
  '/sessions/communication',
  'communication',
  { id: ScreenId },
  missing,
);
export const communicationList = listScreen(communication, CommunicationFilter);

// ---- screens of administrators -------------------------------------------------------------------

export const adminLessons = screen('AdminLessons', '/admin/lessons', 'lessons/list');
export const adminLessonList = listScreen(adminLessons, v.omit(LessonFilter, ['ids']));
export const adminLessonAdd = screen('AdminLessonAdd', '/admin/lessons/add', 'lessons/add', { class_id: OptionalId });
export const adminLessonEdit = screen(
  'AdminLessonEdit',
  '/admin/lessons/edit',
  'lessons/edit',
  { id: ScreenId },
  missing,
);
/** Bulk actions on lessons. The address has the ids of the lessons as `pick`. */
const several = { back: ReturnAddress };
export const adminLessonCancel = screen('AdminLessonCancel', '/admin/lessons/cancel', 'lessons/cancel', several);
export const adminLessonMove = screen('AdminLessonMove', '/admin/lessons/move', 'lessons/move', several);
export const adminLessonRestore = screen('AdminLessonRestore', '/admin/lessons/restore', 'lessons/restore', several);

// ---- screens of administrators: handouts ---------------------------------------------------------

export const handoutReview = screen('AdminHandouts', '/admin/waiting/handouts', 'handouts/list');
export const handoutList = listScreen(handoutReview, v.omit(HandoutFilter, ['ids']));
/** `status` is 1 to approve, 4 to reject. */
export const handoutDecision = dialog(handoutReview, 'decide', 'handouts/decide', {
  ids: SearchIds,
  status: searchOneOf([1, 4]),
});
export const handoutFile = screen(
  'AdminHandoutFile',
  '/admin/waiting/handouts/:id/file',
  'handouts/file.ts',
  { download: CheckedParam },
  { missing: missingHandout },
);
