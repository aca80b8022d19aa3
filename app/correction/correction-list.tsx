/** The reports that wait for review (document 1, section 2, approve tab). */
import type { CorrectionFilter, CorrectionRow } from '#server/correction/contract.ts';
import { tabSearch } from '../homework/tab.ts';
import { homeworkTypeChoices, homeworkTypeNames } from '../homework/terms.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, RangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';

interface CorrectionListProps {
  filter: CorrectionFilter;
  corrections: { list: CorrectionRow[]; total: number; page: number; limit: number };
}

export function CorrectionList({ filter, corrections }: CorrectionListProps) {
  const timezone = useTimezone();
  const here = (changes = {}) => `/homework${tabSearch('approve', filter, changes)}`;
  return (
    <>
      <FilterForm action="/homework" keep={{ tab: 'approve' }} resetHref="/homework?tab=approve">
        <RangeFilter
          label="发布时间"
          from={['publish_start', filter.publish_start]}
          to={['publish_end', filter.publish_end]}
        />
        <TextFilter label="作业名称" name="name" value={filter.name} />
        <ChoiceFilter label="类型" name="type" value={filter.type} choices={homeworkTypeChoices} />
        <TextFilter label="课程" name="course_title" value={filter.course_title} />
        <TextFilter label="课时" name="periods_title" value={filter.periods_title} />
        <TextFilter label="学生" name="nickname" value={filter.nickname} />
        <TextFilter label="发布人" name="publisher_name" value={filter.publisher_name} />
      </FilterForm>
      <form method="post" action={here()}>
        <ListTable
          caption="待批改列表"
          columns={columnsFor(timezone)}
          rows={corrections.list}
          rowKey={(row) => row.report_id}
          empty="没有待批改的作业"
        />
      </form>
      <Pager {...corrections} href={(page) => here({ page })} />
    </>
  );
}

function columnsFor(timezone: string): Column<CorrectionRow>[] {
  return [
    { key: 'name', header: '作业名称', minWidth: 160, cell: (row) => row.name },
    { key: 'nickname', header: '学生', minWidth: 80, cell: (row) => row.nickname },
    { key: 'submit_time', header: '提交时间', nowrap: true, cell: (row) => formatTime(row.submit_time, timezone) },
    { key: 'type', header: '类型', nowrap: true, cell: (row) => homeworkTypeNames[row.type] },
    { key: 'course_title', header: '课程', minWidth: 120, cell: (row) => row.course_title },
    { key: 'periods_title', header: '课时', minWidth: 100, cell: (row) => row.periods_title || '-' },
    { key: 'publisher_name', header: '发布人', minWidth: 70, cell: (row) => row.publisher_name },
    { key: 'publish_time', header: '发布时间', nowrap: true, cell: (row) => formatTime(row.publish_time, timezone) },
    {
      key: 'actions',
      header: '操作',
      nowrap: true,
      cell: (row) => (
        <button type="submit" name="start" value={`${row.hw_id}-${row.uid}`} className={rowAction}>
          批改
        </button>
      ),
    },
  ];
}
