import { dismissReports, showReportedPost } from '#server/community/reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { confirmDialog } from '../../shell/confirm.tsx';
import { takeForm } from '../../shell/form-action.server.ts';
import { reportDismissal, reportedPost } from '../screens.ts';
import { decidedAlready } from '../terms.ts';
import type { Route } from './+types/dismiss';

const dialog = confirmDialog({
  verb: '驳回',
  kind: '举报',
  question: '该帖子的全部举报一起驳回，帖子照常显示；十分钟内可以撤销。确定驳回吗？',
});

export const meta = dialog.meta;

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, dismissReports);
  const post = await context.get(api).send(showReportedPost, { params: { id: reportedPost.at(url).id } });
  mustBeAllowed(context, decidedAlready(post));
  return { name: `${post.nickname}的帖子，${post.waiting}次`, ...reportDismissal.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeForm(sent, reportDismissal.behind(url), (client, idempotencyKey) =>
    client.ask(dismissReports, { params: { id: reportedPost.at(url).id }, idempotencyKey }),
  );

export default dialog.Confirm;
