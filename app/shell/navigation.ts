/** The way between the screens. What a person cannot use is not offered. */

import type { Me } from '#server/account/sign-in.contract.ts';
import { teachCalendar } from '../calendar/screens.ts';
import { classManage } from '../classes/screens.ts';
import { memberCommunity } from '../community/screens.ts';
import { wareLibrary } from '../courseware/screens.ts';
import { examManage } from '../exams/screens.ts';
import { teamManage } from '../group-classes/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import { sessionManage } from '../sessions/screens.ts';

export interface NavigationItem {
  label: string;
  href: string;
  only?: Me['identity'];
  /** Left out where it is always offered. */
  offered?: (me: Me) => boolean;
}

export const navigation: NavigationItem[] = [
  { label: '作业管理', href: homeworkManage.path },
  { label: '考试管理', href: examManage.href() },
  { label: '班级管理', href: classManage.href() },
  { label: '教学日历', href: teachCalendar.href() },
  { label: '团课管理', href: teamManage.href(), only: 'assist' },
  { label: '我的排课', href: sessionManage.href() },
  { label: '课件库', href: wareLibrary.href() },
  { label: '社区', href: memberCommunity.path, offered: ({ settings }) => settings.community_module },
];

/** Whether an address belongs to an item: its own, and what stands below it. */
export const isWithin = (address: string, href: string): boolean => `${address.split('?')[0]}/`.startsWith(`${href}/`);

export const identityNames: Record<Me['identity'], string> = { teacher: '讲师', assist: '助教' };
