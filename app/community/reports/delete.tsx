import { deleteReportedPost, showReportedPost } from '#server/community/reports.contract.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { reportedDeletion, reportedPost } from '../screens.ts';
import { decidedMessage } from '../terms.ts';

const dialog = confirmDialog({
  call: deleteReportedPost,
  at: reportedDeletion,
  params: reportedPost.at,
  verb: '删除',
  kind: '帖子',
  question: '删除后圈子里不再显示，十分钟内可以撤销。确定删除吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, params }) => {
  const post = await client.send(showReportedPost, { params });
  return {
    name: `${post.nickname}的帖子，${post.reports}次举报`,
    effect: post.effect,
    refusal: decidedMessage(post),
  };
});

export const action = dialogAction(dialog);

export default dialog.Page;
