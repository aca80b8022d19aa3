/** The way to the screens of the analysis: from the homework list, or from the classes. */
import type { Crumb } from '../shell/frame.tsx';

const start = (pathname: string): Crumb =>
  pathname.startsWith('/classes/') ? { label: '班级管理', href: '/classes' } : { label: '作业管理', href: '/homework' };

export const detailCrumbs = (pathname: string): Crumb[] => [start(pathname), { label: '作业详情' }];

/** Of a screen that lies behind the detail. */
export const crumbsTo = (label: string) => (): Crumb[] => [{ label: '作业管理', href: '/homework' }, { label }];
