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
  handle(listMeetings, ({ params, query, ...asked }) => meetingPage(asked, params.classId, query)),
  handle(meetingCodes, ({ params, ...asked }) => codesOf(asked, params.id)),
  handle(meetingStatistics, ({ params, ...asked }) => statisticsOf(asked, params.id)),
  handle(showMeeting, ({ params, ...asked }) => meetingById(asked, params.id)),
  handle(createMeeting, ({ body, ...asked }) => create(asked, body)),
  handle(editMeeting, ({ params, body, ...asked }) => edit(asked, params.id, body)),
  handle(deleteMeeting, ({ params, ...asked }) => remove(asked, params.id)),
];
