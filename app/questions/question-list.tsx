import { Button } from '@mantine/core';
import type { Page } from '#server/platform/calls/rules.ts';
import type { QuestionRow } from '#server/questions/contract.ts';
import { AddressForm } from '../ui/address-form.tsx';
import { actionsColumn } from '../ui/columns.tsx';
import type { Suggestions } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Difficulty } from './difficulty.tsx';
import {
  questionAdd,
  questionDetail,
  questionEdit,
  questionExport,
  questionImport,
  questionList,
  questionListAllSelected,
  removeQuestions,
  similarScreen,
  tagging,
} from './screens.ts';
import { StemPreview } from './stem-preview.tsx';
import { Tags } from './tags.tsx';
import { bankStars, difficultyChoices, questionTypeChoices, questionTypeNames } from './terms.ts';

/** Id of the form to which the checkboxes of the rows belong. */
const removalForm = 'question-removal';

interface QuestionListProps {
  questions: Page<QuestionRow>;
  selectAll: boolean;
  /** Suggested tags for the filter. */
  tags: Suggestions | undefined;
}

export function QuestionList({ questions, selectAll, tags }: QuestionListProps) {
  const view = useAddress(questionList);
  const { filter, here } = view;
  const selectHref = selectAll ? here : questionListAllSelected.href({ ...filter, select: 'all' });
  const add = (
    <Button component="a" href={questionAdd.href()}>
      添加题目
    </Button>
  );
  return (
    <List<QuestionRow>
      view={view}
      result={questions}
      caption="我的题目"
      columns={[
        {
          key: 'select',
          header: <a href={selectHref}>{selectAll ? '取消' : '全选'}</a>,
          cell: (row) => (
            <input
              type="checkbox"
              name="ids"
              value={row.id}
              defaultChecked={selectAll}
              aria-label={`选择：${stemLabel(row)}`}
            />
          ),
        },
        {
          key: 'ques_stem',
          header: '题干',
          minWidth: 300,
          cell: (row) => (
            <>
              <StemPreview id={row.id} text={row.stem_text} preview={row.preview} />
              <Tags tags={row.tags} />
            </>
          ),
        },
        {
          key: 'ques_type',
          header: '题型',
          nowrap: true,
          phone: 'bare',
          cell: (row) => questionTypeNames[row.ques_type],
        },
        {
          key: 'facility_value',
          header: '难度',
          nowrap: true,
          phone: 'bare',
          cell: ({ facility_value }) => <Difficulty value={facility_value} stars={bankStars(facility_value)} />,
        },
        { key: 'point_name', header: '知识点', minWidth: 90, cell: (row) => row.point_name || '-' },
        { key: 'remark', header: '备注', minWidth: 110, cell: (row) => row.remark || '-' },
        timeColumn('updated_at', '更新时间', (row) => row.updated_at),
        actionsColumn((row) => {
          const { id } = row;
          const recordName = stemLabel(row);
          return [
            { label: '编辑', recordName, href: questionEdit.href({ id }) },
            { label: '查看', recordName, href: questionDetail.href({ id }) },
            { label: '删除', recordName, href: removeQuestions.href(here, { ids: [id] }), danger: true },
          ];
        }),
      ]}
      overlaid
      nothing="暂无题目，可以添加题目或从文件导入"
      nothingFound="没有符合条件的题目"
      filters={{
        first: [
          { label: '题干', name: 'ques_stem', value: filter.ques_stem },
          { label: '题型', name: 'ques_type', value: filter.ques_type, choices: questionTypeChoices },
        ],
        more: [
          { label: '难度', name: 'facility_value', value: filter.facility_value, choices: difficultyChoices },
          { label: '知识点', name: 'point', value: filter.point },
          { label: '标签', name: 'tag', value: filter.tag, suggestions: tags },
          { label: '备注', name: 'remark', value: filter.remark },
        ],
      }}
      actions={
        <>
          <Button type="submit" form={removalForm} variant="default" disabled={questions.list.length === 0}>
            删除选中
          </Button>
          <Button
            type="submit"
            form={removalForm}
            formAction={tagging.href(here).split('?')[0]}
            variant="default"
            disabled={questions.list.length === 0}
          >
            标签
          </Button>
          <Button
            type="submit"
            form={removalForm}
            formAction={questionExport.href(here).split('?')[0]}
            variant="default"
            disabled={questions.list.length === 0}
          >
            导出
          </Button>
          <Button component="a" href={similarScreen.href()} variant="default">
            查重
          </Button>
          <Button component="a" href={questionImport.href()} variant="default">
            导入题目
          </Button>
          {add}
        </>
      }
      next={add}
      around={(table) => (
        <AddressForm id={removalForm} href={removeQuestions.href(here)}>
          {table}
        </AddressForm>
      )}
    />
  );
}

/** Beginning of the stem, for labels that screen readers read aloud. */
const stemLabel = ({ stem_text }: QuestionRow): string => stem_text.slice(0, 30);
