/** Where the meetings of a class stand. */
import { SearchId } from '#server/platform/calls/fields.ts';
import { dialog, oneOf, ScreenId, screen } from '../lib/screen.ts';

/** A new one of the class, or `id` to be edited. */
export const meetingForm = screen('AddClassMeeting', '/classes/meeting', { class_id: SearchId, id: SearchId });
export const meetingFigures = screen(
  'ClassMeetingStatistics',
  '/classes/meeting/statistics',
  { id: ScreenId, show: oneOf(['all', 'joined', 'absent'], 'all') },
  '班会不存在',
);
export const meetingCodes = dialog('meeting/:meeting/codes');
export const meetingDeletion = dialog('meeting/:meeting/delete');
