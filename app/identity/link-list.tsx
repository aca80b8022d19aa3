/** Columns and filters that the lists of links of staff and of learners share. */
import type { ReactNode } from 'react';
import type { LinkFilter, LinkRow } from '#server/identity/contract.ts';
import { linkStateNames } from '#server/identity/rules.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Filters } from '../ui/filter-form.tsx';
import type { GridColumn } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import type { RowActionProps } from '../ui/row-action.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { kindChoices, stateChoices, stateTones } from './terms.ts';

type Account = Pick<LinkRow, 'number' | 'name' | 'provider_name' | 'used_at' | 'state'>;

interface LinkColumns<Row> {
  /** Name of the number at the provider: 工号 or 学号. */
  number: string;
  person: { header: string; cell(row: Row): ReactNode };
  actions(row: Row): (RowActionProps | false)[];
}

export const linkColumns = <Row extends Account>({ number, person, actions }: LinkColumns<Row>): GridColumn<Row>[] => [
  {
    key: 'number',
    header: number,
    minWidth: 110,
    cell: (row) => (
      <>
        {row.number}
        {row.name && <SubLine>{row.name}</SubLine>}
      </>
    ),
  },
  { key: 'provider', header: '登录方式', cell: (row) => row.provider_name },
  { key: 'person', ...person },
  { key: 'used', header: '最近登录', nowrap: true, cell: (row) => <NearMoment at={row.used_at} /> },
  {
    key: 'state',
    header: '状态',
    nowrap: true,
    cell: (row) => <Tag tone={stateTones[row.state]}>{linkStateNames[row.state]}</Tag>,
  },
  actionsColumn(actions),
];

export const linkFilters = (number: string, { name, state, provider }: LinkFilter): Filters => ({
  first: [
    { label: `${number}、姓名`, name: 'name', value: name },
    { label: '状态', name: 'state', value: state, choices: stateChoices },
  ],
  more: [{ label: '登录方式', name: 'provider', value: provider, choices: kindChoices }],
  presets: [{ label: '待确认', filter: { state: 'waiting' } }],
});
