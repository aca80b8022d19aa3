/** The filters, the table and the pager of the class list. */
import type { ClassFilter, ClassRow } from '#server/classes/contract.ts';
import { listSearch } from '../lib/search.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, FlagFilter, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import styles from './class-list.module.css';
import { classAddress } from './tabs/tab.ts';
import { ValidTime } from './valid-time.tsx';

interface Named {
  id: number;
  name: string;
}

interface ClassListProps {
  filter: Omit<ClassFilter, 'only_mine'>;
  /** The lecturers' box, on by default. */
  onlyMine: boolean;
  classes: { list: ClassRow[]; total: number; page: number; limit: number };
  /** Undefined where the school does not show them. */
  grades: Named[] | undefined;
  classifies: Named[] | undefined;
  identity: 'teacher' | 'assist';
  /** Unix seconds of the server. */
  now: number;
}

export function ClassList({ filter, onlyMine, classes, grades, classifies, identity, now }: ClassListProps) {
  const only_mine = identity === 'teacher' && !onlyMine ? 0 : undefined;
  const here = (changes = {}) => `/classes${listSearch({ ...filter, only_mine }, changes)}`;
  const { page, limit, ...searched } = filter;
  const filtered = Object.values(searched).some((value) => value !== undefined);
  const choices = (named: Named[]) => named.map(({ id, name }) => [id, name] as const);
  const columns = columnsFor({ search: listSearch({ ...filter, only_mine }), now, grades, classifies });
  return (
    <>
      <FilterForm action="/classes" keep={{}} resetHref="/classes">
        <TextFilter label="班级名称" name="name" value={filter.name} />
        {grades && <ChoiceFilter label="年级" name="grade_id" value={filter.grade_id} choices={choices(grades)} />}
        {classifies && (
          <ChoiceFilter label="分类" name="classify_id" value={filter.classify_id} choices={choices(classifies)} />
        )}
        {identity === 'teacher' && (
          <FlagFilter label="只看我管理的班级" name="only_mine" checked={onlyMine} usuallyOn />
        )}
      </FilterForm>
      <ListTable
        caption="班级列表"
        columns={columns}
        rows={classes.list}
        rowKey={({ id }) => id}
        empty={
          onlyMine ? (
            <>
              {filtered ? '您管理的班级中没有符合条件的班级' : '您还没有管理的班级'}，
              <a href={here({ only_mine: 0, page: undefined })}>查看全部班级</a>
            </>
          ) : filtered ? (
            <>
              没有符合条件的班级，<a href={`/classes${listSearch({ only_mine })}`}>清除筛选</a>
            </>
          ) : (
            '暂无班级'
          )
        }
      />
      <Pager {...classes} href={(number) => here({ page: number })} />
    </>
  );
}

function columnsFor({
  search,
  now,
  grades,
  classifies,
}: { search: string } & Pick<ClassListProps, 'now' | 'grades' | 'classifies'>): Column<ClassRow>[] {
  return [
    {
      key: 'name',
      header: '班级名称',
      minWidth: 180,
      cell: (row) => (
        <>
          <a href={classAddress(row.id, 'students')}>{row.name}</a>
          {row.large_class_name && <span className={styles.below}>{row.large_class_name}</span>}
        </>
      ),
    },
    ...(grades ? [{ key: 'grade', header: '年级', minWidth: 70, cell: (row: ClassRow) => row.grade_name || '-' }] : []),
    ...(classifies
      ? [{ key: 'classify', header: '分类', minWidth: 80, cell: (row: ClassRow) => row.classify_name || '-' }]
      : []),
    { key: 'students', header: '学员数', align: 'right', cell: (row) => row.students_count },
    {
      key: 'status',
      header: '状态',
      nowrap: true,
      cell: (row) => (row.is_processing === 1 ? '进行中' : <span className={styles.over}>已结束</span>),
    },
    { key: 'valid', header: '有效期', nowrap: true, cell: (row) => <ValidTime klass={row} now={now} /> },
    { key: 'schedule', header: '课表', nowrap: true, cell: (row) => <Schedule row={row} search={search} /> },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: (row) => (
        <a className={rowAction} href={classAddress(row.id, 'students')} aria-label={`${row.name}详情`}>
          详情
        </a>
      ),
    },
  ];
}

/** The picture is the large class's: a class of none can only show one that it has already. */
function Schedule({ row, search }: { row: ClassRow; search: string }) {
  if (row.schedule_image === '' && row.large_class_id === 0) return '-';
  const what = row.schedule_image ? '查看' : '上传';
  return (
    <a className={rowAction} href={`/classes/${row.id}/schedule${search}`} aria-label={`${what}${row.name}的课表`}>
      {what}
    </a>
  );
}
