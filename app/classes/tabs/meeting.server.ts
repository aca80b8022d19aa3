/** The meetings of a class. */
import { listMeetings } from '#server/meetings/contract.ts';
import { redirectToLastPage } from '../../lib/last-page.server.ts';
import { classAddress, type TabRequest } from './tab.ts';

export async function loadMeetingTab({ client, classId, url }: TabRequest) {
  const meetings = await client.send(listMeetings, {
    params: { classId },
    query: { page: url.searchParams.get('page') ?? undefined },
  });
  redirectToLastPage(meetings, (page) => classAddress(classId, 'meeting', { page }));
  return meetings;
}
