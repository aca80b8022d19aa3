/**
 * Dialog that confirms a change of a student's attendance in a lesson. If several actions are allowed, the user first
 * chooses one; each states its consequence.
 */
import { Button } from '@mantine/core';
import type { setAttendance } from '#server/group-classes/contract.ts';
import {
  type AttendanceAction,
  allowedAttendance,
  attendanceActionName,
  attendanceFault,
  attendanceReasonLimit,
} from '#server/group-classes/rules.ts';
import type { SessionRow } from '#server/sessions/contract.ts';
import { type AttendanceStatus, attendanceName, inPerson, sessionStatusNames } from '#server/sessions/rules.ts';
import { confirmations } from '../attendance/terms.ts';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { RefusedForm } from '../ui/form-state.ts';
import { useTimezone } from '../ui/use-school.ts';
import styles from './session.posts.module.css';
import { sessionTime } from './terms.ts';

const questions: Record<AttendanceAction, string> = {
  1: confirmations.request,
  2: confirmations.cancelLeave,
  3: confirmations.cancelAttendance,
  4: '确定将该学员标记为出勤吗？',
};

type Lesson = Pick<SessionRow, 'status' | 'teaching_mode'>;

/** Describes the status after an action, if the action's name does not say it. */
function consequenceOf(action: AttendanceAction, { status, teaching_mode }: Lesson): string {
  const unmarked = attendanceName(null, teaching_mode);
  if (action === 2) {
    if (status === 2) return `取消后恢复为${unmarked}，可再次请假。`;
    return teaching_mode === inPerson
      ? '取消后可标记为出勤或旷课；已有学员点名时记为旷课。'
      : '取消后记为旷课，可再标记为出勤或请假。';
  }
  if (action === 3) {
    return status === 3 && teaching_mode !== inPerson
      ? '取消后为未标记，可再标记为出勤；到下课仍未标记则记为旷课。'
      : '取消后记为旷课，可再标记为出勤或请假。';
  }
  return '';
}

const questionOf = (action: AttendanceAction, from: AttendanceStatus, lesson: Lesson): string =>
  action === 3 && from === null ? '确定标记该学员旷课吗？' : `${questions[action]}${consequenceOf(action, lesson)}`;

interface AttendanceDialogProps {
  session: Lesson & { arrange_time: number; time_name: string };
  student: { name: string; attendance: AttendanceStatus; remark: string };
  type: AttendanceAction | undefined;
  closeHref: string;
  address: (type: AttendanceAction) => string;
  idempotencyKey: string;
  /** Name under which the browser keeps a draft. It contains lesson and student. */
  draft: string;
  refused: RefusedForm | undefined;
}

const { AreaField, DialogForm } = formOf<typeof setAttendance>();

export function AttendanceDialog({
  session,
  student,
  type,
  closeHref,
  address,
  idempotencyKey,
  draft,
  refused,
}: AttendanceDialogProps) {
  const timezone = useTimezone();
  const rules = allowedAttendance(session, student.attendance);
  const allowed = rules.map(({ action }) => action);
  // After a refusal the action may no longer be allowed. Then only the message is shown.
  const rule = rules.find(({ action }) => action === type) ?? (rules.length === 1 ? rules[0] : undefined);
  const chosen = rule?.action;
  const needsReason = rule?.needsReason === true;
  const typed = new Map(refused?.typed).get('remark');
  return (
    <Dialog
      title={chosen ? attendanceActionName(chosen, student.attendance, session) : '修改考勤'}
      closeHref={closeHref}
      // The form itself shows the message of a refusal.
      message={chosen ? undefined : refused?.msg}
    >
      <p>
        <strong>{student.name}</strong> · {sessionTime(session, timezone)}
      </p>
      <p>
        课次{sessionStatusNames[session.status]}，当前考勤：{attendanceName(student.attendance, session.teaching_mode)}
        {student.remark && `（${student.remark}）`}
      </p>
      {typed && !chosen && <p className={styles.kept}>您填写的原因：{typed}</p>}
      {chosen ? (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={refused}
          submit="确定"
          action={address(chosen)}
          noValidate
          draft={chosen === 4 ? draft : undefined}
        >
          <p>{questionOf(chosen, student.attendance, session)}</p>
          {chosen === 4 && (
            <AreaField
              name="remark"
              label="原因"
              withAsterisk={needsReason}
              limit={attendanceReasonLimit}
              rows={3}
              maxLength={attendanceReasonLimit}
            />
          )}
        </DialogForm>
      ) : allowed.length > 0 ? (
        <DialogActions>
          {allowed.map((action) => (
            <Button component="a" key={action} href={address(action)}>
              {attendanceActionName(action, student.attendance, session)}
            </Button>
          ))}
        </DialogActions>
      ) : (
        <>
          {!refused && <p>{attendanceFault(session, student.attendance)}。</p>}
          <DialogClose closeHref={closeHref} words="返回" />
        </>
      )}
    </Dialog>
  );
}
