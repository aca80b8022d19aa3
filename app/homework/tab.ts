/** The tabs of HomeworkManage and their addresses. */
import { listSearch } from '../lib/search.ts';

const tabNames = ['main', 'approve', 'ques'] as const;
export type TabName = (typeof tabNames)[number];
export const isTabName = (name: unknown): name is TabName => tabNames.includes(name as TabName);

/** A tab's filter as search params; the tab is always named, since the unnamed one is each person's own. */
export function tabSearch(
  tab: TabName,
  filter: Record<string, string | number | undefined>,
  changes: Record<string, string | number | undefined> = {},
): string {
  return listSearch({ tab, ...filter }, changes);
}
