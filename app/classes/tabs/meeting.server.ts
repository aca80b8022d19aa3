import type { TabRequest } from './tab.ts';

export async function loadMeetingTab(_asked: TabRequest) {
  return {};
}
