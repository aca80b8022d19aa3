import { data } from 'react-router';
import { setAttendance } from '#server/group-classes/contract.ts';
import { attendanceFault, rollFault } from '#server/group-classes/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { sessionStudents, sessionDetail as showDetail } from '#server/sessions/contract.ts';
import { missingAttendee } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { forbiddenIfFault, requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/attendance';
import { AttendanceDialog } from './attendance-dialog.tsx';
import { sessionAttendance, sessionScreens } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('修改考勤');

const readAddress = (url: URL) => ({ id: sessionScreens.at(url).id, ...sessionAttendance.at(url) });

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAllowed(context, forbiddenIfFault(rollFault(signedInPerson(context).identity)));
  const { id, student: clue_id, type } = readAddress(url);
  const client = context.get(api);
  const [session, { list }] = await Promise.all([
    client.send(showDetail, { params: { id } }),
    client.send(sessionStudents, { params: { id }, query: { limit: maxListLimit } }),
  ]);
  const student = list.find((one) => one.clue_id === clue_id);
  if (!student) throw data({ msg: missingAttendee }, { status: 404 });
  requireAllowed(context, attendanceFault(session, student.status, type));
  return {
    session,
    student: { id: student.clue_id, name: student.clue_name, attendance: student.status, remark: student.remark },
    type,
    ...sessionAttendance.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, sessionAttendance.behind(url), async (client, idempotencyKey, form) => {
    const { id, student: clue_id, type } = readAddress(url);
    const { class_id } = await client.send(showDetail, { params: { id } });
    const { remark } = readForm(setAttendance, form);
    return client.ask(setAttendance, { query: { class_id, times_id: id, clue_id, type, remark }, idempotencyKey });
  });

export default function SessionAttendance({ loaderData, actionData }: Route.ComponentProps) {
  const { session, student, type, closeHref, idempotencyKey } = loaderData;
  return (
    <AttendanceDialog
      session={session}
      student={student}
      type={type}
      closeHref={closeHref}
      address={(chosen) => sessionAttendance.href(closeHref, { student: student.id, type: chosen })}
      idempotencyKey={idempotencyKey}
      draft={`attendance ${session.class_id} ${session.id} ${student.id}`}
      refused={actionData}
    />
  );
}
