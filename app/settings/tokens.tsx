/** List of the service tokens of the school's applications, such as the learners' application. */
import { Button } from '@mantine/core';
import { listTokens, type TokenRow } from '#server/learners/tokens.contract.ts';
import { formatSchools } from '../account/terms.ts';
import { api } from '../api/client.server.ts';
import { requirePermission } from '../shell/permissions.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/tokens';
import { accessColumns, stateFilter } from './access-columns.tsx';
import { tokenAdd, tokenEnd, tokenList, tokenWebhook } from './screens.ts';
import { SettingsTabs } from './settings-tabs.tsx';

export const meta: Route.MetaFunction = () => titleMeta('应用令牌');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listTokens);
  const view = tokenList.at(url);
  return { tokens: await context.get(api).send(listTokens, { filter: view.filter }) };
}

export default function AdminTokens({ loaderData: { tokens } }: Route.ComponentProps) {
  const view = useAddress(tokenList);
  const { name, state } = view.filter;
  const add = (
    <Button component="a" href={tokenAdd.href()}>
      生成令牌
    </Button>
  );
  return (
    <Screen title="设置">
      <SettingsTabs current="tokens" />
      <List<TokenRow>
        view={view}
        result={tokens}
        caption="应用令牌列表"
        columns={[
          { key: 'name', header: '应用', minWidth: 120, cell: (row) => row.name },
          { key: 'schools', header: '学校', cell: formatSchools },
          { key: 'made', header: '生成时间', nowrap: true, cell: (row) => <NearMoment at={row.created_at} /> },
          ...accessColumns,
          actionsColumn((row) =>
            row.ended_at === null
              ? [
                  { label: '通知地址', recordName: row.name, href: tokenWebhook.href({ token: row.id }) },
                  { label: '停用', recordName: row.name, href: tokenEnd.href(view.here, { token: row.id }) },
                ]
              : [],
          ),
        ]}
        above={<p>学员使用的小程序、App 等凭令牌向这里提交作业和请假。每个应用各用一个，不再使用时停用。</p>}
        nothing="暂无应用令牌"
        nothingFound="没有符合条件的令牌"
        filters={{
          first: [{ label: '应用', name: 'name', value: name }, stateFilter(state)],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
