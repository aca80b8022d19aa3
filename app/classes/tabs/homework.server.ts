import type { TabRequest } from './tab.ts';

export async function loadHomeworkTab(_asked: TabRequest) {
  return {};
}
