/** Dialog over 学习详情 that confirms an action on a student's attendance in one period. */
import { data } from 'react-router';
import { showClassMember, studyPeriods } from '#server/attendance/contract.ts';
import { attendanceActionFault } from '#server/attendance/rules.ts';
import { missingPeriod } from '#server/classes/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/student-mark';
import { MarkDialog, sendMark } from './mark-dialog.tsx';
import { studentDetail, studentMark, studentPeriods } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('考勤');

function addressOf(url: URL) {
  const { course_id } = studentPeriods.at(url).place;
  return { id: studentDetail.at(url).id, course_id, ...studentMark.at(url) };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { id, course_id, period_id, action: act } = addressOf(url);
  const [student, periods] = await Promise.all([
    client.send(showClassMember, { params: { id } }),
    client.send(studyPeriods, { params: { id }, query: { course_id, limit: maxListLimit } }),
  ]);
  const period = periods.list.find((one) => one.id === period_id);
  if (!period) throw data({ msg: missingPeriod }, { status: 404 });
  const { op_status, course_type: courseType } = period;
  const begun = period.start_play <= client.now();
  const fault = attendanceActionFault(act, op_status, { courseType, begun, name: student.nickname });
  requireAllowed(context, fault);
  return { student, period, draft: `leave ${period_id} ${student.uid}`, act, fault, ...studentMark.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, studentMark.behind(url), async (client, idempotencyKey, form) => {
    const { id, course_id, period_id: course_periods_id, action } = addressOf(url);
    const { uid, class_id } = await client.send(showClassMember, { params: { id } });
    return sendMark(client, idempotencyKey, form, { cell: { uid, class_id, course_id, course_periods_id }, action });
  });

export default function StudentMark({ loaderData, actionData }: Route.ComponentProps) {
  const { student, period, act, ...dialog } = loaderData;
  return (
    <MarkDialog {...dialog} student={student} period={period.title} record={period} action={act} refused={actionData} />
  );
}
