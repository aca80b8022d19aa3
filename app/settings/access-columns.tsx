/** What the lists of tokens and of systems that read the roster have in common. */
import { tokenStates } from '#server/school/tokens.contract.ts';
import { NearMoment } from '../ui/moment.tsx';
import { Tag } from '../ui/tag.tsx';
import { tokenStateNames } from './terms.ts';

interface Access {
  used_at: number | null;
  ended_at: number | null;
}

export const accessColumns = [
  {
    key: 'used',
    header: '最近使用',
    nowrap: true,
    cell: ({ used_at }: Access) => (used_at === null ? '从未使用' : <NearMoment at={used_at} />),
  },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    cell: ({ ended_at }: Access) => (
      <Tag tone={ended_at === null ? 'good' : 'bad'}>{tokenStateNames[ended_at === null ? 'in-use' : 'ended']}</Tag>
    ),
  },
];

export const stateFilter = (value: (typeof tokenStates)[number] | undefined) => ({
  label: '状态',
  name: 'state',
  value,
  choices: tokenStates.map((one) => [one, tokenStateNames[one]] as const),
});
