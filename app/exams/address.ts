/** The addresses of ExamDetail: its tabs with their filters. */
import { searchOf } from '../lib/search.ts';

export const detailTabs = ['paper', 'score', 'student', 'question'] as const;
export type DetailTab = (typeof detailTabs)[number];
export const detailTabNames: Record<DetailTab, string> = {
  paper: '试卷管理',
  score: '成绩统计',
  student: '学员统计',
  question: '题目统计',
};

export const readTab = (text: string | null): DetailTab => detailTabs.find((tab) => tab === text) ?? 'paper';

/** The first tab and what is usual are left out. */
export function detailHref(
  id: number,
  tab: DetailTab,
  search: Record<string, string | number | undefined> = {},
): string {
  return `/exams/detail${searchOf({
    id,
    tab: tab === 'paper' ? undefined : tab,
    ...search,
    page: search.page === 1 ? undefined : search.page,
    limit: search.limit === 20 ? undefined : search.limit,
  })}`;
}

export const previewHref = (id: number) => `/exams/preview?id=${id}`;
export const approveHref = (reportId: number) => `/exams/approve?report_id=${reportId}`;
export const sheetHref = (reportId: number) => `/exams/approve/view?report_id=${reportId}`;
