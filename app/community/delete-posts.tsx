/**
 * Dialog that confirms the deletion of posts. It opens over a list of posts or over one post; `post` in the address has
 * the ids.
 */
import { deletePosts, showPost } from '#server/community/contract.ts';
import { deletedFault } from '#server/community/rules.ts';
import { api } from '../api/client.server.ts';
import { handleForm } from '../shell/form-action.server.ts';
import { requireAllowed } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Dialog, DialogClose, DialogForm } from '../ui/dialog.tsx';
import type { Route } from './+types/delete-posts';
import styles from './post.posts.module.css';
import { postDeletion } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('删除帖子');

const idsOf = (url: URL) => postDeletion.at(url).post;

export async function loader({ context, url }: Route.LoaderArgs) {
  const ids = idsOf(url);
  const tooMany = deletedFault(ids);
  requireAllowed(context, tooMany === undefined ? null : { code: 422, msg: tooMany });
  if (ids.length === 0) return postDeletion.opened(url);
  const client = context.get(api);
  const posts = await Promise.all(ids.map((id) => client.send(showPost, { params: { id }, query: { limit: 1 } })));
  for (const { refusals } of posts) requireAllowed(context, refusals.delete);
  const post = posts[0] as (typeof posts)[number];
  const { nickname, content } = post;
  const beginning = [...content].length > 80 ? `${[...content].slice(0, 80).join('')}…` : content;
  return {
    nickname,
    beginning,
    count: ids.length,
    ...postDeletion.opened(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handleForm(sent, postDeletion.at(url).to ?? postDeletion.behind(url), (client, idempotencyKey) =>
    client.ask(deletePosts, { params: { id: idsOf(url).join(',') }, idempotencyKey }),
  );

export default function DeletePosts({ loaderData, actionData }: Route.ComponentProps) {
  if (!('nickname' in loaderData)) return <NothingChosen closeHref={loaderData.closeHref} />;
  const { nickname, beginning, count, closeHref, idempotencyKey } = loaderData;
  return (
    <Dialog title="删除帖子" closeHref={closeHref}>
      <p>{count > 1 ? `${nickname}等共 ${count} 条帖子：` : `${nickname}的帖子：`}</p>
      <p className={styles.quoted}>{beginning}</p>
      <p>帖子删除后不可恢复，确定删除吗？</p>
      <DialogForm
        closeHref={closeHref}
        idempotencyKey={idempotencyKey}
        refused={actionData}
        submit="确定删除"
        tone="danger"
      />
    </Dialog>
  );
}

function NothingChosen({ closeHref }: { closeHref: string }) {
  return (
    <Dialog title="删除帖子" closeHref={closeHref}>
      <p>请选择要删除的帖子</p>
      <DialogClose closeHref={closeHref} words="返回" tone="primary" />
    </Dialog>
  );
}
