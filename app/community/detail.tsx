/** CommunityDetail (document 3, section 2): `/community/detail?id&group_id&type=1`, a post of the circle of a class. */
import type { ScreenHandle } from '../shell/frame.tsx';
import type { Route } from './+types/detail';
import { actOnPost, loadPost } from './post-page.server.ts';
import { PostPage } from './post-page.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '帖子详情' }] };

export const meta: Route.MetaFunction = () => [{ title: '帖子详情 · 教学后台' }];

const postIdOf = (url: URL) => url.searchParams.get('id') ?? '0';

export const loader = ({ context, url }: Route.LoaderArgs) => loadPost({ context, url, postId: postIdOf(url) });

export const action = ({ context, url, request }: Route.ActionArgs) =>
  actOnPost({ context, url, postId: postIdOf(url), request });

export default function CommunityDetail({ loaderData, actionData }: Route.ComponentProps) {
  return <PostPage {...loaderData} refused={actionData} />;
}
