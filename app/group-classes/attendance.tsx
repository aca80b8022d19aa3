/** Dialog that changes one cell of the attendance grid. */
import { data } from 'react-router';
import { classAttendance, setAttendance, teamSessions } from '#server/group-classes/contract.ts';
import { attendanceFault, attendanceKey } from '#server/group-classes/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { missingAttendee } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { AttendanceDialog } from '../sessions/attendance-dialog.tsx';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import type { Route } from './+types/attendance';
import { teamAttendance, teamDetail } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('修改考勤');

const readCellAddress = (url: URL) => {
  const { cell, type } = teamAttendance.at(url);
  const [times_id = 0, clue_id = 0] = cell ?? [];
  return { class_id: teamDetail.at(url).id, times_id, clue_id, cell, type };
};

/** Address of the grid, scrolled to the changed cell. */
const gridAddress = (url: URL) => {
  const { class_id: id, cell } = readCellAddress(url);
  return `${teamDetail.href({ id, tab: '2', at: cell })}#at`;
};

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { class_id: id, times_id, clue_id, type } = readCellAddress(url);
  const [sessions, students] = await Promise.all([
    client.send(teamSessions, { params: { id }, query: { limit: maxListLimit } }),
    client.send(classAttendance, { params: { id } }),
  ]);
  const session = sessions.list.find((one) => one.id === times_id);
  const student = students.find((one) => one.clue_id === clue_id);
  const cell = session && student?.attendance[attendanceKey(session)];
  if (!session || !student || !cell) throw data({ msg: missingAttendee }, { status: 404 });
  requireAllowed(context, attendanceFault(session, cell.attendance, type));
  return { class_id: id, type, session, student, cell, ...teamAttendance.opened(url), closeHref: gridAddress(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, gridAddress(url), (client, idempotencyKey, form) => {
    const { class_id, times_id, clue_id, type } = readCellAddress(url);
    const { remark } = readForm(setAttendance, form);
    return client.ask(setAttendance, { query: { class_id, times_id, clue_id, type, remark }, idempotencyKey });
  });

export default function ChangeAttendance({ loaderData, actionData }: Route.ComponentProps) {
  const { class_id, type, session, student, cell, closeHref, idempotencyKey } = loaderData;
  const grid = teamDetail.href({ id: class_id, tab: '2' });
  return (
    <AttendanceDialog
      session={session}
      student={{ name: student.clue_name, attendance: cell.attendance, remark: cell.remarks }}
      type={type}
      closeHref={closeHref}
      address={(chosen) => teamAttendance.href(grid, { cell: [session.id, student.clue_id], type: chosen })}
      idempotencyKey={idempotencyKey}
      draft={`attendance ${class_id} ${session.id} ${student.clue_id}`}
      refused={actionData}
    />
  );
}
