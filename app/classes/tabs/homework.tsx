/** Tab 作业列表: the homework of this class, with counts. */
import { Button } from '@mantine/core';
import { isRunning } from '#server/classes/rules.ts';
import type { HomeworkRow } from '#server/homework/contract.ts';
import { recalledStatus, sourceClass } from '#server/homework/rules.ts';
import { classHomeworkDetail } from '../../analysis/screens.ts';
import { homeworkColumns, homeworkFilters, homeworkPresets } from '../../homework/homework-columns.tsx';
import { publish } from '../../homework/screens.ts';
import { actionsColumn } from '../../ui/columns.tsx';
import { Form } from '../../ui/form.tsx';
import { List } from '../../ui/list.tsx';
import { useAddress } from '../../ui/screen.tsx';
import { usePerson, useTimezone } from '../../ui/use-school.ts';
import type { TabProps } from '../detail.server.ts';
import { classHomework } from '../screens.ts';

export function HomeworkTab({ shown: { homework, names }, theClass, now }: TabProps<'homework'> & { now: number }) {
  const view = useAddress(classHomework);
  const address = ({ id }: HomeworkRow, tab: 0 | 1 = 0) =>
    classHomeworkDetail.href({ hw_id: id, class_id: theClass.id, tab });
  const presets = homeworkPresets(now, useTimezone());
  const permissions = usePerson()?.permissions ?? [];
  const [mayDispatch, mayCorrect] = [permissions.includes('dispatch'), permissions.includes('correct')];
  const begin = mayDispatch && isRunning(theClass, now) && (
    <Button component="a" href={publish.href({ source: sourceClass, class_id: theClass.id, back: view.here })}>
      布置作业
    </Button>
  );
  return (
    <List<HomeworkRow>
      view={view}
      result={homework}
      caption="作业列表"
      columns={[
        homeworkColumns.name((row) => address(row)),
        homeworkColumns.course,
        homeworkColumns.period,
        homeworkColumns.waiting,
        homeworkColumns.revised((row) => address(row, 1), now),
        homeworkColumns.deadline,
        homeworkColumns.submitted,
        homeworkColumns.type,
        homeworkColumns.publisher('创建人'),
        homeworkColumns.publishTime,
        actionsColumn((row) => [
          mayCorrect &&
            row.not_revised_homework_count > 0 &&
            row.status !== recalledStatus && { label: '去批改', recordName: row.name, intent: `start ${row.id}` },
          { label: '查看', recordName: row.name, href: address(row) },
        ]),
      ]}
      nothing="暂无作业"
      nothingFound="没有符合条件的作业"
      filters={homeworkFilters({ filter: view.filter, hasCourse: true, publisher: '创建人', presets, names })}
      actions={begin}
      next={begin}
      around={(table) => <Form action={view.here}>{table}</Form>}
    />
  );
}
