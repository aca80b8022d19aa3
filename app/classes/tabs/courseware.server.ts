import { redirect } from 'react-router';
import { ClassWareFilter, listClassWares } from '#server/courseware/contract.ts';
import { readSearch } from '../../lib/search.ts';
import { classAddress, type TabRequest } from './tab.ts';

export async function loadCoursewareTab({ client, classId, url }: TabRequest) {
  // Over the list stands the picker, whose page is its own.
  const isCovered = url.pathname.endsWith('/choose');
  const { page, limit } = readSearch(ClassWareFilter, isCovered ? new URLSearchParams() : url.searchParams);
  const wares = await client.send(listClassWares, { query: { class_id: classId, page, limit } });
  // The last page may have been emptied by removing.
  const last = Math.max(1, Math.ceil(wares.total / limit));
  if (page > last) throw redirect(classAddress(classId, 'courseware', { limit }, { page: last }));
  return wares;
}
