import { Button } from '@mantine/core';
import { courseTypeName } from '#server/classes/rules.ts';
import type { ChapterRow } from '#server/courses/chapters.contract.ts';
import type { CourseRecord } from '#server/courses/contract.ts';
import type { PeriodRow } from '#server/courses/periods.contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { choicesOf } from '../ui/filter-form.tsx';
import { Form, Submit } from '../ui/form.tsx';
import { List } from '../ui/list.tsx';
import { useAddress } from '../ui/screen.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { useTimezone } from '../ui/use-school.ts';
import { periodAdd, periodDelete, periodEdit, periodList, periodMove, periodSeries } from './screens.ts';
import { formatSpan } from './terms.ts';

interface PeriodTabProps {
  course: CourseRecord;
  chapters: readonly ChapterRow[];
  periods: Page<PeriodRow>;
  lecturers: readonly { id: number; name: string }[];
}

export function PeriodTab({ course, chapters, periods, lecturers }: PeriodTabProps) {
  const view = useAddress(periodList);
  const timezone = useTimezone();
  const { here, filter } = view;
  const add = (
    <>
      <Button component="a" href={periodSeries.href({ course_id: course.id })} variant="default">
        批量添加
      </Button>
      <Button component="a" href={periodAdd.href({ course_id: course.id })}>
        添加课时
      </Button>
    </>
  );
  return (
    <List<PeriodRow>
      view={view}
      result={periods}
      caption="课时列表"
      columns={[
        {
          key: 'title',
          header: '课时',
          minWidth: 160,
          cell: (row) => (
            <>
              <a href={periodEdit.href({ id: row.id })} data-written>
                {row.title}
              </a>
              {row.chapter_title && <SubLine>{row.chapter_title}</SubLine>}
            </>
          ),
        },
        { key: 'time', header: '时间', phone: 'line', cell: (row) => formatSpan(row, timezone) },
        {
          key: 'lecturer',
          header: '讲师',
          cell: (row) => (
            <>
              {row.lecturer_name || '未安排'} {row.lecturer_disabled === 1 && <Tag tone="bad">已停用</Tag>}
            </>
          ),
        },
        { key: 'type', header: '类型', nowrap: true, cell: (row) => courseTypeName(row.periods_type) },
        actionsColumn(({ id, title: recordName }) => [
          { label: '改时间', recordName, href: periodMove.href(here, { period: id }) },
          { label: '编辑', recordName, href: periodEdit.href({ id }) },
          { label: '上移', recordName, intent: `up ${id}` },
          { label: '下移', recordName, intent: `down ${id}` },
          { label: '删除', recordName, href: periodDelete.href(here, { period: id }), danger: true },
        ]),
      ]}
      nothing="暂无课时"
      nothingFound="没有符合条件的课时"
      filters={{
        first: [
          {
            label: '章节',
            name: 'chapter_id',
            value: filter.chapter_id,
            choices: chapters.map(({ id, title }) => [id, title] as const),
          },
          { label: '讲师', name: 'lecturer_id', value: filter.lecturer_id, choices: choicesOf(lecturers) },
        ],
      }}
      actions={
        <>
          {periods.total > 1 && (
            <Form action={here}>
              <Submit intent="sort" variant="default">
                按时间排序
              </Submit>
            </Form>
          )}
          {add}
        </>
      }
      next={add}
      around={(table) => <Form action={here}>{table}</Form>}
    />
  );
}
