import type { TabRequest } from './tab.ts';

export async function loadCoursesTab(_asked: TabRequest) {
  return {};
}
