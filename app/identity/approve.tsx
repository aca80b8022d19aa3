/** Dialog that links a provider's account to a member of staff. */
import { approveLink, showLink } from '#server/identity/contract.ts';
import { decideFault } from '#server/identity/rules.ts';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { formDialog } from '../shell/form-dialog.tsx';
import { linkApprove } from './screens.ts';

const dialog = formDialog({
  call: approveLink,
  at: linkApprove,
  params: (url) => ({ id: linkApprove.at(url).link }),
  title: '关联人员',
  submit: '确定关联',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const link = await client.send(showLink, { params });
  return { link, refusal: decideFault(link) };
});

export const action = dialogAction(dialog);

export default dialog.page<typeof loader>(({ TextField }, { link }) => (
  <>
    <p>
      {link.provider_name}账号：<strong>{link.number}</strong>
      {link.name && `（${link.name}）`}
    </p>
    <p>请当面或电话核实是本人。关联后，该账号以所填人员的身份登录。</p>
    <TextField
      name="username"
      label="人员的用户名"
      description="在“人员”中登记的用户名"
      withAsterisk
      autoComplete="off"
      autoCapitalize="none"
    />
  </>
));
