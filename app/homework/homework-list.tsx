import { Button } from '@mantine/core';
import type { HomeworkRow } from '#server/homework/contract.ts';
import { continueFault, deadlineFault, recallFault } from '#server/homework/rules.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { FlagFilter } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { rowAction } from '../ui/native-look.ts';
import { RowAction } from '../ui/row-action.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
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
  const view = useAddress(homeworkList);
  const { filter, here } = view;
  const { course_basis_id } = filter;
  const back = here === plainList ? undefined : here;
  return (
    <List<HomeworkRow>
      view={view}
      result={homework}
      caption="作业列表"
      columns={[
        homeworkColumns.name,
        homeworkColumns.period,
        homeworkColumns.waiting,
        homeworkColumns.revised,
        homeworkColumns.deadline(now),
        homeworkColumns.submitted,
        { key: 'class_name', header: '班级', minWidth: 110, cell: (row) => <ClassNames names={row.class_name} /> },
        homeworkColumns.type,
        homeworkColumns.publisher('发布人'),
        homeworkColumns.publishTime,
        actionsColumn(
          (row) => {
            const { id, name: of, status, is_owner, not_revised_homework_count } = row;
            const dispatches = may.dispatch && is_owner === 1;
            return [
              { label: '查看', of, href: homeworkDetail.href({ hw_id: id, class_id: 0 }) },
              dispatches && { label: '复制', of, href: publish.href({ type: 'copy', id, back }) },
              may.correct &&
                not_revised_homework_count > 0 &&
                status === 1 && { label: '去批改', of, intent: `start ${id}` },
              dispatches &&
                !continueFault(row, now) && { label: '继续发布', of, href: furtherClasses.href(here, { id }) },
              dispatches && <MoreMenu key="more" row={row} now={now} here={here} />,
            ];
          },
          { minWidth: 104 },
        ),
      ]}
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
          <Toolbar>
            <Button component="a" href={publish.href({ course_id: course_basis_id, back })}>
              布置作业
            </Button>
          </Toolbar>
        )
      }
      around={(table) => <Form action={here}>{table}</Form>}
    />
  );
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

/** What changes what was published; the API refuses the same again. */
function MoreMenu({ row, now, here }: { row: HomeworkRow; now: number; here: AddressOf<typeof homeworkList> }) {
  const { id, name } = row;
  const gone = recallFault(row);
  if (gone) return <RowAction label="更多" of={name} fault={gone} />;
  return (
    <details className={styles.more} name="row-actions">
      <summary className={rowAction}>更多</summary>
      <div>
        <RowAction label="调整截止时间" of={name} href={deadline.href(here, { id })} fault={deadlineFault(row, now)} />
        <RowAction label="撤回" of={name} href={recall.href(here, { id })} />
      </div>
    </details>
  );
}
