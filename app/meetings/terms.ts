import type { LiveStatus } from '#server/meetings/rules.ts';
export const liveStatusNames: Record<LiveStatus, string> = { 1: '未开始', 2: '进行中', 3: '已结束' };
