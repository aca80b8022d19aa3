/** Breadcrumbs of the analysis screens. They start at the homework list or at the classes. */
import { classManage } from '../classes/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import type { Crumb } from '../shell/frame.tsx';
import { classHomeworkDetail, detailScreens, homeworkDetail } from './screens.ts';

const fromHomework = { label: '作业管理', href: homeworkManage.href() };

export const detailCrumbs = (pathname: string): Crumb[] => [
  detailScreens.of(pathname) === classHomeworkDetail ? { label: '班级管理', href: classManage.href() } : fromHomework,
  { label: '作业详情' },
];

/** Breadcrumbs of a screen below the homework's detail. They link to the detail of the same homework and class. */
export const crumbsTo =
  (label: string) =>
  (_pathname: string, search: URLSearchParams): Crumb[] => {
    // The address may be invalid here: breadcrumbs are built for error pages too.
    const id = (name: string) => Number(search.get(name)) || 0;
    const from = search.get('from') === 'arrange' ? 'arrange' : undefined;
    const detail = homeworkDetail.href({ hw_id: id('hw_id'), class_id: id('class_id'), from });
    return [fromHomework, { label: '作业详情', href: detail }, { label }];
  };
