import { ClassHomeworkFilter, listClassHomework } from '#server/homework/contract.ts';
import { pageOf, redirectToLastPage } from '../../lib/last-page.server.ts';
import { readSearch } from '../../lib/search.ts';
import type { TabRequest } from './tab.ts';

export async function loadHomeworkTab({ client, classId, url }: TabRequest) {
  const filter = readSearch(ClassHomeworkFilter, url.searchParams);
  const homework = await client.send(listClassHomework, { params: { classId }, query: filter });
  redirectToLastPage(homework, pageOf(url));
  return { filter, homework };
}
