/** 班级课件; its dialogs are routes over the class. */
import { Button } from '@mantine/core';
import type { ClassWare } from '#server/courseware/contract.ts';
import { fileColumn, nameColumn, PreviewLinks, typeColumn } from '../../courseware/ware-columns.tsx';
import type { AddressOf } from '../../lib/address.ts';
import { formatTime } from '../../lib/dates.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/list-table.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classWares, wareAdd, wareChoice, wareEdit, wareRemoval } from '../screens.ts';
import styles from './tabs.module.css';

export function CoursewareTab({ shown: { wares }, klass }: TabProps<'courseware'>) {
  const timezone = useTimezone();
  const view = useAddress(classWares);
  const first = classWares.href({ id: klass.id });
  return (
    <List
      view={view}
      result={wares}
      caption="班级课件"
      columns={columnsFor(timezone, view.here)}
      nothing="暂无课件"
      above={
        <div className={`${styles.toolbar} no-print`}>
          <Button component="a" href={wareChoice.href(first)} variant="default">
            从课件库添加
          </Button>
          <Button component="a" href={wareAdd.href(first)}>
            添加课件
          </Button>
        </div>
      }
    />
  );
}

const columnsFor = (timezone: string, here: AddressOf<typeof classWares>): Column<ClassWare>[] => [
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
    cell: ({ id, fid, ware_name }) => (
      <div className={styles.actions}>
        <PreviewLinks fid={fid} name={ware_name} />
        <a className={rowAction} href={wareEdit.href(here, { ware: id })} aria-label={`编辑${ware_name}`}>
          编辑
        </a>
        <a className={rowAction} href={wareRemoval.href(here, { ware: id })} aria-label={`移除${ware_name}`}>
          移除
        </a>
      </div>
    ),
  },
];
