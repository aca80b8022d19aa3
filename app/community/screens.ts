/** Addresses of the community screens. The address of a post includes where it was opened from. */
import { CircleFilter, CircleMemberFilter } from '#server/community/circles.contract.ts';
import type { Post } from '#server/community/contract.ts';
import { ReportedFilter } from '#server/community/reports.contract.ts';
import {
  communityPageSize,
  missingCircle,
  missingComment,
  missingPost,
  missingReported,
} from '#server/community/rules.ts';
import { pageOnly, SearchId, SearchIds, SearchText, searchOneOf, searchWord } from '#server/platform/calls/fields.ts';
import { classCircle, classDetail } from '../classes/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import { ReturnAddress, ScreenId } from '../lib/search.ts';
import { type MemberTab, memberTabs } from './terms.ts';

const missing = { missing: missingPost };
const Tab = searchOneOf(memberTabs.map(([tab]) => tab));

export const memberCommunity = screen('MemberCommunity', '/community', 'member', { tab: Tab });
export const memberLists = listScreen(memberCommunity, pageOnly(communityPageSize));

/** Shows a post that was opened from the user's own lists or from its circle. */
export const communityPost = screen(
  'CommunityShow',
  '/community/show/:id',
  'show',
  {
    group_id: SearchId,
    routeName: searchWord(['MemberCommunity', 'CommunityGroupShow']),
    routeLabel: SearchText,
    tab: Tab,
    back: ReturnAddress,
  },
  missing,
);
export const communityComments = listScreen(communityPost, pageOnly());

export const classCirclePost = screen(
  'CommunityDetail',
  '/community/detail',
  'detail',
  { id: ScreenId, group_id: SearchId, type: searchOneOf([1]), back: ReturnAddress },
  missing,
);
export const classCircleComments = listScreen(classCirclePost, pageOnly());
export const postScreens = screenGroup(communityPost, classCirclePost);
export const postReport = dialog(postScreens, 'report', 'report');

export const communityCircle = screen(
  'CommunityGroupShow',
  '/community/group/:id',
  'circle',
  {},
  { missing: missingCircle, files: true },
);
export const communityCirclePosts = listScreen(communityCircle, pageOnly(communityPageSize));
export const communityCircleLeave = dialog(communityCircle, 'leave', 'leave');

/**
 * Dialog that deletes posts. It opens over every screen that shows posts. `to`: address to go to afterwards, if the
 * screen below disappears together with its post.
 */
export const postDeletion = dialog(
  screenGroup(communityCircle, classDetail, memberCommunity, communityPost, classCirclePost),
  'delete-posts',
  'delete-posts',
  { post: SearchIds, to: ReturnAddress },
);

type InCircle = Pick<Post, 'group_id' | 'group_type' | 'class_id'>;

/**
 * Link to a post. `from`: the tab of the user's own lists from which it opens; otherwise it opens from its circle.
 * `back`: address of the current list.
 */
export function postHref(
  { id, group_id }: Pick<Post, 'id' | 'group_id'>,
  from: MemberTab | 'circle',
  back: AddressOf<typeof memberCommunity | typeof communityCircle>,
): string {
  if (from === 'circle') {
    return communityPost.href({ id, group_id, routeName: 'CommunityGroupShow', routeLabel: '圈子', back });
  }
  const routeLabel = memberTabs[from][1];
  return communityPost.href({ id, group_id, routeName: 'MemberCommunity', routeLabel, tab: from, back });
}

/** Address of the posts of a circle. A class's circle is a tab of the class. */
export const postsHref = ({
  group_id,
  group_type,
  class_id,
}: InCircle): AddressOf<typeof communityCircle | typeof classDetail> =>
  group_type === 1 ? classCircle.href({ id: class_id }) : communityCircle.href({ id: group_id });

/** Address of the page of the list from which a post was opened; without one, the address of its circle. */
export function postBackHref(
  {
    routeName,
    tab = 0,
    back,
  }: { routeName?: string | undefined; tab?: MemberTab | undefined; back: string | undefined },
  post: InCircle & Pick<Post, 'group_name'>,
): { label: string; href: string } {
  if (routeName !== 'MemberCommunity') return { label: post.group_name, href: back ?? postsHref(post) };
  return { label: memberTabs[tab][1], href: back ?? memberCommunity.href({ tab }) };
}

export const circleScreen = screen('AdminCircles', '/admin/circles', 'circles/list');
export const circleList = listScreen(circleScreen, CircleFilter);
export const circleAdd = dialog(circleScreen, 'add', 'circles/add');
export const circleDetail = screen(
  'AdminCircleDetail',
  '/admin/circles/detail',
  'circles/detail',
  { id: ScreenId },
  { missing: missingCircle },
);
export const circleMembers = listScreen(circleDetail, CircleMemberFilter);
export const circleEdit = dialog(circleDetail, 'edit', 'circles/edit');
export const circleArchive = dialog(circleDetail, 'put-away', 'circles/archive');
export const circleRestore = dialog(circleDetail, 'restore', 'circles/restore');
export const circleAddClass = dialog(circleDetail, 'class', 'circles/add-class');
export const circleAddPeople = dialog(circleDetail, 'people', 'circles/add-people');

const reported = { missing: missingReported };
export const reportedPosts = screen('AdminReports', '/admin/waiting/posts', 'reports/list');
export const reportedList = listScreen(reportedPosts, ReportedFilter);
export const reportedPost = screen(
  'AdminReportDetail',
  '/admin/waiting/posts/detail',
  'reports/detail',
  { id: ScreenId },
  reported,
);
export const reportedDeletion = dialog(reportedPost, 'delete', 'reports/delete');
export const reportDismissal = dialog(reportedPost, 'dismiss', 'reports/dismiss');
export const commentDeletion = dialog(
  reportedPost,
  'comment/:comment',
  'reports/delete-comment',
  {},
  { missing: missingComment },
);
