/** The homework list. */
import { Button } from '@mantine/core';
import type { HomeworkRow } from '#server/homework/contract.ts';
import { continueFault, deadlineFault, recallFault } from '#server/homework/rules.ts';
import type { Page } from '#server/platform/calls/fields.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { FlagFilter } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import { HomeworkFilters, homeworkColumns } from './homework-columns.tsx';
import styles from './manage.module.css';
import { deadline, furtherClasses, homeworkList, publish, recall } from './screens.ts';

/** Where publishing leads back to when nothing else is said. */
const plainList = homeworkList.href();

interface HomeworkListProps {
  homework: Page<HomeworkRow>;
  identity: 'teacher' | 'assist';
  may: { correct: boolean; dispatch: boolean };
  /** Unix seconds of the server. */
  now: number;
}

export function HomeworkList({ homework, identity, may, now }: HomeworkListProps) {
  const timezone = useTimezone();
  const view = useAddress(homeworkList);
  const { filter, here } = view;
  const { course_basis_id } = filter;
  const back = here === plainList ? undefined : here;
  return (
    <List
      view={view}
      result={homework}
      caption="作业列表"
      columns={columnsFor({ timezone, now, may, here, back })}
      nothing="暂无作业"
      nothingFound="没有符合条件的作业"
      filters={
        <>
          <HomeworkFilters filter={filter} hasCourse={course_basis_id === undefined} publisher="发布人" />
          {identity === 'teacher' && (
            <FlagFilter label="显示非本人授课课时的作业" name="show_other" checked={filter.show_other === 1} />
          )}
        </>
      }
      above={
        may.dispatch && (
          <div className={`${styles.toolbar} no-print`}>
            <Button component="a" href={publish.href({ course_id: course_basis_id, back })}>
              布置作业
            </Button>
          </div>
        )
      }
      around={(table) => <Form action={here}>{table}</Form>}
    />
  );
}

interface ColumnsContext extends Pick<HomeworkListProps, 'now' | 'may'> {
  timezone: string;
  /** The list as it is, for its dialogs. */
  here: AddressOf<typeof homeworkList>;
  /** The same for a form that leads back to it, unless it does so anyway. */
  back: string | undefined;
}

function columnsFor({ timezone, now, ...context }: ColumnsContext): Column<HomeworkRow>[] {
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
    { key: 'actions', header: '操作', cell: (row) => <RowActions row={row} now={now} {...context} /> },
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

/** What may be done with a row; the API refuses the same again. */
function RowActions({ row, now, may, here, back }: { row: HomeworkRow } & Omit<ColumnsContext, 'timezone'>) {
  const dispatches = may.dispatch && row.is_owner === 1;
  return (
    <div className={styles.actions}>
      <a className={rowAction} href={homeworkDetail.href({ hw_id: row.id, class_id: 0 })}>
        查看
      </a>
      {dispatches && (
        <a className={rowAction} href={publish.href({ type: 'copy', id: row.id, back })}>
          复制
        </a>
      )}
      {may.correct && row.not_revised_homework_count > 0 && row.status === 1 && (
        <button type="submit" name="intent" value={`start ${row.id}`} className={rowAction}>
          去批改
        </button>
      )}
      {dispatches && !continueFault(row, now) && (
        <a className={rowAction} href={furtherClasses.href(here, { id: row.id })}>
          继续发布
        </a>
      )}
      {dispatches && <MoreMenu row={row} now={now} here={here} />}
    </div>
  );
}

function MoreMenu({ row, now, here }: { row: HomeworkRow; now: number; here: AddressOf<typeof homeworkList> }) {
  const gone = recallFault(row);
  if (gone) {
    return (
      <button type="button" className={rowAction} disabled title={gone}>
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
          <a className={rowAction} href={deadline.href(here, { id: row.id })}>
            调整截止时间
          </a>
        )}
        <a className={rowAction} href={recall.href(here, { id: row.id })}>
          撤回
        </a>
      </div>
    </details>
  );
}
