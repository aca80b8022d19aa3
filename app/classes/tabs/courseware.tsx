/** Tab 班级课件: courseware of a class. Its dialogs are routes over the class. */
import { Button } from '@mantine/core';
import type { ClassMaterial } from '#server/courseware/contract.ts';
import { classifyColumn, fileActions, fileColumn, nameColumn, typeColumn } from '../../courseware/material-columns.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import {
  classMaterialAdd,
  classMaterialChoice,
  classMaterialEdit,
  classMaterialRemoval,
  classMaterials,
} from '../screens.ts';

export function CoursewareTab({ shown: { wares }, theClass }: TabProps<'courseware'>) {
  const view = useAddress(classMaterials);
  const first = classMaterials.href({ id: theClass.id });
  const add = (
    <Button component="a" href={classMaterialAdd.href(first)}>
      添加课件
    </Button>
  );
  return (
    <List<ClassMaterial>
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
          { label: '编辑', recordName: row.ware_name, href: classMaterialEdit.href(view.here, { ware: row.id }) },
          {
            label: '移除',
            recordName: row.ware_name,
            href: classMaterialRemoval.href(view.here, { ware: row.id }),
            danger: true,
          },
        ]),
      ]}
      nothing="暂无课件"
      actions={
        <>
          <Button component="a" href={classMaterialChoice.href(first)} variant="default">
            从课件库添加
          </Button>
          {add}
        </>
      }
      next={add}
    />
  );
}
