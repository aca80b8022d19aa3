import { Button } from '@mantine/core';
import type { HomeworkRow } from '#server/homework/contract.ts';
import { deadlineFault, publishMoreFault, recalledStatus, recallFault } from '#server/homework/rules.ts';
import type { Identity } from '#server/platform/auth/rules.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import { useTimezone } from '../ui/use-school.ts';
import { homeworkColumns, homeworkFilters, homeworkPresets } from './homework-columns.tsx';
import type { HomeworkNames } from './names.server.ts';
import { deadline, homeworkList, publish, publishToMore, recall } from './screens.ts';

/** Default address to return to after publishing. */
const plainList = homeworkList.href();

interface HomeworkListProps {
  homework: Page<HomeworkRow>;
  names: HomeworkNames | undefined;
  identity: Identity;
  may: { correct: boolean; dispatch: boolean };
  /** Server time in unix seconds. */
  now: number;
}

export function HomeworkList({ homework, names, identity, may, now }: HomeworkListProps) {
  const view = useAddress(homeworkList);
  const { filter, here } = view;
  const { course_basis_id } = filter;
  const back = here === plainList ? undefined : here;
  const filters = homeworkFilters({
    filter,
    hasCourse: course_basis_id === undefined,
    publisher: '发布人',
    presets: homeworkPresets(now, useTimezone()),
    names,
  });
  const others = { label: '显示非本人授课课时的作业', name: 'show_other', checked: filter.show_other === 1 };
  const begin = may.dispatch && (
    <Button component="a" href={publish.href({ course_id: course_basis_id, back })}>
      布置作业
    </Button>
  );
  return (
    <List<HomeworkRow>
      view={view}
      result={homework}
      caption="作业列表"
      columns={[
        homeworkColumns.name(({ id }) => homeworkDetail.href({ hw_id: id, class_id: 0 })),
        homeworkColumns.period,
        homeworkColumns.waiting,
        homeworkColumns.revised(({ id }) => homeworkDetail.href({ hw_id: id, class_id: 0, tab: 1 }), now),
        homeworkColumns.deadline,
        homeworkColumns.submitted,
        {
          key: 'class_name',
          header: '班级',
          minWidth: 110,
          phone: 'bare',
          cell: (row) => <ClassNames names={row.class_name} />,
        },
        homeworkColumns.type,
        homeworkColumns.publisher('发布人'),
        homeworkColumns.publishTime,
        actionsColumn((row) => {
          const { id, name: recordName, status, is_owner, not_revised_homework_count } = row;
          const dispatches = may.dispatch && is_owner === 1;
          return [
            may.correct &&
              not_revised_homework_count > 0 &&
              status === 1 && { label: '去批改', recordName, intent: `start ${id}` },
            { label: '查看', recordName, href: homeworkDetail.href({ hw_id: id, class_id: 0 }) },
            dispatches &&
              !publishMoreFault(row, now) && {
                label: '继续发布',
                recordName,
                href: publishToMore.href(here, { id }),
              },
            dispatches && {
              label: status === recalledStatus ? '以原内容重新布置' : '复制',
              recordName,
              href: publish.href({ type: 'copy', id, back }),
              beside: status === recalledStatus,
            },
            dispatches && {
              label: '调整截止时间',
              recordName,
              href: deadline.href(here, { id }),
              fault: deadlineFault(row, now),
            },
            dispatches && {
              label: '撤回',
              recordName,
              href: recall.href(here, { id }),
              fault: recallFault(row),
              danger: true,
            },
          ];
        }),
      ]}
      nothing="暂无作业"
      nothingFound="没有符合条件的作业"
      filters={{ ...filters, more: [...filters.more, identity === 'teacher' && others] }}
      actions={homework.total > 0 || view.isFiltered ? begin : undefined}
      next={begin}
      around={(table) => <Form action={here}>{table}</Form>}
    />
  );
}

/** Names of up to three classes. More than three are shortened, with all of them in the tooltip. */
function ClassNames({ names }: { names: string }) {
  const all = names.split('、');
  if (all.length <= 3) return names;
  return (
    <span title={names}>
      {all.slice(0, 2).join('、')}等{all.length}个班级
    </span>
  );
}
