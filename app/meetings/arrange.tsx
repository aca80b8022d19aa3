/** AddClassMeeting: a meeting of a class is arranged, or changed. */
import { Button } from '@mantine/core';
import { showClass } from '#server/classes/contract.ts';
import { createMeeting, editMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault, editFault, meetingMessages, meetingNameLimit } from '#server/meetings/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage, classMeetings } from '../classes/screens.ts';
import { localValue } from '../lib/dates.ts';
import { readLocalTime } from '../lib/zoned.ts';
import { forbiddenBy, mustBeAllowed } from '../shell/allowed.server.ts';
import { ended, idempotencyField, readForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titled } from '../shell/title.ts';
import { Submit } from '../ui/form.tsx';
import { formOf } from '../ui/form-of.ts';
import { Screen } from '../ui/screen.tsx';
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
  const idempotencyKey = idempotencyField(form);
  const typed = readForm(createMeeting, form);
  const written = {
    meeting_name: typed.meeting_name,
    start_time: readLocalTime(typed.start_time, timezone),
    end_time: readLocalTime(typed.end_time, timezone),
  };
  const { class_id, id } = meetingForm.at(url);
  const outcome = id
    ? await client.ask(editMeeting, { params: { id }, body: written, idempotencyKey })
    : await client.ask(createMeeting, { body: { ...written, class_id }, idempotencyKey });
  return ended(context, outcome, classMeetings.href({ id: Number(typed.class_id) }), form);
}

const { DateTimeField, Form, TextField } = formOf<typeof createMeeting>();

export default function AddClassMeeting({ loaderData, actionData }: Route.ComponentProps) {
  const { klass, meetingId, meeting, back, idempotencyKey } = loaderData;
  const hasStarted = meeting?.live_status === 2;
  return (
    <Screen>
      <Form
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ meeting_name: meeting?.meeting_name, start_time: meeting?.start, end_time: meeting?.end }}
        draft={meetingId ? `meeting ${meetingId}` : `meeting of class ${klass.id}`}
        className={styles.form}
      >
        <h1>
          {meeting ? '编辑班会' : '添加班会'}：{klass.class_name}
        </h1>
        <input type="hidden" name="class_id" value={klass.id} />
        <TextField name="meeting_name" label="班会名称" withAsterisk description={`最多${meetingNameLimit}个字`} />
        <div className={styles.times}>
          <DateTimeField
            name="start_time"
            label="开始时间"
            withAsterisk
            readOnly={hasStarted}
            description={hasStarted && meetingMessages.started}
          />
          <DateTimeField name="end_time" label="结束时间" withAsterisk />
        </div>
        <div className={styles.buttons}>
          <Button component="a" href={back} variant="default">
            取消
          </Button>
          <Submit>保存</Submit>
        </div>
      </Form>
    </Screen>
  );
}
