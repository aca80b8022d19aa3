import type { TabRequest } from './tab.ts';

export async function loadLeaveTab(_asked: TabRequest) {
  return {};
}
