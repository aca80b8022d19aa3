/** The way to the screens of the analysis: from the homework list, or from the classes. */
import { searchOf } from '../lib/search.ts';
import type { Crumb } from '../shell/frame.tsx';

const start = (pathname: string): Crumb =>
  pathname.startsWith('/classes/') ? { label: '班级管理', href: '/classes' } : { label: '作业管理', href: '/homework' };

export const detailCrumbs = (pathname: string): Crumb[] => [start(pathname), { label: '作业详情' }];

/** Of a screen that lies behind the detail: the way leads back to the detail of the same homework and class. */
export const crumbsTo =
  (label: string) =>
  (_pathname: string, search: URLSearchParams): Crumb[] => {
    const [hw_id, class_id, from] = ['hw_id', 'class_id', 'from'].map((name) => search.get(name) ?? undefined);
    return [
      { label: '作业管理', href: '/homework' },
      { label: '作业详情', href: `/homework/detail${searchOf({ hw_id, class_id, from })}` },
      { label },
    ];
  };
