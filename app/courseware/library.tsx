/** The courseware library: the school's wares and one's own uploads. */
import { Button } from '@mantine/core';
import { listWareClassifies, listWares, type WareRow } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import { titled } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/library';
import {
  classifyColumn,
  fileActions,
  fileColumn,
  nameColumn,
  ownerColumn,
  typeColumn,
  wareFilters,
} from './material-columns.tsx';
import { wareEdit, wareList, wareRemove, wareUpload } from './screens.ts';

export const meta: Route.MetaFunction = () => titled('课件库');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const [wares, classifies] = await Promise.all([
    client.send(listWares, { filter: wareList.at(url).filter }),
    client.send(listWareClassifies),
  ]);
  return { wares, classifies };
}

export default function CoursewareLibrary({ loaderData: { wares, classifies } }: Route.ComponentProps) {
  const view = useAddress(wareList);
  const upload = (
    <Button component="a" href={wareUpload.href(view.here)}>
      上传课件
    </Button>
  );
  return (
    <Screen title="课件库">
      <List<WareRow>
        view={view}
        result={wares}
        caption="课件列表"
        columns={[
          nameColumn((row) => row.ware_desc),
          typeColumn,
          classifyColumn,
          fileColumn,
          ownerColumn,
          timeColumn('time', '更新时间', (row) => row.updated_at),
          actionsColumn((row) => [
            ...fileActions(row),
            row.is_owner === 1 && {
              label: '编辑',
              of: row.ware_name,
              href: wareEdit.href(view.here, { id: row.id }),
            },
            row.is_owner === 1 && {
              label: '移除',
              of: row.ware_name,
              href: wareRemove.href(view.here, { id: row.id }),
              danger: true,
            },
          ]),
        ]}
        nothing="暂无课件"
        nothingFound="没有符合条件的课件"
        filters={{
          first: wareFilters(view.filter, classifies),
          more: [{ label: '只看我上传的', name: 'is_own', checked: view.filter.is_own === 1 }],
        }}
        actions={upload}
        next={upload}
      />
    </Screen>
  );
}
