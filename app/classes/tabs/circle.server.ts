/** The circle of a class: its posts, and publishing one with pictures. */
import { classPosts } from '#server/community/contract.ts';
import { takePost } from '../../community/post-form.server.ts';
import { redirectToLastPage } from '../../lib/last-page.server.ts';
import { classAddress, type TabPost, type TabRequest } from './tab.ts';

export async function loadCircleTab({ client, classId, url }: TabRequest) {
  const posts = await client.send(classPosts, {
    params: { classId },
    query: { page: url.searchParams.get('page') ?? undefined },
  });
  redirectToLastPage(posts, (page) => classAddress(classId, 'circle', { page }));
  return { posts, idempotencyKey: crypto.randomUUID() };
}

export const actCircleTab = ({ request, context, classId }: TabPost) =>
  takePost({ request, context }, { class_id: classId }, classAddress(classId, 'circle'));
