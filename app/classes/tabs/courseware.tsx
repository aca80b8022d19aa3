/** 班级课件 (document 3, section 2, tab 5); its dialogs are routes over the class. */
import type { ClassWare } from '#server/courseware/contract.ts';
import { fileColumn, nameColumn, PreviewLinks, typeColumn } from '../../courseware/ware-columns.tsx';
import { formatTime } from '../../lib/dates.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass, rowAction } from '../../ui/button.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { wareDialog } from '../wares/address.ts';
import type { loadCoursewareTab } from './courseware.server.ts';
import { classAddress, type TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function CoursewareTab({ data: wares, klass }: TabViewProps<typeof loadCoursewareTab>) {
  const timezone = useTimezone();
  const { page, limit } = wares;
  const columns: Column<ClassWare>[] = [
    nameColumn((row) => row.ware_desc),
    typeColumn(),
    { key: 'classify', header: '分类', nowrap: true, cell: (row) => row.classify_name || '未分类' },
    fileColumn(),
    { key: 'by', header: '添加人', minWidth: 60, cell: (row) => row.nickname },
    { key: 'time', header: '更新时间', nowrap: true, cell: (row) => formatTime(row.updated_at, timezone) },
    {
      key: 'actions',
      header: '操作',
      minWidth: 180,
      cell: (row) => (
        <div className={styles.actions}>
          <PreviewLinks fid={row.fid} name={row.ware_name} />
          <a
            className={rowAction}
            href={wareDialog(klass.id, `${row.id}/edit`, { page, limit })}
            aria-label={`编辑${row.ware_name}`}
          >
            编辑
          </a>
          <a
            className={rowAction}
            href={wareDialog(klass.id, `${row.id}/remove`, { page, limit })}
            aria-label={`移除${row.ware_name}`}
          >
            移除
          </a>
        </div>
      ),
    },
  ];
  return (
    <>
      <div className={`${styles.toolbar} no-print`}>
        <a href={wareDialog(klass.id, 'choose')} className={buttonClass('plain')}>
          从课件库添加
        </a>
        <a href={wareDialog(klass.id, 'add')} className={buttonClass('primary')}>
          添加课件
        </a>
      </div>
      <ListTable caption="班级课件" columns={columns} rows={wares.list} rowKey={({ id }) => id} empty="暂无课件" />
      <Pager {...wares} href={(number) => classAddress(klass.id, 'courseware', { limit }, { page: number })} />
    </>
  );
}
