/** Preview table of the periods that a form would create, with their clashes. */

import type { SeriesPreview } from '#server/courses/series.contract.ts';
import { ListTable } from '../ui/list-table.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { useTimezone } from '../ui/use-school.ts';
import styles from './courses.posts.module.css';
import { formatSpan } from './terms.ts';

type PlannedRow = SeriesPreview['list'][number];

export function PlanTable({ plan }: { plan: SeriesPreview }) {
  const timezone = useTimezone();
  const inTheWay = plan.list.filter(({ clashes }) => clashes.length > 0).length;
  return (
    <section className={styles.plan} aria-label="预览">
      <h2>
        将添加{plan.list.length}节课时{inTheWay > 0 && `，其中${inTheWay}节有时间冲突`}
      </h2>
      <ListTable<PlannedRow>
        caption="将添加的课时"
        rows={plan.list}
        rowKey={(row) => `${row.start_play} ${row.title}`}
        columns={[
          { key: 'title', header: '课时', cell: (row) => <span data-written>{row.title}</span> },
          { key: 'time', header: '时间', cell: (row) => formatSpan(row, timezone) },
          { key: 'lecturer', header: '讲师', cell: (row) => row.lecturer_name || '未安排' },
          {
            key: 'clashes',
            header: '冲突',
            phone: 'line',
            cell: (row) =>
              row.clashes.length === 0 ? '无' : row.clashes.map((said) => <SubLine key={said}>{said}</SubLine>),
          },
        ]}
        empty="没有课时"
      />
    </section>
  );
}
