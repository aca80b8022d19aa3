import { data } from 'react-router';
import { deleteReportedComment, showReportedPost } from '#server/community/reports.contract.ts';
import { missingComment } from '#server/community/rules.ts';
import { api } from '../../api/client.server.ts';
import { mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { commentDeletion, reportedPost } from '../screens.ts';
import type { Route } from './+types/delete-comment';

const dialog = confirmDialog({ verb: '删除', kind: '评论', question: '删除后不能恢复。确定删除该评论吗？' });

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteReportedComment);
  const { comments } = await context.get(api).send(showReportedPost, { params: { id: reportedPost.at(url).id } });
  const comment = comments.find(({ id }) => id === commentDeletion.at(url).comment);
  if (!comment) throw data({ msg: missingComment }, { status: 404 });
  return { name: `${comment.nickname}：${comment.content}`, ...commentDeletion.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, commentDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deleteReportedComment, {
      params: { id: reportedPost.at(url).id, commentId: commentDeletion.at(url).comment },
      idempotencyKey,
    }),
  );

export default dialog.Confirm;
