/** The question before an action on one student of a lesson (document 3, section 4; decisions, section 8). */
import { data, useRouteLoaderData } from 'react-router';
import {
  actionsFor,
  cancelLeave,
  decideLeave,
  type LeaveAction,
  leaveActionNames,
  leaveActions,
  leaveCauseLimit,
  lessonStudents,
  markAttendance,
  opStatusNames,
  requestLeave,
} from '#server/attendance/contract.ts';
import { type ApiClient, api } from '../api.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/mark';
import { idIn, lessonHref } from './address.ts';
import type { loader as courseLoader } from './course.tsx';
import { confirmations } from './terms.ts';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '考勤 · 教学后台' }];

function askedOf(url: URL) {
  const [courseId, classId] = [idIn(url, 'course_id') ?? idIn(url, 'id'), idIn(url, 'class_id')];
  const [periodId, uid] = [idIn(url, 'period_id'), idIn(url, 'uid')];
  const action = leaveActions.find((one) => one === url.searchParams.get('action'));
  if (!courseId || !classId || !periodId || !uid || !action) throw data({ msg: '学员不存在' }, { status: 404 });
  return { courseId, classId, periodId, uid, action, students: idIn(url, 'page') ?? 1 };
}
type Asked = ReturnType<typeof askedOf>;

const backTo = ({ courseId, classId, periodId, students }: Asked, url: URL) =>
  lessonHref({ courseId, classId, page: idIn(url, 'lessons') }, periodId, students);

async function studentOf(client: ApiClient, { courseId, classId, periodId, uid }: Asked) {
  const query = { period_id: periodId, uid };
  const { list } = await client.send(lessonStudents, { params: { id: courseId, classId }, query });
  const [student] = list;
  if (!student) throw data({ msg: '学员不存在' }, { status: 404 });
  return student;
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = askedOf(url);
  const student = await studentOf(context.get(api), asked);
  return { student, act: asked.action, closeHref: backTo(asked, url), key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const asked = askedOf(url);
  const client = context.get(api);
  const outcome = await send(client, asked, form);
  return outcome.ok ? done(context, outcome.msg, backTo(asked, url)) : refused(outcome, form);
}

async function send(client: ApiClient, asked: Asked, form: FormData) {
  const { courseId: course_id, classId: class_id, periodId: course_periods_id, uid, action } = asked;
  const body = { uid, class_id, course_id, course_periods_id };
  const idempotencyKey = idempotencyField(form);
  if (action === 'request') {
    return client.ask(requestLeave, {
      body: { ...body, leave_cause: String(form.get('leave_cause') ?? '') },
      idempotencyKey,
    });
  }
  if (action === 'cancelLeave') return client.ask(cancelLeave, { body, idempotencyKey });
  if (action === 'attend' || action === 'cancelAttendance') {
    return client.ask(markAttendance, { body: { ...body, op_status: action === 'attend' ? 0 : 5 }, idempotencyKey });
  }
  const ids = String(form.get('leave_id') ?? '');
  return client.ask(decideLeave, {
    params: { ids },
    body: { op_status: action === 'approve' ? 2 : 3 },
    idempotencyKey,
  });
}

export default function Mark({ loaderData, actionData }: Route.ComponentProps) {
  const { student, act, closeHref, key } = loaderData;
  const behind = useRouteLoaderData<typeof courseLoader>('AttendInfo');
  const offered = actionsFor(student.op_status, behind?.course.course_type ?? 0, behind?.isClassRunning);
  const isAllowed = offered.includes(act);
  const typed = new Map(actionData?.typed);
  // Someone else may have acted meanwhile: the state is said instead of a button that would be refused.
  if (!isAllowed) {
    return (
      <Dialog title={leaveActionNames[act]} closeHref={closeHref} message={actionData?.msg}>
        <p>
          {!behind?.isClassRunning && '班级已结束，'}
          {student.nickname}当前状态为“{opStatusNames[student.op_status]}”，不能{leaveActionNames[act]}。
        </p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={leaveActionNames[act]} closeHref={closeHref} message={actionData?.msg}>
      <p>
        学员：<strong>{student.nickname}</strong>
        {student.mobile && `（${student.mobile}）`}
        {student.leave_cause && <>，请假原因：{student.leave_cause}</>}
      </p>
      <p>{confirmations[act]}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={actionData?.key ?? key}
        submit="确定"
        tone={isUndoing(act) ? 'danger' : 'primary'}
      >
        <input type="hidden" name="leave_id" value={student.leave_id ?? ''} />
        {act === 'request' && <Cause typed={typed.get('leave_cause')} error={actionData?.errors?.leave_cause?.[0]} />}
      </DialogForm>
    </Dialog>
  );
}

const isUndoing = (act: LeaveAction) => act === 'cancelLeave' || act === 'cancelAttendance' || act === 'reject';

function Cause({ typed, error }: { typed: string | undefined; error: string | undefined }) {
  return (
    <Field label="请假原因" id="leave_cause" error={error} hint={`选填，最多${leaveCauseLimit}个字`}>
      <textarea
        id="leave_cause"
        name="leave_cause"
        rows={3}
        maxLength={leaveCauseLimit}
        defaultValue={typed}
        aria-invalid={error !== undefined}
        aria-describedby={error ? 'leave_cause-error' : undefined}
        className={controlClass}
      />
    </Field>
  );
}
