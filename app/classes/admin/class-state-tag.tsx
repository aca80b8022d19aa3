import type { ClassState } from '#server/classes/rules.ts';
import { Tag } from '../../ui/tag.tsx';
import { classStateNames } from '../terms.ts';

const tones = { coming: 'warn', running: 'good', ended: 'plain' } as const;

export const ClassStateTag = ({ state }: { state: ClassState }) => (
  <Tag tone={tones[state]}>{classStateNames[state]}</Tag>
);
