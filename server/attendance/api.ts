import { AnswerWithMessage } from '#server/platform/calls/bind.ts';
import { handle } from '#server/school/context.ts';
import { classStudyPage } from './class-study.ts';
import {
  classStudy,
  courseLessons,
  exportClassStudy,
  exportCourseStudy,
  exportStudentStudy,
  lessonStudents,
  showClassCourse,
  showClassMember,
  studyCourses,
  studyPeriods,
} from './contract.ts';
import {
  decideLeave,
  leavePulse,
  listLeave,
  listLeaveInbox,
  undoableInbox,
  undoableLeave,
  undoLeaveBatch,
} from './leave.contract.ts';
import { decideRequests, undoableDecisions, undoDecision } from './leave-decisions.ts';
import { inboxPage, leavePage, pulseOf } from './leave-list.ts';
import { classCourse, lessonPage, lessonStudentPage } from './lesson.ts';
import { cancelLeave, markAttendance, requestLeave } from './mark.contract.ts';
import { applyAttendanceAction } from './mark.ts';
import { callPeriodRoll, showPeriodRoll, undoPeriodRoll } from './roll.contract.ts';
import { callRoll, periodRoll, undoRoll } from './roll.ts';
import { attendanceMessages } from './rules.ts';
import { findVisibleMember, studyCoursePage, studyPeriodPage } from './student.ts';
import * as sheets from './study-export.ts';

export const attendanceCalls = [
  handle(classStudy, ({ db, actor, params, query, now }) => classStudyPage(db, actor, params.classId, query, now)),
  handle(exportClassStudy, ({ settings: { timezone }, body, ...context }) =>
    sheets.exportClassStudy({ ...context, timezone }, body),
  ),

  handle(listLeave, ({ db, actor, params, query, now }) => leavePage(db, actor, params.classId, query, now)),
  handle(listLeaveInbox, ({ query, ...context }) => inboxPage(context, query)),
  handle(leavePulse, ({ db, actor, params }) => pulseOf(db, actor, params.classId)),
  handle(decideLeave, ({ db, actor, params, body, now }) =>
    decideRequests(db, actor, { ids: params.ids, opStatus: body.op_status, now }),
  ),
  handle(undoableLeave, ({ db, actor, params, now }) => undoableDecisions(db, actor, params.classId, now)),
  handle(undoableInbox, ({ db, actor, now }) => undoableDecisions(db, actor, undefined, now)),
  handle(undoLeaveBatch, ({ db, actor, params, now }) => undoDecision(db, actor, params.batchId, now)),
  handle(requestLeave, async ({ db, actor, body: { leave_cause: leaveCause, approve, ...cell }, now }) => {
    const refusal = await applyAttendanceAction(db, actor, cell, {
      action: 'request',
      now,
      leaveCause,
      approve: approve === 1,
    });
    return refusal ?? (approve === 1 ? null : new AnswerWithMessage(null, { msg: attendanceMessages.requested }));
  }),
  handle(cancelLeave, ({ db, actor, body, now }) =>
    applyAttendanceAction(db, actor, body, { action: 'cancelLeave', now }),
  ),
  handle(markAttendance, ({ db, actor, body: { op_status, ...cell }, now }) =>
    applyAttendanceAction(db, actor, cell, { action: op_status === 0 ? 'attend' : 'cancelAttendance', now }),
  ),

  handle(showPeriodRoll, ({ params, query, ...context }) =>
    periodRoll(context, { periodId: params.periodId, classId: query.class_id }),
  ),
  handle(callPeriodRoll, ({ params, body, ...context }) => callRoll(context, params.periodId, body)),
  handle(undoPeriodRoll, ({ params, ...context }) => undoRoll(context, params.rollId)),

  handle(showClassMember, ({ params, ...context }) => findVisibleMember(context, params.id)),
  handle(studyCourses, ({ db, actor, params, query, now }) => studyCoursePage(db, actor, params.id, query, now)),
  handle(studyPeriods, ({ db, actor, params, query, now }) => studyPeriodPage(db, actor, params.id, query, now)),
  handle(exportStudentStudy, ({ settings: { timezone }, body, ...context }) =>
    sheets.exportStudentStudy({ ...context, timezone }, body.id),
  ),

  handle(showClassCourse, ({ db, actor, params, query }) =>
    classCourse(db, actor, { courseId: params.id, classId: query.class_id }),
  ),
  handle(courseLessons, ({ db, actor, params, query, now }) =>
    lessonPage(db, actor, { courseId: params.id, classId: params.classId }, query, now),
  ),
  handle(lessonStudents, ({ db, actor, params, query: { period_id: periodId, uid, ...filter }, now }) =>
    lessonStudentPage(db, actor, { courseId: params.id, classId: params.classId, periodId, uid }, filter, now),
  ),
  handle(exportCourseStudy, ({ settings: { timezone }, body, ...context }) =>
    sheets.exportCourseStudy({ ...context, timezone }, body),
  ),
];
