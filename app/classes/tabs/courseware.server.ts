import { ClassWareFilter, listClassWares } from '#server/courseware/contract.ts';
import { readSearch } from '../../lib/search.ts';
import type { TabRequest } from './tab.ts';

export async function loadCoursewareTab({ client, classId, url }: TabRequest) {
  const { page, limit } = readSearch(ClassWareFilter, url.searchParams);
  return client.send(listClassWares, { query: { class_id: classId, page, limit } });
}
