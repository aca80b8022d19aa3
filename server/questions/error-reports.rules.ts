/** Outcomes and messages of reported mistakes. */

export const missingErrorReport = '纠错不存在';

/** Decision about a reported mistake: 1 question corrected, 2 answered, 3 dismissed. */
export const errorReportOutcomes = [1, 2, 3] as const;

export type ErrorReportOutcome = (typeof errorReportOutcomes)[number];

export const errorReportOutcomeNames = { 1: '已更正', 2: '已回复', 3: '已驳回' } as const;

/** Maximum characters of the reply to a reported mistake. */
export const replyLimit = 500;

export const replyMessages = {
  outcome: '请选择回复或驳回',
  reply: '请输入回复内容',
  replyLength: `回复内容不能超过${replyLimit}个字`,
  gone: '题目已删除，不能更正，可以回复或驳回',
} as const;

/** Why a report cannot be decided. `decided`: who decided it and when, as text. */
export const errorReportFault = (report: {
  outcome: ErrorReportOutcome | null;
  decided: string;
}): string | undefined =>
  report.outcome === null ? undefined : `该纠错已由${report.decided}处理：${errorReportOutcomeNames[report.outcome]}`;

/** Says in which running homework and exams the question is. They keep their own version of it. */
export function correctedQuestionEffect(uses: { homework: number; students: number; exams: number }): string {
  const { homework, students, exams } = uses;
  const parts = [
    homework > 0 && `${homework}份未截止的作业（${students}名学员）`,
    exams > 0 && `${exams}场未结束的考试`,
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join('和')}用了这道题，保留原来的内容；以后布置的用更正后的题目` : '';
}
