/** RollCall: roll call of a face-to-face period in one class. */
import { callPeriodRoll, showPeriodRoll, undoPeriodRoll } from '#server/attendance/roll.contract.ts';
import {
  isPresetPresent,
  type OpStatus,
  opStatuses,
  rollChoices,
  rollFault,
  statusName,
} from '#server/attendance/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage } from '../classes/screens.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/roll';
import styles from './roll.module.css';
import { RollForm } from './roll-form.tsx';
import { markAllPresent, rollMarksIn } from './roll-marks.ts';
import { RollUndo } from './roll-undo.tsx';
import { courseAttendance, periodRoll } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '点名' }],
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(loaderData ? `点名：${loaderData.roll.period_title}` : '点名');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { period_id: periodId, class_id } = periodRoll.at(url);
  const roll = await context.get(api).send(showPeriodRoll, { params: { periodId }, query: { class_id } });
  requireAllowed(context, rollFault(roll));
  return { roll, begun: roll.start_play <= context.get(api).now(), idempotencyKey: crypto.randomUUID() };
}

const present = 0;
const statusOf = (word: string) => opStatuses.find((status) => String(status) === word);

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [button, rollId = ''] = readButton(form, 'save', 'all', 'undo');
  const client = context.get(api);
  const idempotencyKey = idempotencyField(form);
  const { period_id: periodId, class_id } = periodRoll.at(url);
  if (button === 'undo') {
    const undone = await client.ask(undoPeriodRoll, { params: { rollId }, idempotencyKey });
    return finishForm(context, undone, periodRoll.here(url), form);
  }
  const roll = await client.send(showPeriodRoll, { params: { periodId }, query: { class_id } });
  if (button === 'all') {
    const lesson = { courseType: roll.course_type, begun: roll.start_play <= client.now() };
    const unmarked = roll.students
      .filter(({ op_status, is_recorded }) => is_recorded === 0 && canAttend(op_status, lesson))
      .map(({ uid }) => [uid, String(present)] as const);
    const again: RefusedForm = { msg: '', typed: markAllPresent(form, new Map(unmarked)), key: idempotencyKey };
    return again;
  }
  const marks = rollMarksIn(form, statusOf).map(({ id, ...mark }) => ({ uid: id, ...mark }));
  const body = { class_id: roll.class_id, marks };
  const called = await client.ask(callPeriodRoll, { params: { periodId }, body, idempotencyKey });
  return finishForm(context, called, periodRoll.here(url), form);
}

const canAttend = (...of: Parameters<typeof rollChoices>) => rollChoices(...of).some(({ to }) => to === present);

/** Display order of the statuses: 出勤 first. */
const displayOrder = [0, 5, 2, 1, 3, 4, -1, 6];

/**
 * Returns the current status, and those that a roll call may set instead. Leave that is set here is approved leave, so
 * waiting leave (1) is left out.
 */
function choicesOf(status: OpStatus, lesson: Parameters<typeof rollChoices>[1]): OpStatus[] {
  const targets = rollChoices(status, lesson).flatMap(({ to }) => (to === 1 ? [] : [to]));
  return [status, ...targets].toSorted((one, other) => displayOrder.indexOf(one) - displayOrder.indexOf(other));
}

export default function RollCall({ loaderData: { roll, begun, idempotencyKey }, actionData }: Route.ComponentProps) {
  const { back } = useAddress(periodRoll);
  const { course_id, course_type, class_id, period_id, classes, students, undoable } = roll;
  const here = periodRoll.href({ period_id, class_id, back });
  const backHref = back ?? courseAttendance.href({ course_id, class_id });
  const lesson = { courseType: course_type, begun };
  return (
    <Screen card>
      <h1>点名：{roll.period_title}</h1>
      <Facts>
        <Fact term="课程">{roll.course_title}</Fact>
        <Fact term="班级">{classes.find(({ id }) => id === class_id)?.name}</Fact>
        <Fact term="上课时间">
          <NearMoment at={roll.start_play} />
        </Fact>
      </Facts>
      {classes.length > 1 && (
        <p className={styles.others}>
          其他班级：
          {classes
            .filter(({ id }) => id !== class_id)
            .map(({ id, name }) => (
              <a key={id} href={periodRoll.href({ period_id, class_id: id, back })}>
                {name}
              </a>
            ))}
        </p>
      )}
      {!begun && <p>课时开始后才能点名，现在可以登记请假。</p>}
      <RollUndo roll={undoable} did="保存" action={here} idempotencyKey={idempotencyKey} />
      <RollForm
        rows={students.map(({ uid, nickname, mobile, op_status, leave_cause }) => ({
          id: uid,
          name: nickname,
          about: leave_cause ? `请假原因：${leave_cause}` : mobile,
          status: String(op_status),
          preset: isPresetPresent(op_status, lesson) ? String(present) : undefined,
          choices: choicesOf(op_status, lesson).map((status) => ({
            status: String(status),
            name: status === 2 && op_status !== 2 ? '请假' : statusName(status, course_type),
          })),
        }))}
        offersAll={students.some(({ op_status, is_recorded }) => is_recorded === 0 && canAttend(op_status, lesson))}
        refused={actionData}
        idempotencyKey={idempotencyKey}
        backHref={backHref}
      />
    </Screen>
  );
}
