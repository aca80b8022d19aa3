/** valid_status of a student of a class. */
export const memberStatusNames: Record<1 | 2, string> = { 1: '在班', 2: '已退班' };
export const memberStatusChoices = [
  [1, memberStatusNames[1]],
  [2, memberStatusNames[2]],
] as const;
