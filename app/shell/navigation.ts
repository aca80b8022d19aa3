/** The way between the screens. What a person cannot use is not offered. */
import type { Me } from '#server/auth/contract.ts';

export interface NavigationItem {
  label: string;
  href: string;
  /** Addresses that belong to it. */
  match: RegExp;
  only?: Me['identity'];
  /** Left out where it is always offered. */
  offered?: (me: Me) => boolean;
}

export const navigation: NavigationItem[] = [
  { label: '作业管理', href: '/homework', match: /^\/homework(\/|\?|$)/ },
  { label: '考试管理', href: '/exams', match: /^\/exams(\/|\?|$)/ },
  { label: '班级管理', href: '/classes', match: /^\/classes(\/|\?|$)/ },
  { label: '教学日历', href: '/calendar', match: /^\/calendar(\/|\?|$)/ },
  { label: '团课管理', href: '/curriculum', match: /^\/curriculum(\/|\?|$)/, only: 'assist' },
  { label: '我的排课', href: '/sessions', match: /^\/sessions(\/|\?|$)/ },
  { label: '课件库', href: '/courseware', match: /^\/courseware(\/|\?|$)/ },
  {
    label: '社区',
    href: '/community',
    match: /^\/community(\/|\?|$)/,
    offered: ({ settings }) => settings.community_module,
  },
];

export const identityNames: Record<Me['identity'], string> = { teacher: '讲师', assist: '助教' };
