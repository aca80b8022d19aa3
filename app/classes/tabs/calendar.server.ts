import type { TabRequest } from './tab.ts';

export async function loadCalendarTab(_asked: TabRequest) {
  return {};
}
