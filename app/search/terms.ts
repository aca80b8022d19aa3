import type { SearchKind } from '#server/search/rules.ts';

/** Name and measure word of each kind of result. */
export const kindNames: Record<SearchKind, readonly [name: string, unit: string]> = {
  students: ['学员', '名'],
  classes: ['班级', '个'],
  courses: ['课程', '门'],
  homework: ['作业', '份'],
  exams: ['考试', '场'],
  questions: ['我的题目', '道'],
  publicQuestions: ['公共题库', '道'],
  notices: ['公告', '条'],
};
