import { handle } from '#server/http/handle.ts';
import {
  classesOfHomework,
  firstWaitingReport,
  homeworkFacts,
  moveDeadline,
  publishFurther,
  recall,
} from './actions.ts';
import {
  adjustDeadline,
  continuePublishing,
  homeworkButtons,
  homeworkClasses,
  listHomework,
  recallHomework,
  startCorrection,
} from './contract.ts';
import { homeworkPage } from './list.ts';

export const homeworkCalls = [
  handle(listHomework, ({ db, actor, query, settings }) => homeworkPage(db, actor, query, settings.timezone)),
  handle(homeworkButtons, ({ db, actor, params }) => homeworkFacts(db, actor, params.id)),
  handle(recallHomework, ({ db, actor, params, now }) => recall(db, actor, params.id, now)),
  handle(homeworkClasses, ({ db, actor, params }) => classesOfHomework(db, actor, params.id)),
  handle(continuePublishing, ({ db, actor, params, now }) => publishFurther(db, actor, { ...params, now })),
  handle(adjustDeadline, ({ db, actor, params, now, settings }) =>
    moveDeadline(db, actor, { id: params.id, endingTime: params.seconds, now, timezone: settings.timezone }),
  ),
  handle(startCorrection, ({ db, actor, body }) =>
    firstWaitingReport(db, actor, { homeworkId: body.hw_id, classId: body.class_id, studentId: body.uid }),
  ),
];
