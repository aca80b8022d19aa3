import type { CorrectionRow } from '#server/correction/list.contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { homeworkDetail } from '../analysis/screens.ts';
import { homeworkTypeChoices, homeworkTypeNames, publishedThisWeek } from '../homework/terms.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Suggestions } from '../ui/filter-form.tsx';
import { Form } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { useAddress } from '../ui/screen.tsx';
import { useNow, useTimezone } from '../ui/use-school.ts';
import { correctionList } from './screens.ts';

interface CorrectionListProps {
  corrections: Page<CorrectionRow>;
  /** What its filters suggest. */
  names: Record<'courses' | 'periods' | 'publishers', Suggestions> | undefined;
}

export function CorrectionList({ corrections, names }: CorrectionListProps) {
  const view = useAddress(correctionList);
  const { filter } = view;
  return (
    <List<CorrectionRow>
      view={view}
      result={corrections}
      caption="待批改列表"
      columns={[
        {
          key: 'name',
          header: '作业名称',
          minWidth: 160,
          cell: ({ hw_id, name }) => <a href={homeworkDetail.href({ hw_id, class_id: 0 })}>{name}</a>,
        },
        { key: 'nickname', header: '学生', minWidth: 80, cell: (row) => row.nickname },
        timeColumn('submit_time', '提交时间', (row) => row.submit_time),
        { key: 'type', header: '类型', nowrap: true, cell: (row) => homeworkTypeNames[row.type] },
        { key: 'course_title', header: '课程', minWidth: 120, cell: (row) => row.course_title },
        { key: 'periods_title', header: '课时', minWidth: 100, cell: (row) => row.periods_title || '-' },
        { key: 'publisher_name', header: '发布人', minWidth: 70, cell: (row) => row.publisher_name },
        timeColumn('publish_time', '发布时间', (row) => row.publish_time),
        actionsColumn(({ hw_id, uid, name, nickname }) => [
          { label: '批改', of: `${nickname}，${name}`, intent: `start ${hw_id} ${uid}` },
        ]),
      ]}
      rowKey={(row) => row.report_id}
      nothing="没有待批改的作业"
      nothingFound="没有符合条件的作业"
      filters={{
        first: [
          { label: '作业名称', name: 'name', value: filter.name },
          { label: '课程', name: 'course_title', value: filter.course_title, suggestions: names?.courses },
          { label: '学生', name: 'nickname', value: filter.nickname },
        ],
        more: [
          { label: '类型', name: 'type', value: filter.type, choices: homeworkTypeChoices },
          { label: '课时', name: 'periods_title', value: filter.periods_title, suggestions: names?.periods },
          { label: '发布人', name: 'publisher_name', value: filter.publisher_name, suggestions: names?.publishers },
          {
            label: '发布时间',
            from: ['publish_start', filter.publish_start],
            to: ['publish_end', filter.publish_end],
          },
        ],
        presets: [publishedThisWeek(useNow(), useTimezone())],
      }}
      around={(table) => <Form action={view.here}>{table}</Form>}
    />
  );
}
