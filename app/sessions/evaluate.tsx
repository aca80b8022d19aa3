/** A lecturer evaluates a student of a lesson: `/sessions/class/evaluate/:student?id=` (document 3, section 5). */
import { data } from 'react-router';
import { evaluateStudent, evaluationLimit, sessionStudents } from '#server/sessions/contract.ts';
import { api } from '../api.server.ts';
import { behindDialog, done, idempotencyField, refused } from '../shell/dialog-action.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { CountedText } from '../ui/counted-text.tsx';
import { Dialog, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/evaluate';

export const handle: ScreenHandle = { hydrate: true, dialog: true };

export const meta: Route.MetaFunction = () => [{ title: '评价学员 · 教学后台' }];

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = url.searchParams.get('id') ?? '';
  const { list } = await context.get(api).send(sessionStudents, { params: { id }, query: { limit: 999_999 } });
  const student = list.find((one) => one.id === Number(params.student));
  if (!student) throw data({ msg: '学员不存在' }, { status: 404 });
  return { student, back: behindDialog(url), key: crypto.randomUUID() };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const form = await request.formData();
  const outcome = await context.get(api).ask(evaluateStudent, {
    params: { id: params.student },
    body: { remark: String(form.get('remark') ?? '').replaceAll('\r\n', '\n') },
    idempotencyKey: idempotencyField(form),
  });
  return outcome.ok ? done(context, outcome.msg, behindDialog(url)) : refused(outcome, form);
}

export default function Evaluate({ loaderData: { student, back, key }, actionData }: Route.ComponentProps) {
  const error = actionData?.errors?.remark?.[0];
  return (
    <Dialog title="评价学员" closeHref={back} message={error ? undefined : actionData?.msg}>
      <p>
        学员：<strong>{student.clue_name}</strong>。评价提交后不能修改。
      </p>
      <DialogForm closeHref={back} idempotencyKey={actionData?.key ?? key} submit="提交" noValidate>
        <CountedText
          label="评价内容"
          name="remark"
          limit={evaluationLimit}
          defaultValue={new Map(actionData?.typed).get('remark') ?? student.teacher_remark}
          error={error}
        />
      </DialogForm>
    </Dialog>
  );
}
