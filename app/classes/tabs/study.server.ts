import type { TabRequest } from './tab.ts';

export async function loadStudyTab(_asked: TabRequest) {
  return {};
}
