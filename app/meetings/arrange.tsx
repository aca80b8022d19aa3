/** AddClassMeeting: a meeting of a class is arranged, or changed. */
import { showClass } from '#server/classes/contract.ts';
import { createMeeting, editMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault, editFault, meetingNameLimit } from '#server/meetings/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage, classMeetings } from '../classes/screens.ts';
import { localValue } from '../lib/dates.ts';
import { readLocalTime } from '../lib/zoned.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { buttonClass } from '../ui/button.tsx';
import { Draft } from '../ui/draft.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/arrange';
import styles from './meeting.module.css';
import { meetingForm } from './screens.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '班会' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titled(loaderData?.meeting ? '编辑班会' : '添加班会');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const { class_id, id } = meetingForm.at(url);
  const meeting = id ? await client.send(showMeeting, { params: { id } }) : undefined;
  const classId = meeting?.class_id ?? class_id ?? 0;
  const klass = await client.send(showClass, { params: { id: classId } });
  mustBeAllowed(context, forbiddenBy(arrangeFault(klass.is_header_teacher === 1, meeting ? '编辑' : '创建')));
  mustBeAllowed(context, meeting && editFault(meeting));
  return {
    klass,
    meetingId: meeting && id,
    meeting: meeting && {
      live_status: meeting.live_status,
      meeting_name: meeting.meeting_name,
      start: localValue(meeting.start_time, timezone),
      end: localValue(meeting.end_time, timezone),
    },
    back: classMeetings.href({ id: klass.id }),
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const form = await request.formData();
  const text = (name: string) => String(form.get(name) ?? '');
  const idempotencyKey = idempotencyField(form);
  const written = {
    meeting_name: text('meeting_name'),
    start_time: readLocalTime(text('start_time'), timezone),
    end_time: readLocalTime(text('end_time'), timezone),
  };
  const { class_id, id } = meetingForm.at(url);
  const outcome = id
    ? await client.ask(editMeeting, { params: { id }, body: written, idempotencyKey })
    : await client.ask(createMeeting, {
        body: { ...written, class_id },
        idempotencyKey,
      });
  if (outcome.ok) return done(context, outcome.msg, classMeetings.href({ id: Number(text('class_id')) }));
  return refused(outcome, form);
}

export default function AddClassMeeting({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, meetingId, meeting, back, idempotencyKey } = loaderData;
  const typed = Object.fromEntries(actionData?.typed ?? []);
  const errors = actionData?.errors;
  const said = (name: string) => ({
    'aria-invalid': errors?.[name] ? true : undefined,
    'aria-describedby': errors?.[name] ? `${name}-error` : undefined,
  });
  const hasStarted = meeting?.live_status === 2;
  return (
    <main>
      <form method="post" className={styles.form}>
        <h1>
          {meeting ? '编辑班会' : '添加班会'}：{klass.class_name}
        </h1>
        {actionData && (
          <p className={styles.message} role="alert">
            {actionData.msg}
          </p>
        )}
        <input type="hidden" name="idempotency_key" value={actionData?.key ?? idempotencyKey} />
        <input type="hidden" name="class_id" value={klass.id} />
        <Draft name={meetingId ? `meeting ${meetingId}` : `meeting of class ${klass.id}`} />
        <Field
          label="班会名称"
          id="meeting_name"
          required
          error={errors?.meeting_name?.[0]}
          hint={`最多${meetingNameLimit}个字`}
        >
          <input
            id="meeting_name"
            name="meeting_name"
            defaultValue={typed.meeting_name ?? meeting?.meeting_name}
            className={controlClass}
            {...said('meeting_name')}
          />
        </Field>
        <div className={styles.times}>
          <Field
            label="开始时间"
            id="start_time"
            required
            error={errors?.start_time?.[0]}
            {...(hasStarted ? { hint: '班会已开始，不能修改开始时间' } : {})}
          >
            <input
              type="datetime-local"
              id="start_time"
              name="start_time"
              readOnly={hasStarted}
              defaultValue={typed.start_time ?? meeting?.start}
              className={controlClass}
              {...said('start_time')}
            />
          </Field>
          <Field label="结束时间" id="end_time" required error={errors?.end_time?.[0]}>
            <input
              type="datetime-local"
              id="end_time"
              name="end_time"
              defaultValue={typed.end_time ?? meeting?.end}
              className={controlClass}
              {...said('end_time')}
            />
          </Field>
        </div>
        <div className={styles.buttons}>
          <a href={back} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')}>
            保存
          </button>
        </div>
      </form>
    </main>
  );
}
