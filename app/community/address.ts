/** The addresses of the community, and the way back that a post's address names. */
import { searchOf } from '../lib/search.ts';
import { type MemberTab, memberTabs } from './terms.ts';

/** A post of a class, opened from its circle. */
export const circlePostAddress = (post: { id: number; group_id: number }): string =>
  `/community/detail${searchOf({ id: post.id, group_id: post.group_id, type: 1 })}`;

/** A post, opened from one's own lists (`tab`) or from its group. */
export function postAddress(post: { id: number; group_id: number }, from: { tab: MemberTab } | 'group'): string {
  const back =
    from === 'group'
      ? { routeName: 'CommunityGroupShow', routeLabel: '圈子' }
      : { routeName: 'MemberCommunity', routeLabel: memberTabs[from.tab][1], tab: from.tab };
  return `/community/show/${post.id}${searchOf({ group_id: post.group_id, ...back })}`;
}

/** Where a group's posts are: those of a circle in its class. */
export const groupAddress = (group: { group_id: number; group_type: number; class_id: number }): string =>
  group.group_type === 1 ? `/classes/detail?id=${group.class_id}&tab=circle` : `/community/group/${group.group_id}`;

/** The dialog that deletes posts, over the list that they are in. */
export function deleteAddress(
  group: { group_id: number; group_type: number; class_id: number },
  postId: number,
  page?: number,
): string {
  const more = searchOf({ page: page === 1 ? undefined : page, post: postId });
  return group.group_type === 1
    ? `/classes/detail/delete-posts${searchOf({ id: group.class_id, tab: 'circle', page: page === 1 ? undefined : page, post: postId })}`
    : `/community/group/${group.group_id}/delete-posts${more}`;
}

/** The list that a post was opened from: `routeName` and `tab` of its address, else its group. */
export function wayBack(
  search: URLSearchParams,
  post: { group_id: number; group_type: number; class_id: number; group_name: string },
): { label: string; href: string } {
  const tab = memberTabs.find(([value]) => String(value) === search.get('tab'));
  if (search.get('routeName') === 'MemberCommunity') {
    return { label: tab?.[1] ?? '社区', href: `/community?tab=${tab?.[0] ?? 0}` };
  }
  return { label: post.group_name, href: groupAddress(post) };
}
