import { handle } from '#server/school/context.ts';
import { addMeeting, removeMeeting, updateMeeting } from './arrange.ts';
import {
  createMeeting,
  deleteMeeting,
  editMeeting,
  listMeetings,
  meetingCodes,
  meetingStatistics,
  showMeeting,
} from './contract.ts';
import { joinCodesOf, meetingById, meetingPage, statisticsOf } from './meetings.ts';

export const meetingCalls = [
  handle(listMeetings, ({ params, query, ...context }) => meetingPage(context, params.classId, query)),
  handle(meetingCodes, ({ params, ...context }) => joinCodesOf(context, params.id)),
  handle(meetingStatistics, ({ params, ...context }) => statisticsOf(context, params.id)),
  handle(showMeeting, ({ params, ...context }) => meetingById(context, params.id)),
  handle(createMeeting, ({ body, ...context }) => addMeeting(context, body)),
  handle(editMeeting, ({ params, body, ...context }) => updateMeeting(context, params.id, body)),
  handle(deleteMeeting, ({ params, ...context }) => removeMeeting(context, params.id)),
];
