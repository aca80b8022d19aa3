import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import { addTalkNote, communicationPage } from './communication.ts';
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
import { lessonDetailOf } from './detail.ts';
import { uploadHandout } from './handout.ts';
import {
  decideHandouts,
  handoutSchools,
  listHandouts,
  readHandout,
  undoableHandouts,
  undoHandouts,
} from './handouts.contract.ts';
import { decideOnHandouts, handoutPage, sendHandout, undoableDecisions, undoHandoutDecision } from './handouts.ts';
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
import { findOwnSession, ownLessonPage } from './list.ts';
import { planLessons, previewLessonPlan } from './planning.ts';
import { cancelLessonsOf, editLessonOf, moveLessonsOf, restoreLessonsOf } from './replanning.ts';
import { saveEvaluation, studentPage } from './students.ts';

export const sessionCalls = [
  handle(listSessions, ({ db, actor, query, now, settings }) =>
    ownLessonPage(db, actor, query, { now, timezone: settings.timezone }),
  ),
  handle(showSession, ({ db, actor, params, now, settings }) =>
    findOwnSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(scheduleDetail, ({ db, actor, params, now, settings }) =>
    findOwnSession(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(sessionDetail, ({ db, actor, params, now, settings }) =>
    lessonDetailOf(db, actor, params.id, { now, timezone: settings.timezone }),
  ),
  handle(sessionStudents, ({ db, actor, params, query, now }) => studentPage(db, actor, params.id, { ...query, now })),
  handle(evaluateStudent, ({ db, actor, params, body, now }) =>
    saveEvaluation(db, actor, { id: params.id, text: body.remark, now }),
  ),
  handle(uploadNotes, ({ db, storage, actor, now, body }) => uploadHandout({ db, storage, actor, now }, body)),
  handle(takeLeave, ({ db, actor, params, now, settings }) =>
    leaveSession(db, actor, { id: params.id, now, timezone: settings.timezone }),
  ),
  handle(listCommunications, ({ db, actor, params, query }) => communicationPage(db, actor, { ...query, ...params })),
  handle(addCommunication, ({ db, actor, params, body, now }) => addTalkNote(db, actor, { ...body, ...params, now })),
];

export const adminLessonCalls = [
  handle(listLessons, ({ query, ...context }) => lessonPage(context, query)),
  handle(lessonOptions, ({ params, ...context }) => optionsFor(context, params.classId)),
  handle(showLesson, ({ params, ...context }) => lessonRecord(context, params.id)),
  handle(previewLessons, ({ body, ...context }) => previewLessonPlan(context, body)),
  handle(addLessons, ({ body, ...context }) => planLessons(context, body)),
  handle(editLesson, ({ params, body, ...context }) => editLessonOf(context, params.id, body)),
  handle(cancelLessons, ({ body, ...context }) => cancelLessonsOf(context, body)),
  handle(restoreLessons, ({ body, ...context }) => restoreLessonsOf(context, body)),
  handle(moveLessons, ({ body, ...context }) => moveLessonsOf(context, body)),
];

export const handoutCalls = [
  handle(listHandouts, ({ query, ...context }) => handoutPage(context, query)),
  handle(handoutSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(undoableHandouts, (context) => undoableDecisions(context)),
  handle(readHandout, ({ params, query, request, ...context }) =>
    sendHandout(context, params.id, { request, download: query.download === 1 }),
  ),
  handle(decideHandouts, ({ body, ...context }) => decideOnHandouts(context, body)),
  handle(undoHandouts, ({ params, ...context }) => undoHandoutDecision(context, params.at)),
];
