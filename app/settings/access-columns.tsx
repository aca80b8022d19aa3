/** Columns shared by the lists of service tokens and of OneRoster clients. */
import { accessStates } from '#server/learners/tokens.contract.ts';
import { NearMoment } from '../ui/moment.tsx';
import { Tag } from '../ui/tag.tsx';
import { accessStateNames } from './terms.ts';

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
      <Tag tone={ended_at === null ? 'good' : 'bad'}>{accessStateNames[ended_at === null ? 'in-use' : 'ended']}</Tag>
    ),
  },
];

export const stateFilter = (value: (typeof accessStates)[number] | undefined) => ({
  label: '状态',
  name: 'state',
  value,
  choices: accessStates.map((one) => [one, accessStateNames[one]] as const),
});
