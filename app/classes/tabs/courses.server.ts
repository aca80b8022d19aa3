import { listClassCourses } from '#server/classes/contract.ts';
import type { TabRequest } from './tab.ts';

/** All of them: cards have no pager (document 3, section 9). */
export const loadCoursesTab = ({ client, classId }: TabRequest) =>
  client.send(listClassCourses, { query: { class_id: classId, limit: 999_999 } });
