import { reportStatusNames } from '#server/grading/rules.ts';
import { Tag } from '../ui/tag.tsx';

const tones = { 1: 'plain', 2: 'warn', 3: 'good' } as const;

export const StatusTag = ({ status }: { status: 1 | 2 | 3 }) => (
  <Tag tone={tones[status]}>{reportStatusNames[status]}</Tag>
);
