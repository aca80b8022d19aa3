/** The courseware library: the school's wares and one's own uploads (document 1, section 5). */
import { useOutlet } from 'react-router';
import { listWareClassifies, listWares, WareFilter, type WareRow } from '#server/courseware/contract.ts';
import { api } from '../api.server.ts';
import { formatTime } from '../lib/dates.ts';
import { listSearch, readSearch } from '../lib/search.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass, rowAction } from '../ui/button.tsx';
import { FilterForm, FlagFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import type { Route } from './+types/library';
import styles from './courseware.module.css';
import { fileColumn, nameColumn, PreviewLinks, typeColumn, WareFilters } from './ware-columns.tsx';

export const meta: Route.MetaFunction = () => [{ title: '课件库 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const filter = readSearch(WareFilter, url.searchParams);
  const [wares, classifies] = await Promise.all([
    client.send(listWares, { query: filter }),
    client.send(listWareClassifies),
  ]);
  return { filter, wares, classifies };
}

export default function CoursewareLibrary({ loaderData: { filter, wares, classifies } }: Route.ComponentProps) {
  const timezone = useTimezone();
  const dialog = useOutlet();
  const here = (changes = {}) => `/courseware${listSearch(filter, changes)}`;
  const { page, limit, ...searched } = filter;
  const filtered = Object.values(searched).some((value) => value !== undefined);
  return (
    <>
      {/* With a dialog open, the list behind it is out of reach. */}
      <main inert={dialog !== null}>
        <h1 className="visually-hidden">课件库</h1>
        <FilterForm action="/courseware" keep={{}} resetHref="/courseware">
          <WareFilters filter={filter} classifies={classifies} />
          <FlagFilter label="只看我上传的" name="is_own" checked={filter.is_own === 1} />
        </FilterForm>
        <div className={`${styles.toolbar} no-print`}>
          <a href={`/courseware/upload${listSearch(filter)}`} className={buttonClass('primary')}>
            上传课件
          </a>
        </div>
        <ListTable
          caption="课件列表"
          columns={columnsFor(timezone, listSearch(filter))}
          rows={wares.list}
          rowKey={({ id }) => id}
          empty={
            filtered ? (
              <>
                没有符合条件的课件，<a href="/courseware">清除筛选</a>
              </>
            ) : (
              '暂无课件'
            )
          }
        />
        <Pager {...wares} href={(number) => here({ page: number })} />
      </main>
      {dialog}
    </>
  );
}

function columnsFor(timezone: string, search: string): Column<WareRow>[] {
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
              <a className={rowAction} href={`/courseware/${row.id}/edit${search}`}>
                编辑
              </a>
              <a className={rowAction} href={`/courseware/${row.id}/remove${search}`}>
                移除
              </a>
            </>
          )}
        </div>
      ),
    },
  ];
}
