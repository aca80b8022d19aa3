/** AddClassMeeting: form that adds or edits a meeting of a class. */
import { Button } from '@mantine/core';
import { showClass } from '#server/classes/contract.ts';
import { createMeeting, editMeeting, showMeeting } from '#server/meetings/contract.ts';
import { arrangeFault, editFault } from '#server/meetings/rules.ts';
import { api } from '../api/client.server.ts';
import { classManage, classMeetings } from '../classes/screens.ts';
import { localValue } from '../lib/dates.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { readLocalTime } from '../lib/zoned.ts';
import { finishForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { forbiddenIfFault, requireAllowed } from '../shell/permissions.server.ts';
import { signedInPerson } from '../shell/signed-in.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form, Submit } from '../ui/form.tsx';
import { Hydrated } from '../ui/hydrated.tsx';
import { Screen } from '../ui/screen.tsx';
import type { Route } from './+types/arrange';
import styles from './meeting.posts.module.css';
import { MeetingFields } from './meeting-fields.tsx';
import { readMeeting } from './read-meeting.ts';
import { meetingForm } from './screens.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '班会' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.meeting ? '编辑班会' : '添加班会');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const { class_id, id } = meetingForm.at(url);
  const meeting = id ? await client.send(showMeeting, { params: { id } }) : undefined;
  const classId = meeting?.class_id ?? class_id ?? 0;
  const theClass = await client.send(showClass, { params: { id: classId } });
  requireAllowed(context, forbiddenIfFault(arrangeFault(theClass.is_header_teacher === 1, meeting ? '编辑' : '创建')));
  requireAllowed(context, meeting && editFault(meeting));
  return {
    theClass,
    meetingId: meeting && id,
    meeting: meeting && {
      live_status: meeting.live_status,
      meeting_name: meeting.meeting_name,
      start: localValue(meeting.start_time, timezone),
      end: localValue(meeting.end_time, timezone),
    },
    back: classMeetings.href({ id: theClass.id }),
    idempotencyKey: crypto.randomUUID(),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const { timezone } = signedInPerson(context).settings;
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const idempotencyKey = idempotencyField(form);
  const written = readMeeting(form, (text) => readLocalTime(text, timezone));
  const { class_id, id } = meetingForm.at(url);
  const outcome = id
    ? await client.ask(editMeeting, { params: { id }, body: written, idempotencyKey })
    : await client.ask(createMeeting, { body: { ...written, class_id }, idempotencyKey });
  return finishForm(context, outcome, classMeetings.href({ id: class_id ?? 0 }), form);
}

export default function AddClassMeeting({ loaderData, actionData }: Route.ComponentProps) {
  const { theClass, meetingId, meeting, back, idempotencyKey } = loaderData;
  return (
    <Screen>
      <Form
        action={meetingForm.href({ class_id: theClass.id, id: meetingId })}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        checked
        draft={meetingId ? `meeting ${meetingId}` : `meeting of class ${theClass.id}`}
        className={styles.form}
      >
        <h1>
          {meeting ? '编辑班会' : '添加班会'}：{theClass.class_name}
        </h1>
        <Hydrated
          name="meeting-fields.island"
          component={MeetingFields}
          props={{
            refused: actionData,
            values: { meeting_name: meeting?.meeting_name, start_time: meeting?.start, end_time: meeting?.end },
            hasStarted: meeting?.live_status === 2,
          }}
        />
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
