/** Filters and columns shared by the homework list and by the homework of a class. */
import type { HomeworkFilter, HomeworkRow } from '#server/homework/contract.ts';
import { hasFigures, recalledStatus } from '#server/homework/rules.ts';
import { numberColumn } from '../ui/columns.tsx';
import type { Filters, Preset } from '../ui/filter-form.tsx';
import type { Column } from '../ui/list-table.tsx';
import { Deadline, timeColumn } from '../ui/moment.tsx';
import { Tag } from '../ui/tag.tsx';
import styles from './manage.module.css';
import type { HomeworkNames } from './names.server.ts';
import { homeworkTypeChoices, homeworkTypeNames, publisherName, thisWeekPreset } from './terms.ts';

type CommonFilter = Pick<
  HomeworkFilter,
  | ('publish_start' | 'publish_end' | 'ending_start' | 'ending_end')
  | ('course_title' | 'name' | 'type' | 'periods_title' | 'publisher_name')
>;

interface HomeworkFiltersProps {
  filter: CommonFilter;
  hasCourse: boolean;
  publisher: string;
  presets: readonly Preset[];
  names?: HomeworkNames | undefined;
}

/** Filters offered as one click. `now` is in unix seconds. */
export const homeworkPresets = (now: number, timezone: string): Preset[] => [
  { label: '进行中', filter: { state: 'open' } },
  { label: '已截止', filter: { state: 'ended' } },
  { label: '待批改', filter: { state: 'waiting' } },
  thisWeekPreset(now, timezone),
];

export function homeworkFilters({ filter, hasCourse, publisher, presets, names }: HomeworkFiltersProps) {
  return {
    first: [
      { label: '作业名称', name: 'name', value: filter.name },
      hasCourse && { label: '课程', name: 'course_title', value: filter.course_title, suggestions: names?.courses },
      { label: '类型', name: 'type', value: filter.type, choices: homeworkTypeChoices },
    ],
    more: [
      { label: '课时', name: 'periods_title', value: filter.periods_title, suggestions: names?.periods },
      { label: publisher, name: 'publisher_name', value: filter.publisher_name, suggestions: names?.publishers },
      {
        label: '发布时间',
        from: ['publish_start', filter.publish_start],
        to: ['publish_end', filter.publish_end],
      },
      {
        label: '截止时间',
        from: ['ending_start', filter.ending_start],
        to: ['ending_end', filter.ending_end],
      },
    ],
    presets,
  } satisfies Filters;
}

/** Formats a count. A dash for recalled homework. */
const formatCount = ({ status }: HomeworkRow, count: number | string) => (status === recalledStatus ? '-' : count);

export const homeworkColumns = {
  name: (href: (row: HomeworkRow) => string): Column<HomeworkRow> => ({
    key: 'name',
    header: '作业名称',
    minWidth: 140,
    cell: (row) => (
      <>
        <a href={href(row)}>{row.name}</a>
        {row.status === recalledStatus && (
          <>
            {' '}
            <Tag tone="bad">已撤回</Tag>
          </>
        )}
      </>
    ),
  }),
  course: { key: 'course_title', header: '课程', minWidth: 110, phone: 'bare', cell: (row) => row.course_title },
  period: {
    key: 'periods_title',
    header: '课时',
    minWidth: 90,
    cell: (row) => row.periods_title || '-',
  },
  waiting: numberColumn(
    'not_revised_homework_count',
    '未批改',
    (row) =>
      row.not_revised_homework_count > 0 ? (
        <span className={styles.waiting}>{row.not_revised_homework_count}</span>
      ) : (
        formatCount(row, row.not_revised_homework_count)
      ),
    { sortField: 'not_revised_homework_count' },
  ),
  /** Number of graded reports. It links to the analysis once there is one. `now` is in unix seconds. */
  revised: (href: (row: HomeworkRow) => string, now: number) =>
    numberColumn<HomeworkRow>('revised', '已批改', (row) => {
      const submit = row.submitted_homework_count;
      const revise = submit - row.not_revised_homework_count;
      if (revise === 0 || !hasFigures({ ...row, submit, revise }, now)) return formatCount(row, revise);
      return (
        <a href={href(row)} title="题目分析" aria-label={`${revise}，${row.name}的题目分析`}>
          {revise}
        </a>
      );
    }),
  deadline: {
    key: 'ending_time',
    header: '截止时间',
    minWidth: 90,
    cell: (row) => <Deadline at={row.ending_time} over="已截止" />,
  },
  submitted: numberColumn('submitted', '提交/应交', (row) =>
    formatCount(row, `${row.submitted_homework_count}/${row.homework_count}`),
  ),
  type: { key: 'type', header: '类型', nowrap: true, phone: 'hidden', cell: (row) => homeworkTypeNames[row.type] },
  publisher: (header: string): Column<HomeworkRow> => ({
    key: 'publisher',
    header,
    minWidth: 60,
    phone: 'hidden',
    cell: publisherName,
  }),
  publishTime: timeColumn('publish_time', '发布时间', (row) => row.publish_time, { phone: 'hidden' }),
} satisfies Record<string, Column<HomeworkRow> | ((about: never, now: number) => Column<HomeworkRow>)>;
