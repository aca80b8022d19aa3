/** 学员列表 (document 3, section 2, tab 1). */
import type { ClassStudentRow } from '#server/classes/contract.ts';
import { formatTime } from '../../lib/dates.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { rowAction } from '../../ui/button.tsx';
import { ChoiceFilter, FilterForm, FlagFilter, TextFilter } from '../../ui/filter-form.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { memberStatusChoices, memberStatusNames } from '../terms.ts';
import type { loadStudentsTab } from './students.server.ts';
import { classAddress, type TabViewProps } from './tab.ts';

export function StudentsTab({ data, klass }: TabViewProps<typeof loadStudentsTab>) {
  const timezone = useTimezone();
  const { filter, onlyIn, students } = data;
  const { status, ...searched } = filter;
  // The box decides the status, so that only one of them stands in the address.
  const kept = onlyIn ? searched : { ...filter, only_in: 0 };
  const here = (changes = {}) => classAddress(klass.id, 'students', kept, changes);
  const filtered = filter.nickname !== undefined || filter.mobile !== undefined || !onlyIn;
  const columns: Column<ClassStudentRow>[] = [
    { key: 'nickname', header: '昵称', minWidth: 160, cell: (row) => row.nickname },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    { key: 'joined', header: '入班时间', nowrap: true, cell: (row) => formatTime(row.created_at, timezone) },
    {
      key: 'status',
      header: '状态',
      nowrap: true,
      cell: (row) =>
        row.left_at > 0
          ? `${memberStatusNames[row.valid_status]}（${formatTime(row.left_at, timezone)}）`
          : memberStatusNames[row.valid_status],
    },
    {
      key: 'actions',
      header: '操作',
      cell: (row) => (
        <a
          className={rowAction}
          href={`/classes/student?id=${row.id}&uid=${row.uid}&class_id=${klass.id}`}
          aria-label={`${row.nickname}详情`}
        >
          详情
        </a>
      ),
    },
  ];
  return (
    <>
      <FilterForm action="/classes/detail" keep={{ id: klass.id }} resetHref={classAddress(klass.id, 'students')}>
        <TextFilter label="昵称" name="nickname" value={filter.nickname} />
        <TextFilter label="手机号" name="mobile" value={filter.mobile} />
        <ChoiceFilter label="状态" name="status" value={status} choices={memberStatusChoices} disabled={onlyIn} />
        <FlagFilter label="仅展示在班人员" name="only_in" checked={onlyIn} usuallyOn />
      </FilterForm>
      <ListTable
        caption="学员列表"
        columns={columns}
        rows={students.list}
        rowKey={({ id }) => id}
        empty={
          filtered ? (
            <>
              没有符合条件的学员，<a href={classAddress(klass.id, 'students')}>清除筛选</a>
            </>
          ) : (
            '暂无学员'
          )
        }
      />
      <Pager {...students} href={(page) => here({ page })} />
    </>
  );
}
