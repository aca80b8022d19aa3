/** List of the systems that read the school's roster and gradebook by OneRoster. */
import { Button } from '@mantine/core';
import { type ClientRow, listClients } from '#server/oneroster/contract.ts';
import { clientPermissionNames } from '#server/oneroster/rules.ts';
import { formatSchools } from '../account/terms.ts';
import { api } from '../api/client.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/roster-clients';
import { accessColumns, stateFilter } from './access-columns.tsx';
import { clientAdd, clientEnd, clientList } from './screens.ts';
import { SettingsTabs } from './settings-tabs.tsx';

export const meta: Route.MetaFunction = () => titleMeta('数据对接');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listClients);
  const view = clientList.at(url);
  return { clients: await context.get(api).send(listClients, { filter: view.filter }) };
}

export default function AdminRosterClients({ loaderData: { clients } }: Route.ComponentProps) {
  const view = useAddress(clientList);
  const { name, state } = view.filter;
  const add = (
    <Button component="a" href={clientAdd.href()}>
      添加系统
    </Button>
  );
  return (
    <Screen title="设置">
      <SettingsTabs current="clients" />
      <List<ClientRow>
        view={view}
        result={clients}
        caption="对接系统列表"
        columns={[
          { key: 'name', header: '系统', minWidth: 120, cell: (row) => row.name },
          { key: 'schools', header: '学校', cell: formatSchools },
          {
            key: 'reads',
            header: '可读取',
            nowrap: true,
            cell: (row) => row.reads.map((one) => clientPermissionNames[one]).join('、'),
          },
          { key: 'made', header: '添加时间', nowrap: true, cell: (row) => <NearMoment at={row.created_at} /> },
          ...accessColumns,
          actionsColumn((row) =>
            row.ended_at === null
              ? [{ label: '停用', recordName: row.name, href: clientEnd.href(view.here, { client: row.id }) }]
              : [],
          ),
        ]}
        above={<p>区域平台或学习系统按 OneRoster 1.2 读取名册和成绩，不能修改。每个系统各添加一个，不用时停用。</p>}
        nothing="暂无对接系统"
        nothingFound="没有符合条件的系统"
        filters={{
          first: [{ label: '系统', name: 'name', value: name }, stateFilter(state)],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
