import { ClassHomeworkFilter, listClassHomework } from '#server/homework/contract.ts';
import { readSearch } from '../../lib/search.ts';
import type { TabRequest } from './tab.ts';

export async function loadHomeworkTab({ client, classId, url }: TabRequest) {
  const filter = readSearch(ClassHomeworkFilter, url.searchParams);
  return { filter, homework: await client.send(listClassHomework, { params: { classId }, query: filter }) };
}
