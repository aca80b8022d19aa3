import { missingMeeting } from '#server/meetings/rules.ts';
import { SearchId } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog } from '../lib/dialog.ts';
import { screen } from '../lib/screen.ts';
import { oneOf, ScreenId } from '../lib/search.ts';

/** Adds a meeting to the class or, with `id`, edits that meeting. */
export const meetingForm = screen('AddClassMeeting', '/classes/meeting', 'arrange', {
  class_id: SearchId,
  id: SearchId,
});
const missing = { missing: missingMeeting };
export const meetingFigures = screen(
  'ClassMeetingStatistics',
  '/classes/meeting/statistics',
  'statistics',
  { id: ScreenId, show: oneOf(['all', 'joined', 'absent'], 'all') },
  missing,
);
export const meetingCodes = dialog(classDetail, 'meeting/:meeting/codes', 'codes', {}, missing);
export const meetingDeletion = dialog(classDetail, 'meeting/:meeting/delete', 'delete', {}, missing);
