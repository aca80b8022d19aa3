/** Study statistics of a class (document 3, section 2, tab 4). */
import type { StudyRow } from '#server/attendance/contract.ts';
import { ExportButton } from '../../attendance/export-button.tsx';
import { figureColumns } from '../../attendance/figure-columns.tsx';
import { ChoiceFilter, FilterForm, TextFilter } from '../../ui/filter-form.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import type { loadStudyTab } from './study.server.ts';
import { classAddress, type TabViewProps } from './tab.ts';
import styles from './tabs.module.css';

export function StudyTab({ data: { filter, study, schools }, klass }: TabViewProps<typeof loadStudyTab>) {
  const here = (changes = {}) => classAddress(klass.id, 'study', filter, changes);
  const reset = classAddress(klass.id, 'study');
  const isFiltered = [filter.nickname, filter.mobile, filter.org_id].some((one) => one !== undefined);
  const columns: Column<StudyRow>[] = [
    {
      key: 'nickname',
      header: '昵称',
      minWidth: 120,
      cell: (row) => <a href={`/classes/student?id=${row.id}&uid=${row.uid}&class_id=${klass.id}`}>{row.nickname}</a>,
    },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    { key: 'org_name', header: '校区', minWidth: 120, cell: (row) => row.org_name },
    ...figureColumns<StudyRow>(() => true),
  ];
  return (
    <>
      <FilterForm action="/classes/detail" keep={{ id: klass.id, tab: 'study' }} resetHref={reset}>
        <TextFilter label="昵称" name="nickname" value={filter.nickname} />
        <TextFilter label="手机号" name="mobile" value={filter.mobile} />
        <ChoiceFilter
          label="校区"
          name="org_id"
          value={filter.org_id}
          choices={schools.map(({ id, name }) => [id, name] as const)}
        />
      </FilterForm>
      <div className={styles.toolbar}>
        <ExportButton action={here()} />
      </div>
      <ListTable
        caption="学习统计"
        columns={columns}
        rows={study.list}
        rowKey={(row) => row.id}
        empty={
          isFiltered ? (
            <>
              没有符合条件的学员，<a href={reset}>清除筛选</a>
            </>
          ) : (
            '暂无学员'
          )
        }
      />
      <Pager {...study} href={(page) => here({ page })} />
    </>
  );
}
