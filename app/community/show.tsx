/** CommunityShow (document 3, section 2): `/community/show/:id?group_id&routeName&routeLabel&tab`. */
import type { ScreenHandle } from '../shell/frame.tsx';
import type { Route } from './+types/show';
import { actOnPost, loadPost } from './post-page.server.ts';
import { PostPage } from './post-page.tsx';

export const handle: ScreenHandle = { crumbs: [{ label: '社区', href: '/community' }, { label: '帖子详情' }] };

export const meta: Route.MetaFunction = () => [{ title: '帖子详情 · 教学后台' }];

export const loader = ({ context, url, params }: Route.LoaderArgs) => loadPost({ context, url, postId: params.id });

export const action = ({ context, url, params, request }: Route.ActionArgs) =>
  actOnPost({ context, url, postId: params.id, request });

export default function CommunityShow({ loaderData, actionData }: Route.ComponentProps) {
  return <PostPage {...loaderData} refused={actionData} />;
}
