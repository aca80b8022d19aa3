import { tokenEndFault } from '#server/learners/rules.ts';
import { endToken, showToken } from '#server/learners/tokens.contract.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { tokenEnd } from './screens.ts';

const dialog = confirmDialog({
  call: endToken,
  at: tokenEnd,
  params: (url) => ({ id: tokenEnd.at(url).token }),
  verb: '停用',
  kind: '令牌',
  question: '停用后，使用该令牌的应用立即不能再调用接口，不能恢复，确定停用吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const token = await client.send(showToken, { params });
  return { name: token.name, refusal: tokenEndFault(token) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
