/** The courseware library: the school's wares and one's own uploads. */
import { Button } from '@mantine/core';
import { listWareClassifies, listWares, type WareRow } from '#server/courseware/contract.ts';
import { api } from '../api/client.server.ts';
import type { AddressOf } from '../lib/address.ts';
import { formatTime } from '../lib/dates.ts';
import { titled } from '../shell/title.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { FlagFilter } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Screen, useAddress } from '../ui/screen.tsx';
import type { Route } from './+types/library';
import styles from './courseware.module.css';
import { wareEdit, wareList, wareRemove, wareUpload } from './screens.ts';
import { fileColumn, nameColumn, PreviewLinks, typeColumn, WareFilters } from './ware-columns.tsx';

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
  const timezone = useTimezone();
  return (
    <Screen title="课件库">
      <List
        view={view}
        result={wares}
        caption="课件列表"
        columns={columnsFor(timezone, view.here)}
        nothing="暂无课件"
        nothingFound="没有符合条件的课件"
        filters={
          <>
            <WareFilters filter={view.filter} classifies={classifies} />
            <FlagFilter label="只看我上传的" name="is_own" checked={view.filter.is_own === 1} />
          </>
        }
        above={
          <div className={`${styles.toolbar} no-print`}>
            <Button component="a" href={wareUpload.href(view.here)}>
              上传课件
            </Button>
          </div>
        }
      />
    </Screen>
  );
}

function columnsFor(timezone: string, here: AddressOf<typeof wareList>): Column<WareRow>[] {
  return [
    nameColumn((row) => row.ware_desc),
    typeColumn(),
    { key: 'classify', header: '分类', nowrap: true, cell: (row) => row.classify_name || '未分类' },
    fileColumn(),
    { key: 'owner', header: '来源', nowrap: true, cell: (row) => (row.is_owner === 1 ? '我上传的' : '学校课件') },
    { key: 'time', header: '更新时间', nowrap: true, cell: (row) => formatTime(row.updated_at, timezone) },
    {
      key: 'actions',
      header: '操作',
      minWidth: 180,
      cell: (row) => (
        <div className={styles.actions}>
          <PreviewLinks fid={row.fid} name={row.ware_name} />
          {row.is_owner === 1 && (
            <>
              <a className={rowAction} href={wareEdit.href(here, { id: row.id })}>
                编辑
              </a>
              <a className={rowAction} href={wareRemove.href(here, { id: row.id })}>
                移除
              </a>
            </>
          )}
        </div>
      ),
    },
  ];
}
