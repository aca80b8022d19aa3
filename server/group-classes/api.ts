import { Answered } from '#server/platform/calls/bind.ts';
import { handle } from '#server/school/context.ts';
import { attendanceOfClass, changeAttendance } from './attendance.ts';
import {
  callSessionRoll,
  classAttendance,
  listTeamClasses,
  setAttendance,
  showSessionRoll,
  showTeamClass,
  teamSessions,
  teamStudents,
  undoSessionRoll,
} from './contract.ts';
import { schoolsOf, teamClassOf, teamClassPage, teamSessionPage, teamStudentPage } from './list.ts';
import { callRoll, sessionRoll, undoRoll } from './roll.ts';

export const groupClassCalls = [
  handle(listTeamClasses, async ({ db, actor, query, now }) => {
    const [classes, schools] = await Promise.all([teamClassPage(db, actor, query, now), schoolsOf(db)]);
    return new Answered(classes, { extra: { schools } });
  }),
  handle(showTeamClass, ({ db, actor, params, now }) => teamClassOf(db, actor, { id: params.id, now })),
  handle(teamStudents, ({ db, actor, params, query }) => teamStudentPage(db, actor, { ...query, ...params })),
  handle(teamSessions, ({ db, actor, params, query, now, settings }) =>
    teamSessionPage(db, actor, { ...query, ...params }, { now, timezone: settings.timezone }),
  ),
  handle(classAttendance, ({ db, actor, params, now }) => attendanceOfClass(db, actor, { id: params.id, now })),
  handle(setAttendance, ({ db, actor, query, now }) => changeAttendance(db, actor, query, now)),
  handle(showSessionRoll, ({ params, ...context }) => sessionRoll(context, params.id)),
  handle(callSessionRoll, ({ params, body, ...context }) => callRoll(context, params.id, body)),
  handle(undoSessionRoll, ({ params, ...context }) => undoRoll(context, params.rollId)),
];
