/** My questions (document 1, section 2, ques tab). */
import type { QuestionFilter, QuestionRow } from '#server/questions/contract.ts';
import { tabSearch } from '../homework/tab.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { buttonClass, rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, TextFilter } from '../ui/filter-form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Stars } from '../ui/stars.tsx';
import styles from './question-list.module.css';
import { StemPreview } from './stem-preview.tsx';
import { bankStars, difficultyChoices, questionTypeChoices, questionTypeNames } from './terms.ts';

interface QuestionListProps {
  filter: QuestionFilter;
  questions: { list: QuestionRow[]; total: number; page: number; limit: number };
  /** Every row of the page is ticked. */
  selectAll: boolean;
}

export function QuestionList({ filter, questions, selectAll }: QuestionListProps) {
  const timezone = useTimezone();
  const here = (changes = {}) => `/homework${tabSearch('ques', filter, changes)}`;
  const search = tabSearch('ques', filter);
  const filtered = [filter.ques_stem, filter.ques_type, filter.facility_value, filter.remark].some(Boolean);
  return (
    <>
      <FilterForm action="/homework" keep={{ tab: 'ques' }} resetHref="/homework?tab=ques">
        <TextFilter label="题干" name="ques_stem" value={filter.ques_stem} />
        <ChoiceFilter label="题型" name="ques_type" value={filter.ques_type} choices={questionTypeChoices} />
        <ChoiceFilter label="难度" name="facility_value" value={filter.facility_value} choices={difficultyChoices} />
        <TextFilter label="备注" name="remark" value={filter.remark} />
      </FilterForm>
      <form action="/homework/questions/delete">
        <HiddenFields fields={[...new URLSearchParams(search)]} />
        <div className={`${styles.toolbar} no-print`}>
          <button type="submit" className={buttonClass('plain')} disabled={questions.list.length === 0}>
            删除选中题目
          </button>
          <a href="/homework/question/import" className={buttonClass('plain')}>
            导入题目
          </a>
          <a href="/homework/question/add" className={buttonClass('primary')}>
            添加题目
          </a>
        </div>
        <ListTable
          caption="我的题目"
          columns={columnsFor({ timezone, search, selectAll, selectHref: here({ select: selectAll ? '' : 'all' }) })}
          rows={questions.list}
          rowKey={(row) => row.id}
          overlaid
          empty={
            filtered ? (
              <>
                没有符合条件的题目，<a href="/homework?tab=ques">清除筛选</a>
              </>
            ) : (
              '暂无题目，可以添加题目或从文件导入'
            )
          }
        />
      </form>
      <Pager {...questions} href={(page) => here({ page })} />
    </>
  );
}

interface ColumnsContext {
  timezone: string;
  /** The list's search params, kept by its dialogs. */
  search: string;
  selectAll: boolean;
  selectHref: string;
}

function columnsFor({ timezone, search, selectAll, selectHref }: ColumnsContext): Column<QuestionRow>[] {
  return [
    {
      key: 'select',
      header: <a href={selectHref}>{selectAll ? '取消' : '全选'}</a>,
      cell: (row) => (
        <input
          type="checkbox"
          name="ids"
          value={row.id}
          defaultChecked={selectAll}
          aria-label={`选择：${row.stem_text.slice(0, 30)}`}
          className={styles.check}
        />
      ),
    },
    {
      key: 'ques_stem',
      header: '题干',
      minWidth: 300,
      cell: (row) => <StemPreview id={row.id} text={row.stem_text} preview={row.preview} />,
    },
    { key: 'ques_type', header: '题型', nowrap: true, cell: (row) => questionTypeNames[row.ques_type] },
    {
      key: 'facility_value',
      header: '难度',
      nowrap: true,
      cell: (row) => (
        <Stars filled={bankStars(row.facility_value)} label={`难度 ${bankStars(row.facility_value)} 星`} />
      ),
    },
    { key: 'remark', header: '备注', minWidth: 110, cell: (row) => row.remark || '-' },
    { key: 'updated_at', header: '更新时间', nowrap: true, cell: (row) => formatTime(row.updated_at, timezone) },
    {
      key: 'actions',
      header: '操作',
      cell: (row) => (
        <div className={styles.actions}>
          <a className={rowAction} href={`/homework/question?id=${row.id}`}>
            查看
          </a>
          <a className={rowAction} href={`/homework/question/edit?id=${row.id}`}>
            编辑
          </a>
          <a className={rowAction} href={`/homework/questions/delete${search}&ids=${row.id}`}>
            删除
          </a>
        </div>
      ),
    },
  ];
}
