/** The tabs of a class, in their order (document 3, section 2), and what their modules are given. */
import { data, type RouterContextProvider } from 'react-router';
import type { ClassDetail } from '#server/classes/contract.ts';
import type { ApiClient } from '../../api.server.ts';
import { listSearch } from '../../lib/search.ts';

export const classTabs = [
  ['students', '学员列表'],
  ['courses', '课程列表'],
  ['homework', '作业列表'],
  ['study', '学习统计'],
  ['courseware', '班级课件'],
  ['calendar', '教学日历'],
  ['leave', '请假管理'],
  ['circle', '班级圈子'],
  ['notice', '公告'],
  ['meeting', '班会'],
] as const;
export type ClassTab = (typeof classTabs)[number][0];

/** An address that names no tab shows the students; one that names an unknown tab too. */
export const classTabOf = (url: URL): ClassTab =>
  classTabs.find(([tab]) => tab === url.searchParams.get('tab'))?.[0] ?? 'students';

/** The class that an address is about; what is no id names no class. */
export function classOf(url: URL): number {
  const id = url.searchParams.get('id') ?? '';
  if (!/^[1-9]\d{0,8}$/.test(id)) throw data({ msg: '班级不存在' }, { status: 404 });
  return Number(id);
}

type Search = Record<string, string | number | undefined>;

/**
 * A tab's filter as search params, for the class itself and for the dialogs over it. `page` and `limit` are left out
 * where they are the usual ones.
 */
export const classSearch = (classId: number, tab: ClassTab, filter: Search = {}, changes: Search = {}): string =>
  listSearch({ id: classId, tab: tab === 'students' ? undefined : tab, ...filter }, changes);

/** The address of a tab of a class. */
export const classAddress = (classId: number, tab: ClassTab, filter: Search = {}, changes: Search = {}): string =>
  `/classes/detail${classSearch(classId, tab, filter, changes)}`;

/** What a tab's loader is given. `tabs/<name>.server.ts` has `load<Name>Tab(asked: TabRequest)`. */
export interface TabRequest {
  client: ApiClient;
  classId: number;
  klass: ClassDetail;
  /** The tab reads its filters from the search params; `id` and `tab` are the screen's. */
  url: URL;
  context: Readonly<RouterContextProvider>;
  /** Unix seconds. */
  now: number;
}

/**
 * What was posted to the tab's own address. `act<Name>Tab(asked: TabPost)` reads the form, ends with `done` (back at
 * the tab with a message) or answers `refused` (the tab again with what was typed).
 */
export interface TabPost extends Omit<TabRequest, 'klass'> {
  request: Request;
}

/** A posted form that was refused, to be shown again. */
export interface TabRefusal {
  msg: string;
  errors?: Record<string, string[]> | undefined;
  typed: readonly (readonly [name: string, value: string])[];
  key?: string | undefined;
}

/** What a tab's view is given: `tabs/<name>.tsx` has `<Name>Tab(props: TabViewProps<typeof load<Name>Tab>)`. */
export interface TabViewProps<Load extends (asked: TabRequest) => Promise<unknown>> {
  data: Awaited<ReturnType<Load>>;
  klass: ClassDetail;
  identity: 'teacher' | 'assist';
  now: number;
  refused: TabRefusal | undefined;
}

/** The class behind a dialog of one of its tabs: `/classes/detail/…` with the search params of the tab. */
export const classScreen = ({ search }: URL): string => `/classes/detail${search}`;
