/** Study statistics of a class. */
import type { StudyRow } from '#server/attendance/contract.ts';
import { ExportButton } from '../../attendance/export-button.tsx';
import { figureColumns } from '../../attendance/figure-columns.tsx';
import { studentDetail } from '../../attendance/screens.ts';
import { ChoiceFilter, TextFilter } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import type { Column } from '../../ui/list-table.tsx';
import { useAddress } from '../../ui/screen.tsx';
import type { TabProps } from '../detail.server.ts';
import { classStudy } from '../screens.ts';
import styles from './tabs.module.css';

export function StudyTab({ shown: { study, schools }, klass }: TabProps<'study'>) {
  const view = useAddress(classStudy);
  const { filter } = view;
  return (
    <List
      view={view}
      result={study}
      caption="学习统计"
      columns={columnsFor(klass.id)}
      nothing="暂无学员"
      nothingFound="没有符合条件的学员"
      filters={
        <>
          <TextFilter label="昵称" name="nickname" value={filter.nickname} />
          <TextFilter label="手机号" name="mobile" value={filter.mobile} />
          <ChoiceFilter
            label="校区"
            name="org_id"
            value={filter.org_id}
            choices={schools.map(({ id, name }) => [id, name] as const)}
          />
        </>
      }
      above={
        <div className={styles.toolbar}>
          <ExportButton action={view.here} />
        </div>
      }
    />
  );
}

const columnsFor = (class_id: number): Column<StudyRow>[] => [
  {
    key: 'nickname',
    header: '昵称',
    minWidth: 120,
    cell: ({ id, uid, nickname }) => <a href={studentDetail.href({ id, uid, class_id })}>{nickname}</a>,
  },
  { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
  { key: 'org_name', header: '校区', minWidth: 120, cell: (row) => row.org_name },
  ...figureColumns<StudyRow>(() => true),
];
