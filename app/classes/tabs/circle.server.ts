import type { TabRequest } from './tab.ts';

export async function loadCircleTab(_asked: TabRequest) {
  return {};
}
