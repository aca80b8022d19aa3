import { sessionStatusNames } from '#server/sessions/rules.ts';
import { Tag } from '../ui/tag.tsx';

const tones = { 1: 'plain', 2: 'accent', 3: 'good', 4: 'bad' } as const;

/** Status of a lesson. A running lesson is emphasised. */
export const SessionStatusTag = ({ status }: { status: 1 | 2 | 3 | 4 }) => (
  <Tag tone={tones[status]} strong={status === 3}>
    {sessionStatusNames[status]}
  </Tag>
);
