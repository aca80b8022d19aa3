import * as v from 'valibot';
import { LessonStudentFilter } from '#server/attendance/contract.ts';
import { LeaveInboxFilter } from '#server/attendance/leave.contract.ts';
import { leaveActions } from '#server/attendance/rules.ts';
import { missingClass, missingCourse, missingPeriod, missingStudent } from '#server/classes/rules.ts';
import { pageOnly, SearchFlag, SearchId, SearchIds, searchOneOf, searchWord } from '#server/platform/calls/fields.ts';
import { classDetail } from '../classes/screens.ts';
import { dialog, listDialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { CheckedByDefaultParam, OptionalId, ReturnAddress, ScreenId } from '../lib/search.ts';

/** A student of a class. `id` is the id of the enrolment. */
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
/** Dialog that confirms an action on the student's attendance in one of the periods. */
export const studentMark = dialog(
  studentPeriods,
  'mark',
  'student-mark',
  { period_id: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingPeriod },
);
export const studentCourses = listScreen(studentDetail, pageOnly());

/** A course of a class. The address has `course_id`, or `id`, which the list of courses also sends. */
export const courseAttendance = screen(
  'AttendInfo',
  '/classes/attendance',
  'course',
  { id: SearchId, course_id: SearchId, class_id: ScreenId },
  { missing: missingCourse },
);
export function courseIds(url: URL): { courseId: number; classId: number } {
  const { id, course_id, class_id } = courseAttendance.at(url);
  // If the address has neither id, 0: no course has it.
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
/** Dialog over a period that confirms an action on one student's attendance. */
export const attendanceMark = dialog(
  periodAttendance,
  'mark',
  'mark',
  { uid: ScreenId, action: v.picklist(leaveActions) },
  { missing: missingStudent },
);

/** Roll call of a period, in this class or, without `class_id`, in the first class that takes the course. */
export const periodRoll = screen(
  'RollCall',
  '/classes/roll-call',
  'roll',
  { period_id: ScreenId, class_id: OptionalId, back: ReturnAddress },
  { missing: missingPeriod },
);

/** Inbox of the leave requests of all classes that the user sees. */
export const leaveInbox = screen('LeaveInbox', '/leave', 'inbox');
/**
 * List of the inbox. `waiting`: only undecided requests, the default. `chosen` ticks every request, otherwise `ticked`
 * has the ids of the ticked ones.
 */
export const leaveInboxList = listScreen(
  leaveInbox,
  v.object({
    ...v.omit(LeaveInboxFilter, ['ids', 'waiting']).entries,
    waiting: CheckedByDefaultParam,
    chosen: searchWord(['pending']),
    ticked: SearchIds,
  }),
  {},
  { neutral: ['waiting', 'chosen', 'ticked'] },
);
/** The two screens on which requests are decided: the leave tab of a class, and the inbox. */
export const leaveLists = screenGroup(classDetail, leaveInbox);
/**
 * Dialog that approves (2) or rejects (3) requests. `boxes`: the requests were ticked, and stay ticked after
 * cancelling. `back`: address of another screen that opened the dialog.
 */
export const leaveDecision = dialog(leaveLists, 'leave/decide', 'decide', {
  op_status: searchOneOf([2, 3]),
  ids: SearchIds,
  boxes: SearchFlag,
  back: ReturnAddress,
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
