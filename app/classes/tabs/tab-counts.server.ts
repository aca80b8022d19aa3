/** Counts beside the labels of the tabs, such as how many leaves wait for a decision; 0 and undefined show nothing. */
import type { ClassTab, TabRequest } from './tab.ts';

export async function tabCounts(_asked: TabRequest): Promise<Partial<Record<ClassTab, number>>> {
  return {};
}
