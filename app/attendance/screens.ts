import * as v from 'valibot';
import { LessonStudentFilter } from '#server/attendance/contract.ts';
import { LeaveInboxFilter } from '#server/attendance/leave.contract.ts';
import { leaveActions } from '#server/attendance/rules.ts';
import { missingClass, missingCourse, missingPeriod, missingStudent } from '#server/classes/rules.ts';
import { pageOnly, SearchFlag, SearchId, SearchIds, searchOneOf, searchWord } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { either, screen } from '../lib/screen.ts';
import { OptionalId, OwnAddress, ScreenId, TickedByDefault } from '../lib/search.ts';

/** A student of a class; `id` is the membership id. */
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
/** Confirms an action on the student in one of these periods. */
export const studentMark = dialog(
  studentPeriods,
  'mark',
  'student-mark',
  { period_id: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingPeriod },
);
export const studentCourses = listScreen(studentDetail, pageOnly());

/** A course of a class: `course_id`, or `id`, which the list of courses also sends. */
export const courseAttendance = screen(
  'AttendInfo',
  '/classes/attendance',
  'course',
  { id: SearchId, course_id: SearchId, class_id: ScreenId },
  { missing: missingCourse },
);
export function courseIds(url: URL): { courseId: number; classId: number } {
  const { id, course_id, class_id } = courseAttendance.at(url);
  // 0, which no course has, if the address has neither.
  return { courseId: course_id ?? id ?? 0, classId: class_id };
}
export const periodAttendance = listDialog(
  courseAttendance,
  'lesson',
  'lesson',
  LessonStudentFilter,
  { period_id: ScreenId },
  { missing: missingPeriod },
);
export const coursePeriods = listScreen(courseAttendance, pageOnly());
/** Confirms an action on one student, over the period. */
export const attendanceMark = dialog(
  periodAttendance,
  'mark',
  'mark',
  { uid: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingStudent },
);

/** Roll call of a period, in this class or in the first one that takes it. */
export const periodRoll = screen(
  'RollCall',
  '/classes/roll-call',
  'roll',
  { period_id: ScreenId, class_id: OptionalId, back: OwnAddress },
  { missing: missingPeriod },
);

/** Leave requests of all classes that the user sees. */
export const leaveInbox = screen('LeaveInbox', '/leave', 'inbox');
/**
 * Shows decided requests only if the address says so (`waiting`). `chosen` ticks every request; else `ticked` has the
 * ids.
 */
export const leaveInboxList = listScreen(
  leaveInbox,
  v.object({
    ...v.omit(LeaveInboxFilter, ['ids', 'waiting']).entries,
    waiting: TickedByDefault,
    chosen: searchWord(['pending']),
    ticked: SearchIds,
  }),
  {},
  { neutral: ['waiting', 'chosen', 'ticked'] },
);
/** Screens that decide requests: the leave tab of a class, and the inbox. */
export const leaveLists = either(classDetail, leaveInbox);
/**
 * Approves (2) or rejects (3) the chosen requests. `boxes`: they were ticked and stay so after cancelling; `back`:
 * address of another screen that opened it.
 */
export const leaveDecision = dialog(leaveLists, 'leave/decide', 'decide', {
  op_status: searchOneOf([2, 3]),
  ids: SearchIds,
  boxes: SearchFlag,
  back: OwnAddress,
});
export const requestAnchor = (id: number) => `leave-${id}`;
/** Event stream that reports changes of a class's leave requests. */
export const leaveStream = screen(
  'attendance/leave-stream',
  '/classes/leave/stream',
  'leave-stream.ts',
  { id: ScreenId },
  { missing: missingClass },
);
