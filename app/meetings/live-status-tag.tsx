import type { Meeting } from '#server/meetings/contract.ts';
import { Tag } from '../ui/tag.tsx';
import { liveStatusNames } from './terms.ts';

export const LiveStatusTag = ({ status }: { status: Meeting['live_status'] }) => (
  <Tag tone={status === 2 ? 'good' : 'plain'}>{liveStatusNames[status]}</Tag>
);
