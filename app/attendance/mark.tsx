/** The question before an action on one student of a lesson. */
import { data } from 'react-router';
import {
  cancelLeave,
  decideLeave,
  lessonStudents,
  markAttendance,
  requestLeave,
  showClassCourse,
} from '#server/attendance/contract.ts';
import { actionName, type LeaveAction, leaveCauseLimit, markFault } from '#server/attendance/rules.ts';
import { missingStudent } from '#server/classes/rules.ts';
import { type ApiClient, api } from '../api/client.server.ts';
import { readForm, textOf } from '../lib/form-data.ts';
import { mustBeAllowed } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/mark';
import { attendanceMark, courseOf, lessonAttendance } from './screens.ts';
import { confirmations } from './terms.ts';

export const meta: Route.MetaFunction = () => titled('考勤');

function addressOf(url: URL) {
  const { period_id: periodId } = lessonAttendance.at(url).place;
  return { ...courseOf(url), periodId, ...attendanceMark.at(url) };
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
  const fault = markFault(act, op_status, { courseType: course.course_type, begun: student.has_begun === 1, name });
  mustBeAllowed(context, fault);
  return { student, uid, periodId, act, fault, ...attendanceMark.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, attendanceMark.behind(url), (client, idempotencyKey, form) => {
    const { courseId: course_id, classId: class_id, periodId: course_periods_id, uid, action } = addressOf(url);
    const body = { uid, class_id, course_id, course_periods_id };
    switch (action) {
      case 'request': {
        const { leave_cause, approve } = readForm(requestLeave, form);
        return client.ask(requestLeave, { body: { ...body, leave_cause, approve }, idempotencyKey });
      }
      case 'cancelLeave':
        return client.ask(cancelLeave, { body, idempotencyKey });
      case 'attend':
      case 'cancelAttendance':
        return client.ask(markAttendance, {
          body: { ...body, op_status: action === 'attend' ? 0 : 5 },
          idempotencyKey,
        });
      case 'approve':
      case 'reject': {
        const params = { ids: textOf(form, 'leave_id') };
        return client.ask(decideLeave, { params, body: { op_status: action === 'approve' ? 2 : 3 }, idempotencyKey });
      }
    }
  });

const { AreaField, CheckField, DialogForm } = formOf<typeof requestLeave>();

export default function Mark({ loaderData, actionData }: Route.ComponentProps) {
  const { student, uid, periodId, act, fault, closeHref, idempotencyKey } = loaderData;
  // It was sent and refused, since someone else acted meanwhile: the state is said instead of the button.
  if (fault) {
    return (
      <Dialog title={actionName(act, student.op_status)} closeHref={closeHref} message={actionData?.msg}>
        <p>{fault}。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={actionName(act, student.op_status)} closeHref={closeHref}>
      <p>
        学员：<strong>{student.nickname}</strong>
        {student.mobile && `（${student.mobile}）`}
        {student.leave_cause && <>，请假原因：{student.leave_cause}</>}
      </p>
      <p>{act === 'cancelAttendance' && student.op_status === -1 ? '确定标记该学员旷课吗？' : confirmations[act]}</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ approve: '1' }}
        submit="确定"
        tone={isUndoing(act) ? 'danger' : 'primary'}
        draft={act === 'request' ? `leave ${periodId} ${uid}` : undefined}
      >
        <input type="hidden" name="leave_id" value={student.leave_id ?? ''} />
        {act === 'request' && (
          <>
            <AreaField
              name="leave_cause"
              label="请假原因"
              limit={leaveCauseLimit}
              rows={3}
              maxLength={leaveCauseLimit}
            />
            <CheckField name="approve" label="请假并同意" description="不勾选则只提交请假申请，等待审批" />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}

const isUndoing = (act: LeaveAction) => act === 'cancelLeave' || act === 'cancelAttendance' || act === 'reject';
