import { deleteReportedPost, showReportedPost } from '#server/community/reports.contract.ts';
import { api } from '../../api/client.server.ts';
import { textOf } from '../../lib/form-data.ts';
import { mustBeAllowed, mustBePermitted } from '../../shell/allowed.server.ts';
import { takeEdit } from '../../shell/form-action.server.ts';
import { titled } from '../../shell/title.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formOf } from '../../ui/form-of.ts';
import { HiddenField } from '../../ui/hidden-fields.tsx';
import { reportedDeletion, reportedPost } from '../screens.ts';
import { decidedAlready } from '../terms.ts';
import type { Route } from './+types/delete';

export const meta: Route.MetaFunction = () => titled('删除帖子');

export async function loader({ context, url }: Route.LoaderArgs) {
  mustBePermitted(context, deleteReportedPost);
  const post = await context.get(api).send(showReportedPost, { params: { id: reportedPost.at(url).id } });
  mustBeAllowed(context, decidedAlready(post));
  return { post, ...reportedDeletion.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  takeEdit(sent, reportedDeletion.behind(url), (client, idempotencyKey, form) =>
    client.ask(deleteReportedPost, {
      params: { id: reportedPost.at(url).id },
      body: { acknowledged: textOf(form, 'acknowledged') },
      idempotencyKey,
    }),
  );

const { DialogForm } = formOf<typeof deleteReportedPost>();

export default function DeleteReported({ loaderData, actionData }: Route.ComponentProps) {
  const { post, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="删除帖子" closeHref={closeHref}>
      <p>
        {post.nickname}的帖子，{post.reports}次举报。
      </p>
      {post.effect && (
        <p>
          <strong>{post.effect}。</strong>
        </p>
      )}
      <p>删除后圈子里不再显示，十分钟内可以撤销。确定删除吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        values={{ acknowledged: post.effect }}
        submit="确定删除"
        tone="danger"
      >
        <HiddenField name="acknowledged" />
      </DialogForm>
    </Dialog>
  );
}
