import { Textarea } from '@mantine/core';
import { data } from 'react-router';
import { missingStudent } from '#server/classes/rules.ts';
import { maxListLimit } from '#server/platform/calls/fields.ts';
import { evaluateStudent, scheduleDetail, sessionStudents } from '#server/sessions/contract.ts';
import { evaluationFault, evaluationLimit } from '#server/sessions/rules.ts';
import { api } from '../api/client.server.ts';
import { readForm } from '../lib/form-data.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/evaluate';
import { evaluate, sessionScreens } from './screens.ts';
import styles from './session.posts.module.css';

export const meta: Route.MetaFunction = () => titleMeta('评价学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id } = sessionScreens.at(url);
  const client = context.get(api);
  // `scheduleDetail` is for lecturers only, because only lecturers write evaluations.
  const [session, { list }] = await Promise.all([
    client.send(scheduleDetail, { params: { id } }),
    client.send(sessionStudents, { params: { id }, query: { limit: maxListLimit } }),
  ]);
  const student = list.find((one) => one.id === evaluate.at(url).student);
  if (!student) throw data({ msg: missingStudent }, { status: 404 });
  const fault = evaluationFault(session, student);
  requireAllowed(context, fault);
  return { student, fault, ...evaluate.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, evaluate.behind(url), (client, idempotencyKey, form) =>
    client.ask(evaluateStudent, {
      params: { id: evaluate.at(url).student },
      body: readForm(evaluateStudent, form),
      idempotencyKey,
    }),
  );

const { CountedText, DialogForm } = formOf<typeof evaluateStudent>();

export default function Evaluate({
  loaderData: { student, fault, closeHref, idempotencyKey },
  actionData,
}: Route.ComponentProps) {
  const typed = new Map(actionData?.typed).get('remark');
  return (
    <Dialog title="评价学员" closeHref={closeHref} message={fault && (actionData?.msg ?? fault)}>
      <p>
        学员：<strong>{student.clue_name}</strong>。评价提交后不能修改。
      </p>
      {student.teacher_remark !== '' && <p className={styles.kept}>{student.teacher_remark}</p>}
      {fault === undefined ? (
        <DialogForm
          closeHref={closeHref}
          idempotencyKey={idempotencyKey}
          refused={actionData}
          submit="提交"
          noValidate
          draft={`evaluation ${student.id}`}
        >
          <CountedText label="评价内容" name="remark" limit={evaluationLimit} />
        </DialogForm>
      ) : (
        <>
          {/* Shows a typed text that can no longer be sent, so that it can be copied. */}
          {typed !== undefined && <Textarea id="remark" label="评价内容" defaultValue={typed} readOnly rows={4} />}
          <DialogClose closeHref={closeHref} words="返回" />
        </>
      )}
    </Dialog>
  );
}
