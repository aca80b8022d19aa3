/** The addresses of the analysis of one homework: what is looked at is in the search params (document 2, section 2). */
import { searchOf } from '../lib/search.ts';

export const tabs = [0, 1, 2, 3] as const;
export type Tab = (typeof tabs)[number];

export const tabNames: Record<Tab, string> = { 0: '提交详情', 1: '题目分析', 2: '成绩单', 3: '成绩分布' };

/** What is looked at; kept by every link of the screens. */
export interface Place {
  /** Of the list view: /homework/detail or /classes/homework. */
  base: string;
  hwId: number;
  /** 0 for all classes. */
  classId: number;
  /** The homework of a scheduled lesson. */
  arranged: boolean;
}

type Search = Record<string, string | number | undefined>;

/** `hw_id`, `class_id` and `from`, as every screen of the analysis takes them. */
export const placeSearch = ({ hwId, classId, arranged }: Place): Search => ({
  hw_id: hwId,
  class_id: classId,
  from: arranged ? 'arrange' : undefined,
});

/** How a tab is shown; the list is left out of addresses. */
export type View = 'list' | 'grid' | 'chart';

/** An address of the detail screen. */
export const detailHref = (place: Place, tab: Tab, more: Search = {}, view: View = 'list'): string =>
  place.base + detailSearch(place, tab, more, view);

export const detailSearch = (place: Place, tab: Tab, more: Search = {}, view: View = 'list'): string =>
  searchOf({
    ...placeSearch(place),
    tab: tab === 0 ? undefined : tab,
    view: view === 'list' ? undefined : view,
    ...more,
  });

/** Of a screen that belongs to the same homework and class. */
export const placeHref = (path: string, place: Place, more: Search = {}): string =>
  path + searchOf({ ...placeSearch(place), ...more });
