/** Entries of the navigation. Screens that the user may not use are left out. */

import type { Me } from '#server/account/sign-in.contract.ts';
import { importPermissions } from '#server/import/rules.ts';
import type { Counts } from '#server/workbench/contract.ts';
import { staffScreen } from '../account/screens.ts';
import { teachCalendar } from '../calendar/screens.ts';
import { catalogue } from '../catalogue/screens.ts';
import { adminClasses, classManage } from '../classes/screens.ts';
import { circleScreen, memberCommunity, reportedPosts } from '../community/screens.ts';
import { courseScreen } from '../courses/screens.ts';
import { materialLibrary } from '../courseware/screens.ts';
import { adminExams, examManage } from '../exams/screens.ts';
import { adminTeams, teamManage } from '../group-classes/screens.ts';
import { historyScreen } from '../history/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import { identityScreen } from '../identity/screens.ts';
import { importScreen } from '../import/screens.ts';
import { pathOf } from '../lib/link.ts';
import { bankScreen, errorReportInbox, pointScreen } from '../questions/screens.ts';
import { schoolScreen } from '../schools/screens.ts';
import { adminLessons, handoutReview, sessionManage } from '../sessions/screens.ts';
import {
  backups,
  clientsScreen,
  holidays,
  jobsScreen,
  settings,
  systemScreen,
  tokensScreen,
} from '../settings/screens.ts';
import { studentScreen } from '../students/screens.ts';
import { importRollOver } from '../year-rollover/screens.ts';
import { administration, home } from './screens.ts';

export interface NavigationItem {
  label: string;
  screen: { href(): string; covers(address: string): boolean };
  only?: Me['identity'];
  /** True if the entry is shown to the user. Without this function it is always shown. */
  offered?: (me: Me) => boolean;
  /** Name of the entry's pending count, and the unit of the count. */
  waits?: readonly [count: keyof Counts | 'total', what: string];
  /** Set for entries that are rarely needed. They move under 更多 if the line is full. */
  further?: true;
}

export const totalWaitingUnit = '项待办';

/** Adds the total to the counts. All are 0 if the counts are unknown. */
export function pendingCounts({ corrections, exams, leave }: Counts = { corrections: 0, exams: 0, leave: 0 }) {
  return { corrections, exams, leave, total: corrections + exams + leave };
}

const teaching: NavigationItem[] = [
  { label: '工作台', screen: home, waits: ['total', totalWaitingUnit] },
  { label: '作业管理', screen: homeworkManage, waits: ['corrections', '份作业待批改'] },
  { label: '考试管理', screen: examManage, waits: ['exams', '份试卷待批改'] },
  { label: '班级管理', screen: classManage, waits: ['leave', '条请假待审批'] },
  { label: '教学日历', screen: teachCalendar },
  { label: '团课管理', screen: teamManage, only: 'assist' },
  { label: '我的排课', screen: sessionManage },
  { label: '课件库', screen: materialLibrary },
  { label: '社区', screen: memberCommunity, offered: ({ settings }) => settings.community_module },
];

const hasPermission =
  (permission: Me['permissions'][number]) =>
  ({ permissions }: Me): boolean =>
    permissions.includes(permission);

/** Entries of administrators, ordered by use: people, teaching, settings. */
const administering: NavigationItem[] = [
  {
    label: '管理首页',
    // Matches only the start page and the inboxes (which have no entries), because the addresses of all administrators'
    // screens lie below the start page.
    screen: {
      href: administration.href,
      covers: (address) =>
        administration.isAlone(new URL(address, 'http://screen')) ||
        [handoutReview, errorReportInbox, reportedPosts].some((screen) => screen.covers(address)),
    },
  },
  { label: '学员', screen: studentScreen, offered: hasPermission('people') },
  { label: '人员', screen: staffScreen, offered: hasPermission('people') },
  { label: '课程', screen: courseScreen, offered: hasPermission('teaching') },
  { label: '班级', screen: adminClasses, offered: hasPermission('teaching') },
  { label: '团课与一对一', screen: adminTeams, offered: hasPermission('teaching') },
  { label: '排课', screen: adminLessons, offered: hasPermission('teaching') },
  { label: '考试', screen: adminExams, offered: hasPermission('exams') },
  { label: '题库', screen: bankScreen, offered: hasPermission('teaching'), further: true },
  {
    label: '基础资料',
    screen: {
      href: () => catalogue.href(),
      covers: (address) => catalogue.covers(address) || pointScreen.covers(address),
    },
    offered: hasPermission('teaching'),
    further: true,
  },
  {
    label: '圈子',
    screen: circleScreen,
    offered: (me) => me.settings.community_module && me.permissions.includes('teaching'),
    further: true,
  },
  {
    label: '导入和导出',
    screen: {
      href: () => importScreen.href(),
      covers: (address) => importScreen.covers(address) && !importRollOver.covers(address),
    },
    offered: (me) => importPermissions.some((permission) => me.permissions.includes(permission)),
    further: true,
  },
  { label: '学期更替', screen: importRollOver, offered: hasPermission('teaching'), further: true },
  { label: '学校', screen: schoolScreen, offered: hasPermission('settings'), further: true },
  { label: '操作记录', screen: historyScreen, offered: hasPermission('audit'), further: true },
  {
    label: '设置',
    screen: {
      // Administrators of some schools see only tokens and holidays on this screen.
      href: () => settings.href(),
      covers: (address) =>
        [settings, tokensScreen, clientsScreen, holidays, backups, jobsScreen, systemScreen, identityScreen].some(
          (screen) => screen.covers(address),
        ),
    },
    offered: hasPermission('settings'),
    further: true,
  },
];

/** Maximum number of entries in the line. */
const inLine = 9;

/** Returns the user's entries: `places` in the line, `further` under 更多. */
export function navigationFor(me: Me): { places: NavigationItem[]; further: NavigationItem[] } {
  const offered = (me.identity === 'admin' ? administering : teaching).filter(
    (item) => (item.only === undefined || item.only === me.identity) && item.offered?.(me) !== false,
  );
  if (offered.length <= inLine) return { places: offered, further: [] };
  return { places: offered.filter(({ further }) => !further), further: offered.filter(({ further }) => further) };
}

/** Returns the entry that an address belongs to. Undefined if the address is the entry's own. */
export function parentPlace(me: Me, address: string): { label: string; href: string } | undefined {
  const { places, further } = navigationFor(me);
  const item = [...places, ...further].find(({ screen }) => screen.covers(address));
  if (!item || item.screen === startScreenOf(me)) return undefined;
  const href = item.screen.href();
  return pathOf(href) === pathOf(address) ? undefined : { label: item.label, href };
}

export const startScreenOf = (me: Me | undefined) => (me?.identity === 'admin' ? administration : home);
