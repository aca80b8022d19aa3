import { endClient, showClient } from '#server/oneroster/contract.ts';
import { clientEndFault } from '#server/oneroster/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { clientEnd } from './screens.ts';

const dialog = confirmDialog({
  call: endClient,
  at: clientEnd,
  params: (url) => ({ id: clientEnd.at(url).client }),
  verb: '停用',
  kind: '对接系统',
  question: '停用后，该系统立即不能再读取数据，不能恢复，确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const system = await client.send(showClient, { params });
  return { name: system.name, refusal: clientEndFault(system) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
