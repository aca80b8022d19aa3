import type { TabRequest } from './tab.ts';

export async function loadNoticeTab(_asked: TabRequest) {
  return {};
}
