import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { handle } from '#server/school/context.ts';
import {
  addLessonClass,
  editContract,
  editLessonClass,
  endLessonClass,
  listContracts,
  listLessonClasses,
  reopenLessonClass,
  showContract,
  showLessonClass,
} from './admin.contract.ts';
import { addLessonClassOf, editLessonClassOf, endLessonClassOf, reopenLessonClassOf } from './admin-changes.ts';
import { lessonClassPage } from './admin-list.ts';
import { lessonClassRecord } from './admin-record.ts';
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
import { contractOf, contractPage, storeContract } from './contracts.ts';
import { schoolsOf, teamClassOf, teamClassPage, teamSessionPage, teamStudentPage } from './list.ts';
import { callRoll, sessionRoll, undoRoll } from './roll.ts';

export const groupClassCalls = [
  handle(listTeamClasses, async ({ db, actor, query, now }) => {
    const [classes, schools] = await Promise.all([teamClassPage(db, actor, query, now), schoolsOf(db)]);
    return new AnswerWithMessage(classes, { extra: { schools } });
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

export const adminTeamCalls = [
  handle(listLessonClasses, ({ query, ...context }) => lessonClassPage(context, query)),
  handle(showLessonClass, ({ params, ...context }) => lessonClassRecord(context, params.id)),
  handle(addLessonClass, ({ body, ...context }) => addLessonClassOf(context, body)),
  handle(editLessonClass, ({ params, body, ...context }) => editLessonClassOf(context, params.id, body)),
  handle(endLessonClass, ({ params, body, ...context }) => endLessonClassOf(context, params.id, body.acknowledged)),
  handle(reopenLessonClass, ({ params, ...context }) => reopenLessonClassOf(context, params.id)),
  handle(listContracts, ({ params, query, ...context }) => contractPage(context, { ...query, ...params })),
  handle(showContract, ({ params, ...context }) => contractOf(context, params)),
  handle(editContract, ({ params, body, ...context }) => storeContract(context, params, body)),
];
