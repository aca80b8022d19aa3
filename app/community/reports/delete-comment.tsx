import { data } from 'react-router';
import { deleteReportedComment, showReportedPost } from '#server/community/reports.contract.ts';
import { missingComment } from '#server/community/rules.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { dialogAction, dialogLoader } from '../../shell/form-dialog.server.ts';
import { commentDeletion, reportedPost } from '../screens.ts';

const dialog = confirmDialog({
  call: deleteReportedComment,
  at: commentDeletion,
  params: (url) => ({ id: reportedPost.at(url).id, commentId: commentDeletion.at(url).comment }),
  verb: '删除',
  kind: '评论',
  question: '删除后不能恢复。确定删除该评论吗？',
});

export const meta = dialog.meta;

export const loader = dialogLoader(dialog, async ({ client, url }) => {
  const { comments } = await client.send(showReportedPost, { params: { id: reportedPost.at(url).id } });
  const comment = comments.find(({ id }) => id === commentDeletion.at(url).comment);
  if (!comment) throw data({ msg: missingComment }, { status: 404 });
  return { name: `${comment.nickname}：${comment.content}` };
});

export const action = dialogAction(dialog);

export default dialog.Page;
