/** List of the large classes: each joins several classes. */

import { Button } from '@mantine/core';
import { type LargeClassRow, listAllLargeClasses } from '#server/classes/large.contract.ts';
import { api } from '../../api/client.server.ts';
import type { ScreenHandle } from '../../shell/frame.tsx';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { adminClasses, adminClassList, largeClassAdd, largeClassEdit, largeClassList } from '../screens.ts';
import type { Route } from './+types/large';

export const handle: ScreenHandle = { crumbs: [{ label: '班级', href: adminClasses.href() }, { label: '大班' }] };

export const meta: Route.MetaFunction = () => titleMeta('大班');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listAllLargeClasses);
  return { large: await context.get(api).send(listAllLargeClasses, { filter: largeClassList.at(url).filter }) };
}

export default function LargeClasses({ loaderData: { large } }: Route.ComponentProps) {
  const view = useAddress(largeClassList);
  const add = (
    <Button component="a" href={largeClassAdd.href(view.here)}>
      添加大班
    </Button>
  );
  return (
    <Screen title="大班">
      <List<LargeClassRow>
        view={view}
        result={large}
        caption="大班列表"
        columns={[
          { key: 'name', header: '大班', minWidth: 140, cell: (row) => row.name },
          { key: 'school', header: '学校', cell: (row) => row.school_name },
          numberColumn('count', '班级数', (row) => row.classes.length),
          {
            key: 'classes',
            header: '班级',
            minWidth: 180,
            cell: (row) => {
              if (row.classes.length === 0) return '在班级资料中选择大班';
              const names = row.classes.slice(0, 5).map(({ name }) => name);
              const more = row.classes.length > names.length ? `等${row.classes.length}个` : '';
              return <a href={adminClassList.href({ large_class_id: row.id })}>{names.join('、') + more}</a>;
            },
          },
          actionsColumn((row) => [
            { label: '改名', recordName: row.name, href: largeClassEdit.href(view.here, { id: row.id }) },
          ]),
        ]}
        nothing="暂无大班"
        nothingFound="没有符合条件的大班"
        filters={{ first: [{ label: '大班名称', name: 'name', value: view.filter.name }] }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}
