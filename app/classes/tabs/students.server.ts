import type { TabRequest } from './tab.ts';

export async function loadStudentsTab(_asked: TabRequest) {
  return {};
}
