/**
 * The question before a student's attendance of a lesson is changed. Where the rules allow several actions, the person
 * chooses first; each says what follows from it.
 */
import type { setAttendance } from '#server/group-classes/contract.ts';
import {
  type AttendanceAction,
  allowedAttendance,
  attendanceActionNames,
  attendanceFault,
  attendanceReasonLimit,
} from '#server/group-classes/rules.ts';
import type { SessionRow } from '#server/sessions/contract.ts';
import { type AttendanceStatus, attendanceName, sessionStatusNames } from '#server/sessions/rules.ts';
import { confirmations } from '../attendance/terms.ts';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Refused } from '../ui/form-state.ts';
import { LinkButton } from '../ui/native-button.tsx';
import { useTimezone } from '../ui/use-school.ts';
import styles from './session.module.css';
import { sessionTime } from './terms.ts';

const questions: Record<AttendanceAction, string> = {
  1: confirmations.request,
  2: confirmations.cancelLeave,
  3: confirmations.cancelAttendance,
  4: '确定将该学员标记为出勤吗？',
};

type Status = SessionRow['status'];

/** What the student is afterwards, where the name of the action does not say it. */
function consequenceOf(action: AttendanceAction, session: Status): string {
  if (action === 2)
    return session === 2 ? '取消后恢复为未标记，可再次请假。' : '取消后记为旷课，可再标记为出勤或请假。';
  if (action === 3) {
    return session === 3
      ? '取消后为未标记，可再标记为出勤；到下课仍未标记则记为旷课。'
      : '取消后记为旷课，可再标记为出勤或请假。';
  }
  return '';
}

interface AttendanceDialogProps {
  session: { status: Status; arrange_time: number; time_name: string };
  student: { name: string; attendance: AttendanceStatus; remark: string };
  /** The action that was chosen. */
  type: AttendanceAction | undefined;
  closeHref: string;
  /** The dialog's own address, of one action. */
  address: (type: AttendanceAction) => string;
  idempotencyKey: string;
  /** Names the cell: what was typed is kept under it. */
  draft: string;
  /** A refusal. */
  refused: Refused | undefined;
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
  const rules = allowedAttendance(session.status, student.attendance);
  const allowed = rules.map(({ action }) => action);
  // One that is no longer allowed is shown again after a refusal only by its reason.
  const rule = rules.find(({ action }) => action === type) ?? (rules.length === 1 ? rules[0] : undefined);
  const chosen = rule?.action;
  const needsReason = rule?.needsReason === true;
  const typed = new Map(refused?.typed).get('remark');
  return (
    <Dialog
      title={chosen ? attendanceActionNames[chosen] : '修改考勤'}
      closeHref={closeHref}
      // Where the form comes back, it says so itself.
      message={chosen ? undefined : refused?.msg}
    >
      <p>
        <strong>{student.name}</strong> · {sessionTime(session, timezone)}
      </p>
      <p>
        课次{sessionStatusNames[session.status]}，当前考勤：{attendanceName(student.attendance)}
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
          <p>
            {questions[chosen]}
            {consequenceOf(chosen, session.status)}
          </p>
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
            <LinkButton key={action} href={address(action)}>
              {attendanceActionNames[action]}
            </LinkButton>
          ))}
        </DialogActions>
      ) : (
        <>
          {!refused && <p>{attendanceFault(session.status, student.attendance)}。</p>}
          <DialogClose closeHref={closeHref} words="返回" />
        </>
      )}
    </Dialog>
  );
}
