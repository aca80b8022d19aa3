/** A post in the circle of a class: the route CommunityDetail. */
import { classManage } from '../classes/screens.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/detail';
import { handlePostButtons, loadPost } from './post-page.server.ts';
import { PostPage } from './post-page.tsx';
import { classCircleComments } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '班级管理', href: classManage.href() }, { label: '帖子详情' }],
};

export const meta: Route.MetaFunction = () => titleMeta('帖子详情');

export function loader({ context, url }: Route.LoaderArgs) {
  const view = classCircleComments.at(url);
  return loadPost(context, view.place.id, view.filter, view.place);
}

export function action({ context, url, request }: Route.ActionArgs) {
  const view = classCircleComments.at(url);
  return handlePostButtons({ context, request, postId: view.place.id, backTo: view.page(1) });
}

export default function CirclePost({ loaderData, actionData }: Route.ComponentProps) {
  const view = useAddress(classCircleComments);
  return <PostPage {...loaderData} view={view} refused={actionData} />;
}
