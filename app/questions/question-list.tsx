/** My questions. */
import { Button } from '@mantine/core';
import type { Page } from '#server/platform/calls/fields.ts';
import type { QuestionRow } from '#server/questions/contract.ts';
import type { AddressOf } from '../lib/address.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, TextFilter } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Stars } from '../ui/stars.tsx';
import styles from './question-list.module.css';
import {
  questionAdd,
  questionDetail,
  questionEdit,
  questionImport,
  questionList,
  removeQuestions,
  tickedQuestions,
} from './screens.ts';
import { StemPreview } from './stem-preview.tsx';
import { bankStars, difficultyChoices, questionTypeChoices, questionTypeNames } from './terms.ts';

interface QuestionListProps {
  questions: Page<QuestionRow>;
  /** Every row of the page is ticked. */
  selectAll: boolean;
}

export function QuestionList({ questions, selectAll }: QuestionListProps) {
  const timezone = useTimezone();
  const view = useAddress(questionList);
  const { filter, here } = view;
  const selectHref = selectAll ? here : tickedQuestions.href({ ...filter, select: 'all' });
  return (
    <List
      view={view}
      result={questions}
      caption="我的题目"
      columns={columnsFor({ timezone, here, selectAll, selectHref })}
      overlaid
      nothing="暂无题目，可以添加题目或从文件导入"
      nothingFound="没有符合条件的题目"
      filters={
        <>
          <TextFilter label="题干" name="ques_stem" value={filter.ques_stem} />
          <ChoiceFilter label="题型" name="ques_type" value={filter.ques_type} choices={questionTypeChoices} />
          <ChoiceFilter label="难度" name="facility_value" value={filter.facility_value} choices={difficultyChoices} />
          <TextFilter label="备注" name="remark" value={filter.remark} />
        </>
      }
      around={(table) => (
        <AddressForm href={removeQuestions.href(here)}>
          <div className={`${styles.toolbar} no-print`}>
            <Button type="submit" variant="default" disabled={questions.list.length === 0}>
              删除选中题目
            </Button>
            <Button component="a" href={questionImport.href()} variant="default">
              导入题目
            </Button>
            <Button component="a" href={questionAdd.href()}>
              添加题目
            </Button>
          </div>
          {table}
        </AddressForm>
      )}
    />
  );
}

interface ColumnsContext {
  timezone: string;
  /** The list as it is, for its dialogs. */
  here: AddressOf<typeof questionList>;
  selectAll: boolean;
  selectHref: string;
}

function columnsFor({ timezone, here, selectAll, selectHref }: ColumnsContext): Column<QuestionRow>[] {
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
          <a className={rowAction} href={questionDetail.href({ id: row.id })}>
            查看
          </a>
          <a className={rowAction} href={questionEdit.href({ id: row.id })}>
            编辑
          </a>
          <a className={rowAction} href={removeQuestions.href(here, { ids: [row.id] })}>
            删除
          </a>
        </div>
      ),
    },
  ];
}
