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
import { leaveSession } from './leave.ts';
import { ownSession, sessionPage } from './list.ts';
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
