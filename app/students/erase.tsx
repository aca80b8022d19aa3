import { eraseStudent, foreseeErasure } from '#server/personal/contract.ts';
import { becomesNames } from '#server/personal/rules.ts';
import { api } from '../api/client.server.ts';
import { textOf } from '../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../shell/allowed.server.ts';
import { takeForm } from '../shell/form-action.server.ts';
import { titled } from '../shell/title.ts';
import { Dialog } from '../ui/dialog.tsx';
import { formOf } from '../ui/form-of.ts';
import type { Route } from './+types/erase';
import { studentErase, studentRecord } from './screens.ts';
import styles from './students.module.css';

export const meta: Route.MetaFunction = () => titled('注销学员');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, eraseStudent);
  const { id } = studentRecord.at(url);
  const foreseen = await context.get(api).send(foreseeErasure, { params: { id } });
  mustBeAllowed(context, foreseen.fault || undefined);
  const asked = foreseen.confirmation === String(id) ? '编号' : '学号';
  return { foreseen, asked, ...studentErase.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, studentErase.behind(url), (client, idempotencyKey, form) =>
    client.ask(eraseStudent, {
      params: { id: studentRecord.at(url).id },
      body: { confirmation: textOf(form, 'confirmation') },
      idempotencyKey,
    }),
  );

const { DialogForm, TextField } = formOf<typeof eraseStudent>();

export default function EraseStudent({ loaderData, actionData }: Route.ComponentProps) {
  const { foreseen, asked, closeHref, idempotencyKey } = loaderData;
  const { nickname, confirmation, leaving, counts } = foreseen;
  return (
    <Dialog title="注销学员个人信息" closeHref={closeHref}>
      <p>
        学员：<strong>{nickname}</strong>
      </p>
      {leaving && (
        <p>
          <strong>{leaving}。</strong>
        </p>
      )}
      <p>
        注销后，姓名、手机号、头像、写下的文字、上传的图片和短信都会删除，成绩、考勤和统计以“已注销学员”和原来的学号保留。
        <strong>注销后不能恢复。</strong>
      </p>
      <details className={styles.going}>
        <summary>涉及{counts.reduce((sum, { count }) => sum + count, 0)}条记录</summary>
        <ul>
          {counts.map(({ table, name, becomes, count }) => (
            <li key={table}>
              {name}：{count}条，{becomesNames[becomes]}
            </li>
          ))}
        </ul>
      </details>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ confirmation: '' }}
        submit="确定注销"
        tone="danger"
      >
        <TextField
          name="confirmation"
          label={`请输入该学员的${asked} ${confirmation} 以确认`}
          withAsterisk
          autoComplete="off"
        />
      </DialogForm>
    </Dialog>
  );
}
