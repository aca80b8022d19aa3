/**
 * Changes one cell of the attendance grid: `/curriculum/detail/attendance?id=&tab=2&cell=<session>-<student>&type=`.
 * Where the rules allow several actions, the person chooses first; each is confirmed (document 3, section 4).
 */
import { useRouteLoaderData } from 'react-router';
import {
  type AttendanceAction,
  allowedAttendance,
  attendanceActionNames,
  attendanceKey,
  attendanceName,
  attendanceReasonLimit,
  setAttendance,
} from '#server/group-classes/contract.ts';
import { sessionStatusNames } from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { searchOf } from '../lib/search.ts';
import { behindStep } from '../sessions/address.ts';
import { sessionTime } from '../sessions/terms.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions, DialogClose, DialogForm } from '../ui/dialog.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/attendance';
import type { loader as detailLoader } from './detail.tsx';
import styles from './group-classes.module.css';

export const handle: ScreenHandle = { dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '修改考勤 · 教学后台' }];

const wanted = (url: URL) => {
  const [times_id = '', clue_id = ''] = (url.searchParams.get('cell') ?? '').split('-');
  return { class_id: url.searchParams.get('id') ?? '', times_id, clue_id, type: url.searchParams.get('type') ?? '' };
};

/** The grid, at the cell. */
const backFrom = (url: URL) => {
  const cell = url.searchParams.get('cell') ?? '';
  return `${behindStep(url, ['cell', 'type', 'at'])}&at=${encodeURIComponent(cell)}#at`;
};

export function loader({ url }: Route.LoaderArgs) {
  return { ...wanted(url), closeHref: backFrom(url), key: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(setAttendance, {
    query: { ...wanted(url), remark: String(form.get('remark') ?? '') },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, backFrom(url)) : refused(outcome, form);
}

const questions: Record<AttendanceAction, string> = {
  1: '确定为该学员请假吗？',
  2: '确定取消请假吗？',
  3: '确定取消出勤吗？',
  4: '确定将该学员标记为出勤吗？',
};

export default function ChangeAttendance({ loaderData, actionData }: Route.ComponentProps) {
  const { class_id, times_id, clue_id, closeHref, key } = loaderData;
  const timezone = useTimezone();
  const grid = useRouteLoaderData<typeof detailLoader>('CurriculumDetail');
  const shown = grid?.tab === '2' ? grid : undefined;
  const session = shown?.sessions.find(({ id }) => id === Number(times_id));
  const student = shown?.students.find((one) => one.clue_id === Number(clue_id));
  const cell = session && student?.attendance[attendanceKey(session)];
  if (!session || !student || !cell) {
    return (
      <Dialog title="修改考勤" closeHref={closeHref} message={actionData?.msg ?? '该学员不在此课次中'}>
        <DialogClose closeHref={closeHref} words="返回" />
      </Dialog>
    );
  }
  const allowed = allowedAttendance(session.status, cell.attendance).map(({ action }) => action);
  // One that is no longer allowed is shown again after a refusal only by its reason.
  const chosen =
    allowed.find((action) => String(action) === loaderData.type) ?? (allowed.length === 1 ? allowed[0] : 0);
  const remarkError = actionData?.errors?.remark?.[0];
  const typed = new Map(actionData?.typed).get('remark');
  const address = (type?: number) =>
    `/curriculum/detail/attendance${searchOf({ id: class_id, tab: 2, cell: `${times_id}-${clue_id}`, type })}`;
  return (
    <Dialog
      title={chosen ? attendanceActionNames[chosen] : '修改考勤'}
      closeHref={closeHref}
      message={remarkError ? undefined : actionData?.msg}
    >
      <p>
        <strong>{student.clue_name}</strong> · {sessionTime(session, timezone)}
      </p>
      <p>
        课次{sessionStatusNames[session.status]}，当前考勤：{attendanceName(cell.attendance)}
        {cell.remarks && `（${cell.remarks}）`}
      </p>
      {actionData && typed && !chosen && <p className={styles.kept}>您填写的原因：{typed}</p>}
      {chosen ? (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={actionData?.key ?? key}
          submit="确定"
          action={address(chosen)}
          noValidate
        >
          <p>{questions[chosen]}</p>
          {chosen === 4 && (
            <Field label="原因" id="remark" required error={remarkError} hint={`最多 ${attendanceReasonLimit} 个字`}>
              <textarea
                id="remark"
                name="remark"
                rows={3}
                required
                maxLength={attendanceReasonLimit}
                defaultValue={typed}
                aria-invalid={remarkError ? true : undefined}
                aria-describedby={remarkError ? 'remark-error' : undefined}
                className={controlClass}
              />
            </Field>
          )}
        </DialogForm>
      ) : allowed.length > 0 ? (
        <DialogActions>
          {allowed.map((action) => (
            <a key={action} href={address(action)} className={buttonClass('primary')}>
              {attendanceActionNames[action]}
            </a>
          ))}
        </DialogActions>
      ) : (
        <>
          {!actionData && <p>当前状态不能修改考勤。</p>}
          <DialogClose closeHref={closeHref} words="返回" />
        </>
      )}
    </Dialog>
  );
}
