/** Where the screens of scheduled lessons stand. */
import { AttendanceChange } from '#server/group-classes/contract.ts';
import {
  CommunicationFilter,
  SessionFilter,
  type SessionRow,
  SessionStudentFilter,
} from '#server/sessions/contract.ts';
import { missingSession } from '#server/sessions/rules.ts';
import { UploadKey } from '../courseware/screens.ts';
import { dialog, listScreen, oneOf, ScreenId, screen } from '../lib/screen.ts';

export const sessionManage = screen('ScheduleManage', '/sessions', { view: oneOf(['cards', 'list'], 'cards') });
export const sessionList = listScreen(sessionManage, SessionFilter);
export const leaveFromList = dialog(':id/leave');

const detailSearch = { id: ScreenId, tab: oneOf(['students', 'homework'], 'students') };
export const groupSession = screen('CurriculumTimeDetail', '/sessions/class', detailSearch, missingSession);
export const oneToOneSession = screen('OtoTimeDetail', '/sessions/one-to-one', detailSearch, missingSession);

/** A lesson's own screen. */
export const sessionDetail = ({ class_type }: Pick<SessionRow, 'class_type'>) =>
  class_type === 3 ? groupSession : oneToOneSession;

/** Of a one-to-one lesson too: a list keeps to the address that it is read from. */
export const sessionStudents = listScreen(groupSession, SessionStudentFilter, { tab: 'students' });
export const sessionHomework = listScreen(groupSession, SessionStudentFilter, { tab: 'homework' });

export const leave = dialog('leave');
export const evaluate = dialog('evaluate/:student');
/** Without `type` it offers what is possible. */
export const attendance = dialog('attendance', { student: ScreenId, type: AttendanceChange.entries.type });
export const handout = dialog('handout', { key: UploadKey });
/** What the handout's form is sent to where client JS runs. */
export const handoutSend = dialog('handout/send', { key: UploadKey });

export const communicationList = listScreen(
  screen('ScheduleCommunication', '/sessions/communication', { id: ScreenId }, missingSession),
  CommunicationFilter,
);
