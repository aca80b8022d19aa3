/** CommunityGroupShow: posts of a group (圈子), and a link to leave it. */
import { Button } from '@mantine/core';
import { redirect } from 'react-router';
import { groupPosts as listGroupPosts, showGroup } from '#server/community/contract.ts';
import { api } from '../api/client.server.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { List } from '../ui/list.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/group';
import { GroupImage } from './group-image.tsx';
import styles from './member.posts.module.css';
import { PostCard } from './post-card.tsx';
import { submitPost } from './post-form.server.ts';
import { NewPostForm } from './post-form.tsx';
import {
  communityGroup,
  groupLeave,
  groupPosts,
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

export const meta: Route.MetaFunction = ({ loaderData }) => titleMeta(loaderData?.group.name ?? '圈子');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { place, filter } = groupPosts.at(url);
  const params = { id: place.id };
  const [group, list] = await Promise.all([
    client.send(showGroup, { params }),
    client.send(listGroupPosts, { params, filter }),
  ]);
  // The circle of a class is a tab of the class, so its address here redirects to that tab.
  if (group.group_type === 1) throw redirect(postsHref({ ...group, group_id: group.id }));
  return { group, list, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const id = communityGroup.at(url).id;
  return submitPost({ request, context }, { group_id: id }, communityGroup.href({ id }));
}

export default function CommunityGroupShow({ loaderData, actionData }: Route.ComponentProps) {
  const { group, list, idempotencyKey } = loaderData;
  const view = useAddress(groupPosts);
  const here = communityGroup.href({ id: group.id });
  return (
    <Screen>
      <header className={styles.header}>
        <GroupImage group={group} />
        <div>
          <h1>{group.name}</h1>
          {group.introduction && <p>{group.introduction}</p>}
          <p>
            帖子 {group.post_num} · 成员 {group.user_num}
          </p>
        </div>
        {group.is_can_leave === 1 && (
          <Button component="a" href={groupLeave.href(view.here)} variant="default">
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
              href={postHref(post, 'group', view.here)}
              deleteHref={postDeletion.href(view.here, { post: [post.id] })}
            />
          ))
        }
      />
    </Screen>
  );
}
