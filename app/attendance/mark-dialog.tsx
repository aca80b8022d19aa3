/** Dialog before an action on one student's attendance in a period, and the API call that the dialog confirms. */

import { decideLeave } from '#server/attendance/leave.contract.ts';
import { cancelLeave, markAttendance, requestLeave } from '#server/attendance/mark.contract.ts';
import { actionName, type LeaveAction, leaveCauseLimit, type OpStatus } from '#server/attendance/rules.ts';
import type { ApiClient } from '../api/client.server.ts';
import { type PostedFields, readForm, textOf } from '../lib/form-data.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { confirmations } from './terms.ts';

interface Cell {
  uid: number;
  class_id: number;
  course_id: number;
  course_periods_id: number;
}

export function sendMark(
  client: ApiClient,
  idempotencyKey: string | undefined,
  form: PostedFields,
  { cell, action }: { cell: Cell; action: LeaveAction },
) {
  switch (action) {
    case 'request': {
      const { leave_cause, approve } = readForm(requestLeave, form);
      return client.ask(requestLeave, { body: { ...cell, leave_cause, approve }, idempotencyKey });
    }
    case 'cancelLeave':
      return client.ask(cancelLeave, { body: cell, idempotencyKey });
    case 'attend':
    case 'cancelAttendance':
      return client.ask(markAttendance, {
        body: { ...cell, op_status: action === 'attend' ? 0 : 5 },
        idempotencyKey,
      });
    case 'approve':
    case 'reject': {
      const params = { ids: textOf(form, 'leave_id') };
      return client.ask(decideLeave, { params, body: { op_status: action === 'approve' ? 2 : 3 }, idempotencyKey });
    }
  }
}

interface MarkDialogProps {
  student: { nickname: string; mobile: string };
  /** Name of the period, if the screen below does not show it. */
  period?: string;
  record: { op_status: OpStatus; leave_cause: string; leave_id: number | null };
  action: LeaveAction;
  /** Reason shown instead of the button, if the state has changed meanwhile. */
  fault: string | undefined;
  /** Name under which the browser keeps the typed text as a draft. */
  draft: string;
  closeHref: string;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

const { AreaField, CheckField, DialogForm } = formOf<typeof requestLeave>();

export function MarkDialog({
  student,
  period,
  record,
  action,
  fault,
  draft,
  closeHref,
  idempotencyKey,
  refused,
}: MarkDialogProps) {
  const title = actionName(action, record.op_status);
  if (fault) {
    return (
      <Dialog title={title} closeHref={closeHref} message={refused?.msg}>
        <p>{fault}。</p>
        <DialogClose closeHref={closeHref} words="知道了" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={title} closeHref={closeHref}>
      <p>
        学员：<strong>{student.nickname}</strong>
        {student.mobile && `（${student.mobile}）`}
        {period && `，课时：${period}`}
        {record.leave_cause && <>，请假原因：{record.leave_cause}</>}
      </p>
      <p>
        {action === 'cancelAttendance' && record.op_status === -1 ? '确定标记该学员旷课吗？' : confirmations[action]}
      </p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={refused}
        values={{ approve: '1' }}
        submit="确定"
        tone={isUndoing(action) ? 'danger' : 'primary'}
        draft={action === 'request' ? draft : undefined}
      >
        <input type="hidden" name="leave_id" value={record.leave_id ?? ''} />
        {action === 'request' && (
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

const isUndoing = (action: LeaveAction) =>
  action === 'cancelLeave' || action === 'cancelAttendance' || action === 'reject';
