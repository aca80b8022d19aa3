import { isRunning } from '#server/classes/rules.ts';
import { fromClass } from '#server/homework/rules.ts';

/** 作业列表: the homework of this class, with its counts. */

import { Button } from '@mantine/core';
import type { HomeworkRow } from '#server/homework/contract.ts';
import { classHomeworkDetail } from '../../analysis/screens.ts';
import { HomeworkFilters, homeworkColumns } from '../../homework/homework-columns.tsx';
import styles from '../../homework/manage.module.css';
import { publish } from '../../homework/screens.ts';
import { usePerson, useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/list-table.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classHomework } from '../screens.ts';

export function HomeworkTab({ shown: { homework }, klass, now }: TabProps<'homework'> & { now: number }) {
  const view = useAddress(classHomework);
  const timezone = useTimezone();
  const mayDispatch = usePerson()?.permissions.includes('dispatch');
  return (
    <List
      view={view}
      result={homework}
      caption="作业列表"
      columns={columnsFor({ timezone, now, classId: klass.id })}
      nothing="暂无作业"
      nothingFound="没有符合条件的作业"
      filters={<HomeworkFilters filter={view.filter} hasCourse publisher="创建人" />}
      above={
        mayDispatch &&
        isRunning(klass, now) && (
          <div className={`${styles.toolbar} no-print`}>
            <Button component="a" href={publish.href({ source: fromClass, back: view.here })}>
              布置作业
            </Button>
          </div>
        )
      }
    />
  );
}

interface ColumnsContext {
  timezone: string;
  now: number;
  classId: number;
}

function columnsFor({ timezone, now, classId }: ColumnsContext): Column<HomeworkRow>[] {
  const columns = homeworkColumns({ timezone, now });
  return [
    columns.name,
    columns.course,
    columns.period,
    columns.waiting,
    columns.revised,
    columns.deadline,
    columns.submitted,
    columns.type,
    columns.publisher('创建人'),
    columns.publishTime,
    {
      key: 'actions',
      header: '操作',
      cell: (row) => (
        <a
          className={rowAction}
          href={classHomeworkDetail.href({ hw_id: row.id, class_id: classId })}
          aria-label={`查看${row.name}`}
        >
          查看
        </a>
      ),
    },
  ];
}
