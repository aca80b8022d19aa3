/** MemberCommunity: the user's own posts, discussions, favourites and circles. */
import { Alert } from '@mantine/core';
import { type Circle, cancelCollect, listOwnCircles, myPosts, type Post } from '#server/community/contract.ts';
import { api } from '../api/client.server.ts';
import { idempotencyField } from '../lib/form-data.ts';
import { finishForm, malformedForm, readButton, readPostedForm } from '../shell/form-action.server.ts';
import { titleMeta } from '../shell/title.ts';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { RowAction } from '../ui/row-action.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/member';
import { CircleImage } from './circle-image.tsx';
import styles from './member.posts.module.css';
import { PostCard } from './post-card.tsx';
import { communityCircle, memberCommunity, memberLists, postDeletion, postHref } from './screens.ts';
import { type MemberTab, memberTabs } from './terms.ts';

export const meta: Route.MetaFunction = ({ loaderData }) =>
  titleMeta(memberTabs.find(([tab]) => tab === loaderData?.shown.tab)?.[1], '社区');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const { place, filter } = memberLists.at(url);
  const { tab = 0 } = place;
  const idempotencyKey = crypto.randomUUID();
  if (tab === 3) {
    const circles = await client.send(listOwnCircles, { filter: { ...filter, group_type: 2 } });
    return { shown: { tab, circles }, idempotencyKey };
  }
  return { shown: { tab, list: await client.send(myPosts, { filter: { ...filter, tab } }) }, idempotencyKey };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, collectId = ''] = readButton(form, 'uncollect');
  if (!collectId) throw malformedForm();
  const callRequest = { params: { collectId }, idempotencyKey: idempotencyField(form) };
  return finishForm(context, await context.get(api).ask(cancelCollect, callRequest), memberCommunity.here(url), form);
}

export default function MemberCommunity({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, idempotencyKey } = loaderData;
  const view = useAddress(memberLists);
  const frame = { view, nothing: nothing[shown.tab] };
  return (
    <Screen title="社区">
      <Tabs
        label="社区"
        current={String(shown.tab)}
        tabs={memberTabs.map(([value, label]) => ({
          key: String(value),
          label,
          href: memberCommunity.href({ tab: value }),
        }))}
      />
      {actionData && <Alert>{actionData.msg}</Alert>}
      {shown.tab === 3 ? (
        <List {...frame} result={shown.circles} body={(circles) => <Circles circles={circles} />} />
      ) : (
        <List
          {...frame}
          result={shown.list}
          body={(posts) => <Posts posts={posts} view={view} tab={shown.tab} idempotencyKey={idempotencyKey} />}
        />
      )}
    </Screen>
  );
}

const nothing: Record<MemberTab, string> = {
  0: '还没有发布过帖子',
  1: '还没有参与过讨论',
  2: '还没有收藏帖子',
  3: '还没有加入圈子，圈子的成员由教务添加',
};

interface PostsProps {
  posts: Post[];
  view: ReturnType<typeof memberLists.at>;
  tab: 0 | 1 | 2;
  idempotencyKey: string;
}

function Posts({ posts: list, view, tab, idempotencyKey }: PostsProps) {
  return list.map((post) => (
    <PostCard
      key={post.id}
      post={post}
      href={postHref(post, tab, view.with({ tab }))}
      isGroupShown
      actions={
        tab === 2 && (
          <Form idempotencyKey={`${idempotencyKey}-${post.collect_id}`}>
            <RowAction label="取消收藏" recordName={`${post.nickname}的帖子`} intent={`uncollect ${post.collect_id}`} />
          </Form>
        )
      }
      {...(tab === 0 && { deleteHref: postDeletion.href(view.here, { post: [post.id] }) })}
    />
  ));
}

function Circles({ circles }: { circles: Circle[] }) {
  return (
    <ul className={styles.groups}>
      {circles.map((circle) => (
        <li key={circle.id}>
          <CircleImage circle={circle} />
          <div>
            <h2>
              <a href={communityCircle.href({ id: circle.id })}>{circle.name}</a>
            </h2>
            {circle.introduction && <p>{circle.introduction}</p>}
            <p>
              帖子 {circle.post_num} · 成员 {circle.user_num}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
