import { rejectLearnerLink, showLearnerLink } from '#server/identity/learner-links.contract.ts';
import { rejectFault } from '#server/identity/rules.ts';
import { confirmDialog } from '../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../shell/form-dialog.server.ts';
import { learnerLinkReject } from './screens.ts';
import { accountName } from './terms.ts';

const dialog = confirmDialog({
  call: rejectLearnerLink,
  at: learnerLinkReject,
  params: (url) => ({ id: learnerLinkReject.at(url).link }),
  verb: '拒绝',
  kind: '登录申请',
  question: '拒绝后，该账号不能登录学员端；以后仍可在这里关联。确定拒绝吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const link = await client.send(showLearnerLink, { params });
  return { name: accountName(link), refusal: rejectFault(link, '学员') };
});

export const action = dialogAction(dialog);

export default dialog.Page;
