/** Dialog over 考勤详情 that confirms an action on one student's attendance in a period. */
import { data } from 'react-router';
import { lessonStudents, showClassCourse } from '#server/attendance/contract.ts';
import { attendanceActionFault } from '#server/attendance/rules.ts';
import { missingStudent } from '#server/classes/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/mark';
import { MarkDialog, sendMark } from './mark-dialog.tsx';
import { attendanceMark, courseIds, periodAttendance } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('考勤');

function addressOf(url: URL) {
  const { period_id: periodId } = periodAttendance.at(url).place;
  return { ...courseIds(url), periodId, ...attendanceMark.at(url) };
}
type MarkAddress = ReturnType<typeof addressOf>;

async function studentOf(client: ApiClient, { courseId, classId, periodId, uid }: MarkAddress) {
  const query = { period_id: periodId, uid };
  const { list } = await client.send(lessonStudents, { params: { id: courseId, classId }, query });
  const [student] = list;
  if (!student) throw data({ msg: missingStudent }, { status: 404 });
  return student;
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const address = addressOf(url);
  const client = context.get(api);
  const { uid, periodId, action: act, courseId: id, classId } = address;
  const [student, course] = await Promise.all([
    studentOf(client, address),
    client.send(showClassCourse, { params: { id }, query: { class_id: classId } }),
  ]);
  const { op_status, nickname: name } = student;
  const fault = attendanceActionFault(act, op_status, {
    courseType: course.course_type,
    begun: student.has_begun === 1,
    name,
  });
  requireAllowed(context, fault);
  return { student, draft: `leave ${periodId} ${uid}`, act, fault, ...attendanceMark.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, attendanceMark.behind(url), (client, idempotencyKey, form) => {
    const { courseId: course_id, classId: class_id, periodId: course_periods_id, uid, action } = addressOf(url);
    return sendMark(client, idempotencyKey, form, { cell: { uid, class_id, course_id, course_periods_id }, action });
  });

export default function Mark({ loaderData, actionData }: Route.ComponentProps) {
  const { student, act, ...dialog } = loaderData;
  return <MarkDialog {...dialog} student={student} record={student} action={act} refused={actionData} />;
}
