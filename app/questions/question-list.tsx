/** My questions (document 1, section 2, ques tab). */
import type { QuestionFilter, QuestionRow } from '#server/questions/contract.ts';
import { tabSearch } from '../homework/tab.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { ChoiceFilter, FilterForm, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Stars } from '../ui/stars.tsx';
import { bankStars, difficultyChoices, questionTypeChoices, questionTypeNames } from './terms.ts';

interface QuestionListProps {
  filter: QuestionFilter;
  questions: { list: QuestionRow[]; total: number; page: number; limit: number };
}

export function QuestionList({ filter, questions }: QuestionListProps) {
  const timezone = useTimezone();
  const here = (changes = {}) => `/homework${tabSearch('ques', filter, changes)}`;
  return (
    <>
      <FilterForm action="/homework" keep={{ tab: 'ques' }} resetHref="/homework?tab=ques">
        <TextFilter label="题干" name="ques_stem" value={filter.ques_stem} />
        <ChoiceFilter label="题型" name="ques_type" value={filter.ques_type} choices={questionTypeChoices} />
        <ChoiceFilter label="难度" name="facility_value" value={filter.facility_value} choices={difficultyChoices} />
        <TextFilter label="备注" name="remark" value={filter.remark} />
      </FilterForm>
      <ListTable
        caption="我的题目"
        columns={columnsFor(timezone)}
        rows={questions.list}
        rowKey={(row) => row.id}
        empty="暂无题目"
      />
      <Pager {...questions} href={(page) => here({ page })} />
    </>
  );
}

function columnsFor(timezone: string): Column<QuestionRow>[] {
  return [
    { key: 'ques_stem', header: '题干', minWidth: 360, cell: (row) => row.stem_text },
    { key: 'ques_type', header: '题型', nowrap: true, cell: (row) => questionTypeNames[row.ques_type] },
    {
      key: 'facility_value',
      header: '难度',
      nowrap: true,
      cell: (row) => (
        <Stars filled={bankStars(row.facility_value)} label={`难度 ${bankStars(row.facility_value)} 星`} />
      ),
    },
    { key: 'remark', header: '备注', minWidth: 120, cell: (row) => row.remark || '-' },
    { key: 'updated_at', header: '更新时间', nowrap: true, cell: (row) => formatTime(row.updated_at, timezone) },
  ];
}
