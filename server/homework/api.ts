import { exportFile, planExport } from '#server/questions/export/export-file.ts';
import { handle } from '#server/school/context.ts';
import {
  classesOfHomework,
  extendPublication,
  firstWaitingReport,
  homeworkActionState,
  moveDeadline,
  recallOwnHomework,
} from './actions.ts';
import { composeHomework, exchangeHomeworkQuestion } from './compose.contract.ts';
import { composeByRule, exchangeOfHomework } from './compose.ts';
import {
  adjustDeadline,
  homeworkButtons,
  homeworkClasses,
  homeworkNames,
  listClassHomework,
  listHomework,
  publishToMoreClasses,
  recallHomework,
  startHomeworkGrading,
} from './contract.ts';
import { copyHomework, earlierHomework, earlierQuestions, remedialHomework } from './copies.contract.ts';
import { deletePublishDraft, savePublishDraft, showPublishDraft } from './drafts.contract.ts';
import { deleteForms, storedForm, storeForm } from './drafts.ts';
import { earlierHomeworkPage, earlierHomeworkQuestions, homeworkCopy } from './earlier-homework.ts';
import { exportHomework, planHomeworkExport } from './export.contract.ts';
import { homeworkSelection } from './export-questions.ts';
import { homeworkPage, stateClassHomeworkPage } from './list.ts';
import { suggestHomeworkNames } from './names.ts';
import {
  chooseCourse,
  choosePeriod,
  publishClasses,
  publishHomework,
  publishSessionHomework,
  usualScore,
} from './publication.contract.ts';
import { publishNewHomework } from './publish-homework.ts';
import { prepareRemedialHomework } from './remedial.ts';
import { sourceSession } from './rules.ts';
import { classesOfScope, courseChoices, periodChoices } from './scope.ts';
import { sessionHomework, teamHomework } from './session.contract.ts';
import { refuseLessonHomework, sessionHomeworkPage, teamHomeworkPage } from './session-homework.ts';
import { usualScores } from './usual-scores.ts';

export const homeworkCalls = [
  handle(listHomework, ({ db, actor, query, now, settings: { timezone } }) =>
    homeworkPage(db, actor, query, { timezone, now }),
  ),
  handle(listClassHomework, ({ db, actor, params, query, now, settings: { timezone } }) =>
    stateClassHomeworkPage(db, actor, params.classId, { filter: query, timezone, now }),
  ),
  handle(homeworkNames, ({ db, actor, query }) => suggestHomeworkNames(db, actor, query.class_id)),
  handle(homeworkButtons, ({ db, actor, params, now }) => homeworkActionState(db, actor, params.id, now)),
  handle(recallHomework, ({ db, actor, params, now }) => recallOwnHomework(db, actor, params.id, now)),
  handle(homeworkClasses, ({ db, actor, params }) => classesOfHomework(db, actor, params.id)),
  handle(publishToMoreClasses, ({ db, actor, params, now }) => extendPublication(db, actor, { ...params, now })),
  handle(adjustDeadline, ({ db, actor, params, body, now, settings: { timezone } }) => {
    const isConfirmed = body.confirm_past === 1;
    return moveDeadline(db, actor, { id: params.id, endingTime: params.seconds, isConfirmed, now, timezone });
  }),
  handle(startHomeworkGrading, ({ db, actor, body }) =>
    firstWaitingReport(db, actor, { homeworkId: body.hw_id, classId: body.class_id, studentId: body.uid }),
  ),
  handle(chooseCourse, ({ db, actor, query }) =>
    courseChoices(db, actor, { title: query.title, parentId: query.parent_id }),
  ),
  handle(choosePeriod, ({ db, actor, params }) => periodChoices(db, actor, params.courseId)),
  handle(publishClasses, ({ db, actor, query, now, settings }) =>
    classesOfScope(db, actor, query, { now, timezone: settings.timezone }),
  ),
  handle(earlierHomework, ({ db, actor, query }) => earlierHomeworkPage(db, actor, query)),
  handle(earlierQuestions, ({ db, actor, params }) => earlierHomeworkQuestions(db, actor, params.ids)),
  handle(composeHomework, ({ body, ...context }) => composeByRule(context, body)),
  handle(exchangeHomeworkQuestion, ({ body, ...context }) => exchangeOfHomework(context, body)),
  handle(usualScore, ({ db, actor }) => usualScores(db, actor)),
  handle(copyHomework, ({ db, actor, params }) => homeworkCopy(db, actor, params.id)),
  handle(planHomeworkExport, async ({ params, query, ...context }) =>
    planExport(context, await homeworkSelection(context.db, context.actor, params.id), query),
  ),
  handle(exportHomework, async ({ params, query, ...context }) =>
    exportFile(context, await homeworkSelection(context.db, context.actor, params.id), {
      ...query,
      format: params.format,
    }),
  ),
  handle(remedialHomework, ({ db, actor, params, query }) =>
    prepareRemedialHomework(db, actor, { homeworkId: params.id, classId: query.class_id, questionIds: query.ques_ids }),
  ),
  handle(publishHomework, ({ db, actor, body, now, settings }) =>
    publishNewHomework(db, actor, body, { now, settings }),
  ),
  handle(publishSessionHomework, ({ db, actor, body, now, settings }) =>
    publishNewHomework(db, actor, { ...body, arrange_type: body.arrange_type ?? sourceSession }, { now, settings }),
  ),
  handle(savePublishDraft, ({ db, actor, body, now }) => storeForm(db, actor, body, now)),
  handle(deletePublishDraft, ({ db, actor, body }) => deleteForms(db, actor, body.key)),
  handle(showPublishDraft, ({ db, actor, params }) => storedForm(db, actor, params.id)),
  handle(
    teamHomework,
    ({ db, actor, query, settings }) =>
      refuseLessonHomework(settings) ?? teamHomeworkPage(db, actor, query, settings.timezone),
  ),
  handle(
    sessionHomework,
    ({ db, actor, query, settings }) => refuseLessonHomework(settings) ?? sessionHomeworkPage(db, actor, query),
  ),
];
