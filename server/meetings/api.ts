import { handle } from '#server/school/context.ts';
import { create, edit, remove } from './arrange.ts';
import {
  createMeeting,
  deleteMeeting,
  editMeeting,
  listMeetings,
  meetingCodes,
  meetingStatistics,
  showMeeting,
} from './contract.ts';
import { codesOf, meetingById, meetingPage, statisticsOf } from './meetings.ts';

export const meetingCalls = [
  handle(listMeetings, ({ params, query, ...context }) => meetingPage(context, params.classId, query)),
  handle(meetingCodes, ({ params, ...context }) => codesOf(context, params.id)),
  handle(meetingStatistics, ({ params, ...context }) => statisticsOf(context, params.id)),
  handle(showMeeting, ({ params, ...context }) => meetingById(context, params.id)),
  handle(createMeeting, ({ body, ...context }) => create(context, body)),
  handle(editMeeting, ({ params, body, ...context }) => edit(context, params.id, body)),
  handle(deleteMeeting, ({ params, ...context }) => remove(context, params.id)),
];
