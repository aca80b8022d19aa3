/** The homework list (document 1, section 2, main tab). */
import type { HomeworkFilter, HomeworkRow } from '#server/homework/contract.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass, rowAction } from '../ui/button.tsx';
import { FilterForm, FlagFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { HomeworkFilters, homeworkColumns } from './homework-columns.tsx';
import styles from './manage.module.css';
import { deadlineFault, mayContinuePublishing } from './row-rules.ts';
import { tabSearch } from './tab.ts';

interface HomeworkListProps {
  filter: HomeworkFilter;
  homework: { list: HomeworkRow[]; total: number; page: number; limit: number };
  identity: 'teacher' | 'assist';
  may: { correct: boolean; dispatch: boolean };
  /** Unix seconds of the server. */
  now: number;
}

export function HomeworkList({ filter, homework, identity, may, now }: HomeworkListProps) {
  const timezone = useTimezone();
  const here = (changes = {}) => `/homework${tabSearch('main', filter, changes)}`;
  const { course_basis_id } = filter;
  const reset = `/homework${tabSearch('main', { course_basis_id })}`;
  const publishHref = course_basis_id ? `/homework/publish?course_id=${course_basis_id}` : '/homework/publish';
  const filtered = Object.keys(filter).some(
    (name) =>
      !['page', 'limit', 'course_basis_id', 'sort', 'sort_field'].includes(name) &&
      filter[name as keyof HomeworkFilter] !== undefined,
  );
  return (
    <>
      <FilterForm
        action="/homework"
        keep={{ tab: 'main', course_basis_id, sort_field: filter.sort_field, sort: filter.sort }}
        resetHref={reset}
      >
        <HomeworkFilters filter={filter} hasCourse={course_basis_id === undefined} publisher="发布人" />
        {identity === 'teacher' && (
          <FlagFilter label="显示非本人授课课时的作业" name="show_other" checked={filter.show_other === 1} />
        )}
      </FilterForm>
      {may.dispatch && (
        <div className={`${styles.toolbar} no-print`}>
          <a href={publishHref} className={buttonClass('primary')}>
            布置作业
          </a>
        </div>
      )}
      <form method="post" action={here()}>
        <ListTable
          caption="作业列表"
          columns={columnsFor({ timezone, now, may, search: tabSearch('main', filter) })}
          rows={homework.list}
          rowKey={(row) => row.id}
          sorting={{
            field: filter.sort_field,
            direction: filter.sort,
            href: (sort_field, sort) => here({ sort_field, sort, page: undefined }),
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
      </form>
      <Pager {...homework} href={(page) => here({ page })} />
    </>
  );
}

interface ColumnsContext extends Pick<HomeworkListProps, 'now' | 'may'> {
  timezone: string;
  /** The list's search params, kept by its dialogs. */
  search: string;
}

function columnsFor({ timezone, now, may, search }: ColumnsContext): Column<HomeworkRow>[] {
  const columns = homeworkColumns({ timezone, now });
  return [
    columns.name,
    columns.period,
    columns.waiting,
    columns.revised,
    columns.deadline,
    columns.submitted,
    { key: 'class_name', header: '班级', minWidth: 110, cell: (row) => <ClassNames names={row.class_name} /> },
    columns.type,
    columns.publisher('发布人'),
    columns.publishTime,
    { key: 'actions', header: '操作', cell: (row) => <RowActions row={row} now={now} may={may} search={search} /> },
  ];
}

/** The first classes by name; all of them when the pointer rests there. */
function ClassNames({ names }: { names: string }) {
  const all = names.split('、');
  if (all.length <= 3) return names;
  return (
    <span title={names}>
      {all.slice(0, 2).join('、')}等{all.length}个班级
    </span>
  );
}

/** What may be done with a row (document 1, sections 2 and 6); the API refuses the same again. */
function RowActions({ row, now, may, search }: { row: HomeworkRow } & Omit<ColumnsContext, 'timezone'>) {
  const dispatches = may.dispatch && row.is_owner === 1;
  return (
    <div className={styles.actions}>
      <a className={rowAction} href={`/homework/detail?hw_id=${row.id}&class_id=0`}>
        查看
      </a>
      {dispatches && (
        <a className={rowAction} href={`/homework/publish?type=copy&id=${row.id}`}>
          复制
        </a>
      )}
      {may.correct && row.not_revised_homework_count > 0 && row.status === 1 && (
        <button type="submit" name="start" value={row.id} className={rowAction}>
          去批改
        </button>
      )}
      {dispatches && mayContinuePublishing(row, now) && (
        <a className={rowAction} href={`/homework/${row.id}/continue${search}`}>
          继续发布
        </a>
      )}
      {dispatches && <MoreMenu row={row} now={now} search={search} />}
    </div>
  );
}

function MoreMenu({ row, now, search }: { row: HomeworkRow; now: number; search: string }) {
  if (row.status === 2) {
    return (
      <button type="button" className={rowAction} disabled title="作业已撤回">
        更多
      </button>
    );
  }
  const fault = deadlineFault(row, now);
  return (
    <details className={styles.more} name="row-actions">
      <summary className={rowAction}>更多</summary>
      <div>
        {fault ? (
          <span className={rowAction} aria-disabled="true" title={fault}>
            调整截止时间
          </span>
        ) : (
          <a className={rowAction} href={`/homework/${row.id}/deadline${search}`}>
            调整截止时间
          </a>
        )}
        <a className={rowAction} href={`/homework/${row.id}/recall${search}`}>
          撤回
        </a>
      </div>
    </details>
  );
}
