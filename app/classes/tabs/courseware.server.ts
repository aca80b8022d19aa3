import type { TabRequest } from './tab.ts';

export async function loadCoursewareTab(_asked: TabRequest) {
  return {};
}
