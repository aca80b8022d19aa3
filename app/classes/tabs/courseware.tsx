/** 班级课件; its dialogs are routes over the class. */
import { Button } from '@mantine/core';
import type { ClassWare } from '#server/courseware/contract.ts';
import { classifyColumn, fileActions, fileColumn, nameColumn, typeColumn } from '../../courseware/material-columns.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classWareAdd, classWareChoice, classWareEdit, classWareRemoval, classWares } from '../screens.ts';

export function CoursewareTab({ shown: { wares }, klass }: TabProps<'courseware'>) {
  const view = useAddress(classWares);
  const first = classWares.href({ id: klass.id });
  const add = (
    <Button component="a" href={classWareAdd.href(first)}>
      添加课件
    </Button>
  );
  return (
    <List<ClassWare>
      view={view}
      result={wares}
      caption="班级课件"
      columns={[
        nameColumn((row) => row.ware_desc),
        typeColumn,
        classifyColumn,
        fileColumn,
        { key: 'by', header: '添加人', minWidth: 60, cell: (row) => row.nickname },
        timeColumn('time', '更新时间', (row) => row.updated_at),
        actionsColumn((row) => [
          ...fileActions(row),
          { label: '编辑', of: row.ware_name, href: classWareEdit.href(view.here, { ware: row.id }) },
          {
            label: '移除',
            of: row.ware_name,
            href: classWareRemoval.href(view.here, { ware: row.id }),
            danger: true,
          },
        ]),
      ]}
      nothing="暂无课件"
      actions={
        <>
          <Button component="a" href={classWareChoice.href(first)} variant="default">
            从课件库添加
          </Button>
          {add}
        </>
      }
      next={add}
    />
  );
}
