import * as v from 'valibot';
import { LeaveInboxFilter, LessonStudentFilter } from '#server/attendance/contract.ts';
import { leaveActions } from '#server/attendance/rules.ts';
import { missingClass, missingCourse, missingPeriod, missingStudent } from '#server/classes/rules.ts';
import { pageOnly, SearchFlag, SearchId, SearchIds, searchOneOf, searchWord } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';
import { MaybeId, OwnAddress, ScreenId, UsuallyTicked } from '../lib/search.ts';

/** A student of a class: `id` is the membership. */
export const studentDetail = screen(
  'StudentDetail',
  '/classes/student',
  'student',
  { id: ScreenId, uid: SearchId, class_id: SearchId },
  { missing: missingStudent },
);
export const studentPeriods = listDialog(
  studentDetail,
  'periods',
  'student-periods',
  pageOnly(),
  { course_id: ScreenId },
  { missing: missingCourse },
);
/** The question before an action on the student in one of these periods. */
export const studentMark = dialog(
  studentPeriods,
  'mark',
  'student-mark',
  { period_id: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingPeriod },
);
export const studentCourses = listScreen(studentDetail, pageOnly());

/** A course of a class: `course_id`, or `id`, which the list of courses sends as well. */
export const courseAttendance = screen(
  'AttendInfo',
  '/classes/attendance',
  'course',
  { id: SearchId, course_id: SearchId, class_id: ScreenId },
  { missing: missingCourse },
);
export function courseOf(url: URL): { courseId: number; classId: number } {
  const { id, course_id, class_id } = courseAttendance.at(url);
  // 0, which no course has, where neither is named.
  return { courseId: course_id ?? id ?? 0, classId: class_id };
}
/** Who was in a lesson. */
export const lessonAttendance = listDialog(
  courseAttendance,
  'lesson',
  'lesson',
  LessonStudentFilter,
  { period_id: ScreenId },
  { missing: missingPeriod },
);
export const courseLessons = listScreen(courseAttendance, pageOnly());
/** The question before an action on one student, over the lesson. */
export const attendanceMark = dialog(
  lessonAttendance,
  'mark',
  'mark',
  { uid: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingStudent },
);

/** Calling the roll of a period: in this class, else in the first that takes it. */
export const periodRoll = screen(
  'RollCall',
  '/classes/roll-call',
  'roll',
  { period_id: ScreenId, class_id: MaybeId, back: OwnAddress },
  { missing: missingPeriod },
);

/** The leave requests of all classes that somebody sees. */
export const leaveInbox = screen('LeaveInbox', '/leave', 'inbox');
/** `waiting`: who was decided on is shown only where the address says so; `chosen`: every request is ticked; else those in `ticked` are. */
export const leaveInboxList = listScreen(
  leaveInbox,
  v.object({
    ...v.omit(LeaveInboxFilter, ['ids', 'waiting']).entries,
    waiting: UsuallyTicked,
    chosen: searchWord(['pending']),
    ticked: SearchIds,
  }),
  {},
  { neutral: ['waiting', 'chosen', 'ticked'] },
);
/** Where requests are decided: in the leave tab of a class, and over all classes. */
export const leaveLists = either(classDetail, leaveInbox);
/**
 * The requests chosen, and whether they are agreed to (2) or rejected (3). `boxes`: they were chosen by boxes, which
 * stay ticked where nothing comes of it; `back`: another screen that it was asked on.
 */
export const leaveDecision = dialog(leaveLists, 'leave/decide', 'decide', {
  op_status: searchOneOf([2, 3]),
  ids: SearchIds,
  boxes: SearchFlag,
  back: OwnAddress,
});
/** Of a request in the lists, for what leads back to it. */
export const requestAnchor = (id: number) => `leave-${id}`;
/** Says when a class's leave requests have changed. */
export const leaveStream = screen(
  'attendance/leave-stream',
  '/classes/leave/stream',
  'leave-stream.ts',
  { id: ScreenId },
  { missing: missingClass },
);
