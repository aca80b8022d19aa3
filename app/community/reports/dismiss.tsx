import { dismissReports, showReportedPost } from '#server/community/reports.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { reportDismissal, reportedPost } from '../screens.ts';
import { decidedMessage } from '../terms.ts';

const dialog = confirmDialog({
  call: dismissReports,
  at: reportDismissal,
  params: reportedPost.at,
  verb: '驳回',
  kind: '举报',
  question: '该帖子的全部举报一起驳回，帖子照常显示；十分钟内可以撤销。确定驳回吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const post = await client.send(showReportedPost, { params });
  return { name: `${post.nickname}的帖子，${post.waiting}次`, refusal: decidedMessage(post) };
});

export const action = dialogAction(dialog);

export default dialog.Page;
