/** SessionRollCall: roll call of a lesson of a group class or one-to-one class. */
import { callSessionRoll, showSessionRoll, undoSessionRoll } from '#server/group-classes/contract.ts';
import {
  allowedAttendance,
  attendanceReasonLimit,
  isPresetPresent,
  rollFault,
  rollTargets,
} from '#server/group-classes/rules.ts';
import { sessionDetail as showDetail } from '#server/sessions/contract.ts';
import { type AttendanceStatus, attendanceName, attendanceStatuses } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { RollForm } from '../attendance/roll-form.tsx';
import { markAllPresent, rollMarksIn } from '../attendance/roll-marks.ts';
import { RollUndo } from '../attendance/roll-undo.tsx';
import { idempotencyField, readForm } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/roll';
import { sessionDetail, sessionManage, sessionRoll } from './screens.ts';
import { SessionTime } from './session-time.tsx';
import { SessionStatusTag } from './status-tag.tsx';

export const handle: ScreenHandle = {
  crumbs: [{ label: '我的排课', href: sessionManage.href() }, { label: '点名' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData ? `点名：${loaderData.session.class_name}` : '点名');

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAllowed(context, forbiddenIfFault(rollFault(signedInPerson(context).identity)));
  const { id } = sessionRoll.at(url);
  const client = context.get(api);
  const [session, roll] = await Promise.all([
    client.send(showDetail, { params: { id } }),
    client.send(showSessionRoll, { params: { id } }),
  ]);
  return { session, roll, idempotencyKey: crypto.randomUUID() };
}

const present = 1;
const unmarked = 'none';
const wordOf = (status: AttendanceStatus) => (status === null ? unmarked : String(status));
const statusOf = (word: string) =>
  word === unmarked ? null : attendanceStatuses.find((status) => String(status) === word);

type Roll = Route.ComponentProps['loaderData']['roll'];

const canAttend = (roll: Roll, student: Roll['students'][number]) =>
  student.is_recorded === 0 && rollTargets(roll, student.status).includes(present);

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, rollId = ''] = readButton(form, 'save', 'all', 'undo');
  const client = context.get(api);
  const idempotencyKey = idempotencyField(form);
  const { id } = sessionRoll.at(url);
  if (button === 'undo') {
    const undone = await client.ask(undoSessionRoll, { params: { rollId }, idempotencyKey });
    return finishForm(context, undone, sessionRoll.here(url), form);
  }
  if (button === 'all') {
    const roll = await client.send(showSessionRoll, { params: { id } });
    const waiting = roll.students
      .filter((student) => canAttend(roll, student))
      .map(({ clue_id }) => [clue_id, wordOf(present)] as const);
    const again: RefusedForm = { msg: '', typed: markAllPresent(form, new Map(waiting)), key: idempotencyKey };
    return again;
  }
  const marks = rollMarksIn(form, statusOf).map(({ id: clue_id, ...mark }) => ({ clue_id, ...mark }));
  const { remark } = readForm(callSessionRoll, form);
  const called = await client.ask(callSessionRoll, { params: { id }, body: { remark, marks }, idempotencyKey });
  return finishForm(context, called, sessionRoll.here(url), form);
}

const { TextField } = formOf<typeof callSessionRoll>();

/** Display order of the statuses: 出勤 first. */
const displayOrder: readonly AttendanceStatus[] = [1, 3, 2, null];

export default function SessionRollCall({ loaderData, actionData }: Route.ComponentProps) {
  const { session, roll, idempotencyKey } = loaderData;
  const { id, back } = useAddress(sessionRoll);
  const { status: held, students, undoable } = roll;
  const needsReason = students.some((student) =>
    allowedAttendance(roll, student.status).some((rule) => rule.needsReason),
  );
  return (
    <Screen card>
      <h1>
        点名：{session.class_name} <SessionStatusTag status={session.status} />
      </h1>
      <Facts>
        <Fact term="课程">{session.course_title}</Fact>
        <Fact term="上课时间">
          <SessionTime session={session} />
        </Fact>
      </Facts>
      {held === 2 && <p>上课后才能标记出勤，现在可以登记请假。</p>}
      <RollUndo roll={undoable} did="保存" action={sessionRoll.href({ id, back })} idempotencyKey={idempotencyKey} />
      <RollForm
        rows={students.map((student) => ({
          id: student.clue_id,
          name: student.clue_name,
          about: student.remark ? `备注：${student.remark}` : student.mobile,
          status: wordOf(student.status),
          preset: isPresetPresent(roll, student.status) ? wordOf(present) : undefined,
          choices: [...new Set([student.status, ...rollTargets(roll, student.status)])]
            .toSorted((one, other) => displayOrder.indexOf(one) - displayOrder.indexOf(other))
            .map((status) => ({ status: wordOf(status), name: attendanceName(status, roll.teaching_mode) })),
        }))}
        offersAll={students.some((student) => canAttend(roll, student))}
        refused={actionData}
        idempotencyKey={idempotencyKey}
        backHref={back ?? sessionDetail(session).href({ id })}
      >
        {needsReason && (
          <TextField
            name="remark"
            label="补记出勤的原因"
            description="课次已结束，把旷课改为出勤要写明原因"
            maxLength={attendanceReasonLimit}
          />
        )}
      </RollForm>
    </Screen>
  );
}
