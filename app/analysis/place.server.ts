/** Reads what an address looks at; whatever is no id names no homework. */
import { data } from 'react-router';
import { type Place, type Tab, tabs, type View } from './address.ts';

const isId = (text: string) => /^[1-9]\d{0,9}$/.test(text);

export function placeOf(url: URL): Place {
  const hwId = url.searchParams.get('hw_id') ?? '';
  const classId = url.searchParams.get('class_id') || '0';
  if (!isId(hwId)) throw data({ msg: '作业不存在' }, { status: 404 });
  if (classId !== '0' && !isId(classId)) throw data({ msg: '班级不存在' }, { status: 404 });
  return {
    base: url.pathname.startsWith('/classes/') ? '/classes/homework' : '/homework/detail',
    hwId: Number(hwId),
    classId: Number(classId),
    arranged: url.searchParams.get('from') === 'arrange',
  };
}

/** Unknown tabs are the first one. */
export const tabOf = (url: URL): Tab => tabs.find((tab) => String(tab) === url.searchParams.get('tab')) ?? 0;

/** The grid of the question analysis and of the transcript, the chart of the distribution; else the list. */
export function viewOf(url: URL, tab: Tab): View {
  const view = url.searchParams.get('view');
  if (view === 'grid' && (tab === 1 || tab === 2)) return view;
  return view === 'chart' && tab === 3 ? view : 'list';
}
