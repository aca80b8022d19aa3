/** The way between the screens. What a person cannot use is not offered. */

import type { Me } from '#server/account/sign-in.contract.ts';
import type { Counts } from '#server/workbench/contract.ts';
import { staffScreen } from '../account/screens.ts';
import { teachCalendar } from '../calendar/screens.ts';
import { classManage } from '../classes/screens.ts';
import { memberCommunity } from '../community/screens.ts';
import { wareLibrary } from '../courseware/screens.ts';
import { examManage } from '../exams/screens.ts';
import { teamManage } from '../group-classes/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import { sessionManage } from '../sessions/screens.ts';
import { administration, home } from './screens.ts';

export interface NavigationItem {
  label: string;
  screen: { href(): string; covers(address: string): boolean };
  only?: Me['identity'];
  /** Left out where it is always offered. */
  offered?: (me: Me) => boolean;
  /** What waits there, and what one of it is called. */
  waits?: readonly [count: keyof Counts | 'total', what: string];
}

export const waitingAtAll = '项待办';

/** What is counted, and all of it together; nothing where it is not known. */
export function waitingOf({ corrections, exams, leave }: Counts = { corrections: 0, exams: 0, leave: 0 }) {
  return { corrections, exams, leave, total: corrections + exams + leave };
}

const teaching: NavigationItem[] = [
  { label: '工作台', screen: home, waits: ['total', waitingAtAll] },
  { label: '作业管理', screen: homeworkManage, waits: ['corrections', '份作业待批改'] },
  { label: '考试管理', screen: examManage, waits: ['exams', '份试卷待批改'] },
  { label: '班级管理', screen: classManage, waits: ['leave', '条请假待审批'] },
  { label: '教学日历', screen: teachCalendar },
  { label: '团课管理', screen: teamManage, only: 'assist' },
  { label: '我的排课', screen: sessionManage },
  { label: '课件库', screen: wareLibrary },
  { label: '社区', screen: memberCommunity, offered: ({ settings }) => settings.community_module },
];

const permitted =
  (permission: Me['permissions'][number]) =>
  ({ permissions }: Me): boolean =>
    permissions.includes(permission);

const administering: NavigationItem[] = [
  {
    label: '管理首页',
    // All other screens of administrators lie below its address.
    screen: {
      href: administration.href,
      covers: (address) => administration.isAlone(new URL(address, 'http://screen')),
    },
  },
  { label: '人员', screen: staffScreen, offered: permitted('people') },
];

/** What a person is offered. */
export const navigationFor = (me: Me): NavigationItem[] =>
  (me.identity === 'admin' ? administering : teaching).filter(
    ({ only, offered }) => (only === undefined || only === me.identity) && offered?.(me) !== false,
  );

/** Where a person begins. */
export const homeOf = (me: Me | undefined) => (me?.identity === 'admin' ? administration : home);
