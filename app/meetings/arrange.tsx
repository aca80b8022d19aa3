/** AddClassMeeting (document 3, section 2): `/classes/meeting?class_id=`, with `id` to edit. */
import { data } from 'react-router';
import { isRunning, showClass } from '#server/classes/contract.ts';
import { createMeeting, editMeeting, meetingNameLimit, showMeeting } from '#server/meetings/contract.ts';
import { api } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { localValue } from '../lib/dates.ts';
import { readLocalTime } from '../lib/zoned.ts';
import { done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { buttonClass } from '../ui/button.tsx';
import { controlClass, Field } from '../ui/field.tsx';
import type { Route } from './+types/arrange';
import styles from './meeting.module.css';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '班会' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.meeting ? '编辑班会' : '添加班会'} · 教学后台` },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const id = url.searchParams.get('id');
  const meeting = id ? await client.send(showMeeting, { params: { id } }) : undefined;
  const classId = meeting?.class_id ?? url.searchParams.get('class_id') ?? '0';
  const klass = await client.send(showClass, { params: { id: classId } });
  if (klass.is_header_teacher === 0) {
    throw data({ msg: meeting ? '只有班主任可以编辑班会' : '只有班主任可以创建班会' }, { status: 403 });
  }
  if (!meeting && !isRunning(klass, Math.floor(Date.now() / 1000)))
    throw data({ msg: '班级已结束，不能创建班会' }, { status: 409 });
  if (meeting?.live_status === 3) throw data({ msg: '班会已结束，不能编辑' }, { status: 409 });
  return {
    klass,
    meeting: meeting && {
      live_status: meeting.live_status,
      meeting_name: meeting.meeting_name,
      start: localValue(meeting.start_time, timezone),
      end: localValue(meeting.end_time, timezone),
    },
    back: classAddress(klass.id, 'meeting'),
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
  const id = url.searchParams.get('id');
  const outcome = id
    ? await client.ask(editMeeting, { params: { id }, body: written, idempotencyKey })
    : await client.ask(createMeeting, {
        body: { ...written, class_id: url.searchParams.get('class_id') ?? undefined },
        idempotencyKey,
      });
  if (outcome.ok) return done(context, outcome.msg, classAddress(Number(text('class_id')), 'meeting'));
  return refused(outcome, form);
}

export default function AddClassMeeting({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, meeting, back, idempotencyKey } = loaderData;
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
