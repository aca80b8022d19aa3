/** Resets a password. The new password appears only in the response to this form. */
import { faultIfDisabled, outrankedFault, ownPasswordFault } from '#server/account/rules.ts';
import { resetStaffPassword, showStaff } from '#server/account/staff.contract.ts';
import { api } from '../../api/client.server.ts';
import { readButton, readPostedForm, refusedForm } from '../../shell/form-action.server.ts';
import { forbiddenIfFault, requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { signedInPerson } from '../../shell/signed-in.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { staffDetail, staffReset } from '../screens.ts';
import type { Route } from './+types/reset';

export const meta: Route.MetaFunction = () => titleMeta('重置密码');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, resetStaffPassword);
  const { id } = staffDetail.at(url);
  const member = await context.get(api).send(showStaff, { params: { id } });
  const person = signedInPerson(context);
  requireAllowed(context, forbiddenIfFault(outrankedFault(member, person.permissions)));
  requireAllowed(context, ownPasswordFault(id === person.id));
  requireAllowed(context, faultIfDisabled(member));
  return { member, ...staffReset.opened(url) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  readButton(form, '');
  const outcome = await context.get(api).ask(resetStaffPassword, { params: { id: staffDetail.at(url).id } });
  return outcome.ok ? { given: outcome.data } : refusedForm(outcome, form);
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { member, closeHref } = loaderData;
  if (actionData && 'given' in actionData) {
    const { real_name, username, password } = actionData.given;
    return (
      <Dialog title="一次性密码" closeHref={closeHref}>
        <Facts>
          <Fact term="姓名">{real_name}</Fact>
          <Fact term="用户名">{username}</Fact>
          <Fact term="密码">
            <code>{password}</code>
          </Fact>
        </Facts>
        <p>密码只显示这一次，请立即转交本人。首次登录时须改为自己的密码。</p>
        <DialogClose closeHref={closeHref} words="我已记下" tone="primary" />
      </Dialog>
    );
  }
  return (
    <Dialog title={member.is_new === 1 ? '生成初始密码' : '重置密码'} closeHref={closeHref}>
      <p>
        人员：<strong>{member.real_name}</strong>（{member.username}）
      </p>
      <p>
        将生成一个只显示一次的密码，首次登录时须改为自己的密码。
        {member.is_new === 1 ? '之前生成过的初始密码作废。' : '原来的密码作废，所有设备上的登录会立即结束。'}
      </p>
      <DialogForm closeHref={closeHref} refused={actionData} submit="生成密码" />
    </Dialog>
  );
}
