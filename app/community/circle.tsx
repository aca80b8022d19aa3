/** CommunityCircle: posts of a circle (圈子), and a link to leave it. */
import { Button } from '@mantine/core';
import { redirect } from 'react-router';
import { listCirclePosts as listGroupPosts, showOwnCircle } from '#server/community/contract.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/circle';
import { CircleImage } from './circle-image.tsx';
import styles from './member.posts.module.css';
import { PostCard } from './post-card.tsx';
import { submitPost } from './post-form.server.ts';
import { NewPostForm } from './post-form.tsx';
import {
  communityCircle,
  communityCircleLeave,
  communityCirclePosts,
  memberCommunity,
  postDeletion,
  postHref,
  postsHref,
} from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '社区', href: memberCommunity.href() },
    { label: '我加入的圈子', href: memberCommunity.href({ tab: 3 }) },
    { label: '圈子详情' },
  ],
};

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.circle.name ?? '圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { place, filter } = communityCirclePosts.at(url);
  const params = { id: place.id };
  const [circle, list] = await Promise.all([
    client.send(showOwnCircle, { params }),
    client.send(listGroupPosts, { params, filter }),
  ]);
  // The circle of a class is a tab of the class, so its address here redirects to that tab.
  if (circle.group_type === 1) throw redirect(postsHref({ ...circle, group_id: circle.id }));
  return { circle, list, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const id = communityCircle.at(url).id;
  return submitPost({ request, context }, { group_id: id }, communityCircle.href({ id }));
}

export default function CommunityCircle({ loaderData, actionData }: Route.ComponentProps) {
  const { circle, list, idempotencyKey } = loaderData;
  const view = useAddress(communityCirclePosts);
  const here = communityCircle.href({ id: circle.id });
  return (
    <Screen>
      <header className={styles.header}>
        <CircleImage circle={circle} />
        <div>
          <h1>{circle.name}</h1>
          {circle.introduction && <p>{circle.introduction}</p>}
          <p>
            帖子 {circle.post_num} · 成员 {circle.user_num}
          </p>
        </div>
        {circle.is_can_leave === 1 && (
          <Button component="a" href={communityCircleLeave.href(view.here)} variant="default">
            退出圈子
          </Button>
        )}
      </header>
      <NewPostForm action={here} idempotencyKey={idempotencyKey} refused={actionData} />
      <h2 className={styles.listTitle}>全部帖子</h2>
      <List
        view={view}
        result={list}
        nothing="还没有帖子"
        body={(rows) =>
          rows.map((post) => (
            <PostCard
              key={post.id}
              post={post}
              href={postHref(post, 'circle', view.here)}
              deleteHref={postDeletion.href(view.here, { post: [post.id] })}
            />
          ))
        }
      />
    </Screen>
  );
}
