/** The announcements of a class. */
import { listNotices } from '#server/notices/contract.ts';
import { redirectToLastPage } from '../../lib/last-page.server.ts';
import { classAddress, type TabRequest } from './tab.ts';

export async function loadNoticeTab({ client, classId, url }: TabRequest) {
  const page = url.searchParams.get('page') ?? undefined;
  const notices = await client.send(listNotices, { query: { class_id: classId, page } });
  redirectToLastPage(notices, (number) => classAddress(classId, 'notice', { page: number }));
  // Only what the list shows: the contents may be long.
  return { ...notices, list: notices.list.map(({ content: _, ...row }) => row) };
}
