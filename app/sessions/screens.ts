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
import { listOfEither, listScreen } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';
import { MaybeId, OwnAddress, oneOf, ScreenId, Ticked } from '../lib/search.ts';

const missing = { missing: missingSession };

export const sessionManage = screen('ScheduleManage', '/sessions', { view: oneOf(['cards', 'list'], 'cards') });
export const sessionList = listScreen(sessionManage, SessionFilter);
export const leaveFromList = dialog(sessionManage, ':id/leave', {}, missing);

const detailSearch = { id: ScreenId, tab: oneOf(['students', 'homework'], 'students') };
export const groupSession = screen('CurriculumTimeDetail', '/sessions/class', detailSearch, missing);
export const oneToOneSession = screen('OtoTimeDetail', '/sessions/one-to-one', detailSearch, missing);

/** One screen at two places. */
export const eitherSession = either(groupSession, oneToOneSession);
/** A lesson's own screen. */
export const sessionDetail = ({ class_type }: Pick<SessionRow, 'class_type'>) =>
  class_type === 3 ? groupSession : oneToOneSession;

export const sessionStudents = listOfEither(eitherSession, SessionStudentFilter, { tab: 'students' });
export const sessionHomework = listOfEither(eitherSession, SessionStudentFilter, { tab: 'homework' });

/** Calling the roll of a lesson. */
export const sessionRoll = screen(
  'SessionRollCall',
  '/sessions/roll-call',
  { id: ScreenId, back: OwnAddress },
  missing,
);

export const leave = dialog(eitherSession, 'leave');
export const evaluate = dialog(eitherSession, 'evaluate/:student', {}, { missing: missingStudent });
/** Without `type` it offers what is possible. */
export const sessionAttendance = dialog(eitherSession, 'attendance', {
  student: ScreenId,
  type: AttendanceChange.entries.type,
});
export const handout = dialog(eitherSession, 'handout', { key: UploadKey }, { files: true });
/** What the handout's form is sent to where client JS runs. */
export const handoutSend = screen(
  'sessions/handout-send',
  '/sessions/handout/send',
  { id: ScreenId, key: UploadKey, return: OwnAddress },
  { ...missing, files: true },
);

export const communicationList = listScreen(
  screen('ScheduleCommunication', '/sessions/communication', { id: ScreenId }, missing),
  CommunicationFilter,
);

// ---- of administrators ----------------------------------------------------------------------------

export const adminLessons = screen('AdminLessons', '/admin/lessons');
export const adminLessonList = listScreen(adminLessons, v.omit(LessonFilter, ['ids']));
export const adminLessonAdd = screen('AdminLessonAdd', '/admin/lessons/add', { class_id: MaybeId });
export const adminLessonEdit = screen('AdminLessonEdit', '/admin/lessons/edit', { id: ScreenId }, missing);
/** Of several lessons, which the address names as `pick`. */
const several = { back: OwnAddress };
export const adminLessonCancel = screen('AdminLessonCancel', '/admin/lessons/cancel', several);
export const adminLessonMove = screen('AdminLessonMove', '/admin/lessons/move', several);
export const adminLessonRestore = screen('AdminLessonRestore', '/admin/lessons/restore', several);

// ---- of administrators: the handouts of lessons ---------------------------------------------------

export const handoutReview = screen('AdminHandouts', '/admin/waiting/handouts');
export const handoutList = listScreen(handoutReview, v.omit(HandoutFilter, ['ids']));
/** `status`: 1 approve, 4 reject. */
export const handoutDecision = dialog(handoutReview, 'decide', { ids: SearchIds, status: searchOneOf([1, 4]) });
export const handoutFile = screen(
  'AdminHandoutFile',
  '/admin/waiting/handouts/:id/file',
  { download: Ticked },
  { missing: missingHandout },
);
