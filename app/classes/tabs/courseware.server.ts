import { ClassWareFilter, listClassWares } from '#server/courseware/contract.ts';
import { redirectToLastPage } from '../../lib/last-page.server.ts';
import { readSearch } from '../../lib/search.ts';
import { classAddress, type TabRequest } from './tab.ts';

export async function loadCoursewareTab({ client, classId, url }: TabRequest) {
  // Over the list stands the picker, whose page is its own.
  const isCovered = url.pathname.endsWith('/choose');
  const { page, limit } = readSearch(ClassWareFilter, isCovered ? new URLSearchParams() : url.searchParams);
  const wares = await client.send(listClassWares, { query: { class_id: classId, page, limit } });
  redirectToLastPage(wares, (number) => classAddress(classId, 'courseware', { limit }, { page: number }));
  return wares;
}
