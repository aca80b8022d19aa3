/** CommunityGroupShow (document 3, section 2): `/community/group/:id`, the posts of a group, and leaving it. */
import { redirect, useOutlet } from 'react-router';
import { communityPageSize, groupPosts, showGroup } from '#server/community/contract.ts';
import { api } from '../api.server.ts';
import { redirectToLastPage } from '../lib/last-page.server.ts';
import { listSearch } from '../lib/search.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass } from '../ui/button.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/group';
import { deleteAddress, groupAddress, postAddress } from './address.ts';
import { GroupImage } from './group-image.tsx';
import styles from './member.module.css';
import posts from './post.module.css';
import { PostCard } from './post-card.tsx';
import { takePost } from './post-form.server.ts';
import { PostForm } from './post-form.tsx';

export const handle: ScreenHandle = {
  crumbs: [
    { label: '社区', href: '/community' },
    { label: '我加入的圈子', href: '/community?tab=3' },
    { label: '圈子详情' },
  ],
};

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.group.name ?? '圈子'} · 教学后台` },
];

const addressOf = (id: number, page = 1): string => `/community/group/${id}${listSearch({ page })}`;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const page = url.searchParams.get('page') ?? undefined;
  const [group, list] = await Promise.all([
    client.send(showGroup, { params: { id: params.id } }),
    client.send(groupPosts, { params: { id: params.id }, query: { page, limit: communityPageSize } }),
  ]);
  // A circle is shown in its class.
  if (group.group_type === 1) throw redirect(groupAddress({ ...group, group_id: group.id }));
  redirectToLastPage(list, (number) => addressOf(group.id, number));
  return { group, list, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const id = Number(params.id);
  return takePost({ request, context }, { group_id: id }, addressOf(id));
}

export default function CommunityGroupShow({ loaderData, actionData }: Route.ComponentProps) {
  const { group, list, idempotencyKey } = loaderData;
  const timezone = useTimezone();
  const dialog = useOutlet();
  return (
    <>
      {/* With a dialog open, the group behind it is out of reach. */}
      <main inert={dialog !== null}>
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
            <a href={`/community/group/${group.id}/leave`} className={buttonClass('plain')}>
              退出圈子
            </a>
          )}
        </header>
        <PostForm action={addressOf(group.id)} idempotencyKey={idempotencyKey} refused={actionData} />
        <h2 className={styles.listTitle}>全部帖子</h2>
        {list.list.length === 0 && <p className={posts.empty}>还没有帖子</p>}
        {list.list.map((post) => (
          <PostCard
            key={post.id}
            post={post}
            href={postAddress(post, 'group')}
            timezone={timezone}
            actions={post.is_can_delete === 1 && <a href={deleteAddress(post, post.id, list.page)}>删除</a>}
          />
        ))}
        {list.total > communityPageSize && <Pager {...list} href={(number) => addressOf(group.id, number)} />}
      </main>
      {dialog}
    </>
  );
}
