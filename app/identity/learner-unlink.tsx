import { showLearnerLink, unlinkLearner } from '#server/identity/learner-links.contract.ts';
import { unlinkFault } from '#server/identity/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { learnerLinkRemove } from './screens.ts';
import { accountName } from './terms.ts';

const dialog = confirmDialog({
  call: unlinkLearner,
  at: learnerLinkRemove,
  params: (url) => ({ id: learnerLinkRemove.at(url).link }),
  verb: '解除',
  kind: '登录关联',
  question: '解除后，用该账号的登录立即结束；再次登录时要等教务确认。确定解除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const link = await client.send(showLearnerLink, { params });
  return { name: accountName(link), refusal: unlinkFault(link, '学员') };
});

export const action = dialogAction(dialog);

export default dialog.Page;
