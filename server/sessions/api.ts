import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import { communicationPage, noteCommunication } from './communication.ts';
import {
  addCommunication,
  evaluateStudent,
  listCommunications,
  listSessions,
  scheduleDetail,
  sessionDetail,
  sessionStudents,
  showSession,
  takeLeave,
  uploadNotes,
} from './contract.ts';
import { detailOfSession } from './detail.ts';
import { handIn } from './handout.ts';
import {
  decideHandouts,
  handoutSchools,
  listHandouts,
  readHandout,
  undoableHandouts,
  undoHandouts,
} from './handouts.contract.ts';
import { decide, handoutPage, sendHandout, undo, undoable } from './handouts.ts';
import { leaveSession } from './leave.ts';
import {
  addLessons,
  cancelLessons,
  editLesson,
  lessonOptions,
  listLessons,
  moveLessons,
  previewLessons,
  restoreLessons,
  showLesson,
} from './lessons.contract.ts';
import { lessonPage, lessonRecord, optionsFor } from './lessons-list.ts';
import { ownSession, sessionPage } from './list.ts';
import { cancel, edit, move, plan, preview, restore } from './planning.ts';
import { evaluate, studentPage } from './students.ts';

export const sessionCalls = [
  handle(listSessions, ({ db, actor, query, now, settings }) =>
    sessionPage(db, actor, query, { now, timezone: settings.timezone }),
  ),
  handle(showSession, ({ db, actor, params, now, settings }) =>
    ownSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(scheduleDetail, ({ db, actor, params, now, settings }) =>
    ownSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(sessionDetail, ({ db, actor, params, now, settings }) =>
    detailOfSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(sessionStudents, ({ db, actor, params, query, now }) => studentPage(db, actor, params.id, { ...query, now })),
  handle(evaluateStudent, ({ db, actor, params, body, now }) =>
    evaluate(db, actor, { id: params.id, text: body.remark, now }),
  ),
  handle(uploadNotes, ({ db, storage, actor, now, body }) => handIn({ db, storage, actor, now }, body)),
  handle(takeLeave, ({ db, actor, params, now, settings }) =>
    leaveSession(db, actor, { id: params.id, now, timezone: settings.timezone }),
  ),
  handle(listCommunications, ({ db, actor, params, query }) => communicationPage(db, actor, { ...query, ...params })),
  handle(addCommunication, ({ db, actor, params, body, now }) =>
    noteCommunication(db, actor, { ...body, ...params, now }),
  ),
];

export const administeredLessonCalls = [
  handle(listLessons, ({ query, ...context }) => lessonPage(context, query)),
  handle(lessonOptions, ({ params, ...context }) => optionsFor(context, params.classId)),
  handle(showLesson, ({ params, ...context }) => lessonRecord(context, params.id)),
  handle(previewLessons, ({ body, ...context }) => preview(context, body)),
  handle(addLessons, ({ body, ...context }) => plan(context, body)),
  handle(editLesson, ({ params, body, ...context }) => edit(context, params.id, body)),
  handle(cancelLessons, ({ body, ...context }) => cancel(context, body)),
  handle(restoreLessons, ({ body, ...context }) => restore(context, body)),
  handle(moveLessons, ({ body, ...context }) => move(context, body)),
];

export const handoutCalls = [
  handle(listHandouts, ({ query, ...context }) => handoutPage(context, query)),
  handle(handoutSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(undoableHandouts, (context) => undoable(context)),
  handle(readHandout, ({ params, query, request, ...context }) =>
    sendHandout(context, params.id, { request, download: query.download === 1 }),
  ),
  handle(decideHandouts, ({ body, ...context }) => decide(context, body)),
  handle(undoHandouts, ({ params, ...context }) => undo(context, params.at)),
];
