import { missingStudent } from '#server/classes/rules.ts';
import { AttendanceChange } from '#server/group-classes/contract.ts';
import {
  CommunicationFilter,
  SessionFilter,
  type SessionRow,
  SessionStudentFilter,
} from '#server/sessions/contract.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { UploadKey } from '../courseware/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { listOfEither, listScreen } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';
import { OwnAddress, oneOf, ScreenId } from '../lib/search.ts';

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
