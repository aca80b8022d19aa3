/** 作业列表 (document 3, section 2, tab 3): the homework of this class, with its counts. */
import type { HomeworkRow } from '#server/homework/contract.ts';
import { HomeworkFilters, homeworkColumns } from '../../homework/homework-columns.tsx';
import { useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { FilterForm } from '../../ui/filter-form.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { loadHomeworkTab } from './homework.server.ts';
import { classAddress, type TabViewProps } from './tab.ts';

export function HomeworkTab({ data, klass, now }: TabViewProps<typeof loadHomeworkTab>) {
  const { filter, homework } = data;
  const timezone = useTimezone();
  const here = (changes = {}) => classAddress(klass.id, 'homework', filter, changes);
  const { page, limit, sort, sort_field, ...searched } = filter;
  const reset = classAddress(klass.id, 'homework');
  const filtered = Object.values(searched).some((value) => value !== undefined);
  return (
    <>
      <FilterForm action="/classes/detail" keep={{ id: klass.id, tab: 'homework', sort_field, sort }} resetHref={reset}>
        <HomeworkFilters filter={filter} hasCourse publisher="创建人" />
      </FilterForm>
      <ListTable
        caption="作业列表"
        columns={columnsFor({ timezone, now, classId: klass.id })}
        rows={homework.list}
        rowKey={({ id }) => id}
        sorting={{
          field: sort_field,
          direction: sort,
          href: (field, direction) => here({ sort_field: field, sort: direction, page: undefined }),
        }}
        empty={
          filtered ? (
            <>
              没有符合条件的作业，<a href={reset}>清除筛选</a>
            </>
          ) : (
            '暂无作业'
          )
        }
      />
      <Pager {...homework} href={(number) => here({ page: number })} />
    </>
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
          href={`/classes/homework?hw_id=${row.id}&class_id=${classId}`}
          aria-label={`查看${row.name}`}
        >
          查看
        </a>
      ),
    },
  ];
}
