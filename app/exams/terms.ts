import { audiences, classesSentence, type ExamState, examStates } from '#server/exams/rules.ts';

export { formatTimeLimit as limitText } from '#server/exams/rules.ts';

/** Formats seconds as whole minutes, also above an hour. */
export const formatUsedTime = (seconds: number): string => `${Math.floor(seconds / 60)}分钟`;

export const publishStatusNames = { 1: '已发布', 2: '未发布' } as const;
export const publishStatusChoices = [
  [1, '已发布'],
  [2, '未发布'],
] as const;

export const testStatusNames = { 2: '待批改', 3: '已批改' } as const;
export const testStatusChoices = [
  [2, '待批改'],
  [3, '已批改'],
] as const;

/** Names of the exam result; 0: not graded yet. */
export const passNames = { 0: '-', 1: '及格', 2: '不及格' } as const;
export const passChoices = [
  [1, '及格'],
  [2, '不及格'],
] as const;

export const yesNoNames = { 0: '否', 1: '是' } as const;
export const yesNoChoices = [
  [1, '是'],
  [0, '否'],
] as const;

/**
 * Formats a rank, such as `3 / 52`. Without a rank: 未计入排名 for a graded submission that does not count, otherwise `--`.
 */
export function formatRank({
  ranking,
  user_count,
  test_status,
  is_effective,
}: {
  ranking: number | null;
  user_count?: number;
  test_status: 2 | 3;
  is_effective: 0 | 1;
}): string {
  if (ranking !== null) return user_count === undefined ? String(ranking) : `${ranking} / ${user_count}`;
  return test_status === 3 && is_effective === 0 ? '未计入排名' : '--';
}

export const percentText = (percent: number): string => `${percent.toFixed(1)}%`;

export const schoolChoices = (schools: readonly { id: number; org_name: string }[]) =>
  schools.map(({ id, org_name }) => [id, org_name] as const);

export const examStateNames: Record<ExamState, string> = {
  draft: '草稿',
  published: '未开始',
  running: '进行中',
  closed: '已结束',
};
export const examStateChoices = examStates.map((state) => [state, examStateNames[state]] as const);
export const examStateTones = { draft: 'plain', published: 'accent', running: 'good', closed: 'warn' } as const;

/** Formats the number of allowed submissions per student. */
export const formatAttempts = (attempts: number): string => (attempts === 0 ? '不限次' : `${attempts}次`);

const audienceNames = { school: '全校', grade: '年级', class: '班级' } as const;
export const audienceChoices = audiences.map((audience) => [audience, audienceNames[audience]] as const);

/** Formats whom an exam is given to. `classes`: names of its classes. */
export const formatAudience = (classes: readonly string[]): string =>
  classes.length === 0 ? audienceNames.school : classesSentence(classes.map((name) => ({ name })));
