import { ClassStudentFilter, inClass, listClassStudents } from '#server/classes/contract.ts';
import { pageOf, redirectToLastPage } from '../../lib/last-page.server.ts';
import { isUsuallyOn, readSearch } from '../../lib/search.ts';
import type { TabRequest } from './tab.ts';

/** `onlyIn` is the box 仅展示在班人员: on unless the address says otherwise, and then the status is 1. */
export async function loadStudentsTab({ client, classId, url }: TabRequest) {
  const { class_id: _, ...asked } = readSearch(ClassStudentFilter, url.searchParams);
  const onlyIn = isUsuallyOn(url.searchParams, 'only_in');
  const filter = { ...asked, status: onlyIn ? inClass : asked.status };
  const students = await client.send(listClassStudents, { query: { ...filter, class_id: classId } });
  redirectToLastPage(students, pageOf(url));
  return { filter, onlyIn, students };
}
