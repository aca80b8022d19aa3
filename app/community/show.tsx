/** A post that was opened from the user's own lists or from its circle: the route CommunityShow. */
import type { ScreenHandle } from '../shell/frame.tsx';
import { titleMeta } from '../shell/title.ts';
import { useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/show';
import { handlePostButtons, loadPost } from './post-page.server.ts';
import { PostPage } from './post-page.tsx';
import { communityComments, communityPost, memberCommunity } from './screens.ts';

export const handle: ScreenHandle = {
  crumbs: [{ label: '社区', href: memberCommunity.href() }, { label: '帖子详情' }],
};

export const meta: Route.MetaFunction = () => titleMeta('帖子详情');

export function loader({ context, url }: Route.LoaderArgs) {
  const view = communityComments.at(url);
  return loadPost(context, view.place.id, view.filter, view.place);
}

export const action = ({ context, url, request }: Route.ActionArgs) =>
  handlePostButtons({ context, request, postId: communityPost.at(url).id, backTo: communityComments.at(url).page(1) });

export default function CommunityPost({ loaderData, actionData }: Route.ComponentProps) {
  const view = useAddress(communityComments);
  return <PostPage {...loaderData} view={view} refused={actionData} />;
}
