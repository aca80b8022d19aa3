/** Courseware library: the school's files, and the user's own uploads. */
import { Button } from '@mantine/core';
import { listMaterialClassifies, listMaterials, type MaterialRow } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import { titleMeta } from '../shell/title.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/library';
import {
  classifyColumn,
  fileActions,
  fileColumn,
  materialFilters,
  nameColumn,
  ownerColumn,
  typeColumn,
} from './material-columns.tsx';
import { materialEdit, materialList, materialRemove, materialUpload } from './screens.ts';

export const meta: Route.MetaFunction = () => titleMeta('课件库');

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const [materials, classifies] = await Promise.all([
    client.send(listMaterials, { filter: materialList.at(url).filter }),
    client.send(listMaterialClassifies),
  ]);
  return { wares: materials, classifies };
}

export default function CoursewareLibrary({ loaderData: { wares: materials, classifies } }: Route.ComponentProps) {
  const view = useAddress(materialList);
  const upload = (
    <Button component="a" href={materialUpload.href(view.here)}>
      上传课件
    </Button>
  );
  return (
    <Screen title="课件库">
      <List<MaterialRow>
        view={view}
        result={materials}
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
              recordName: row.ware_name,
              href: materialEdit.href(view.here, { id: row.id }),
            },
            row.is_owner === 1 && {
              label: '移除',
              recordName: row.ware_name,
              href: materialRemove.href(view.here, { id: row.id }),
              danger: true,
            },
          ]),
        ]}
        nothing="暂无课件"
        nothingFound="没有符合条件的课件"
        filters={{
          first: materialFilters(view.filter, classifies),
          more: [{ label: '只看我上传的', name: 'is_own', checked: view.filter.is_own === 1 }],
        }}
        actions={upload}
        next={upload}
      />
    </Screen>
  );
}
