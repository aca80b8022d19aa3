/** The question analysis as a list and as a grid. */
import { Button } from '@mantine/core';
import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { Island } from '../ui/island.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Detail } from './detail.server.ts';
import { questionColumns } from './question-columns.tsx';
import { QuestionDetails } from './question-details.tsx';
import { analysedQuestions, homeworkAnswers } from './screens.ts';

export function QuestionAnalysis({ detail, rows }: { detail: Detail; rows: QuestionAnalysisRow[] }) {
  const { place, header } = detail;
  const { submit, revise } = header;
  const view = useAddress(analysedQuestions);
  const list = (
    <ListTable
      caption="题目分析"
      columns={questionColumns({ submitted: submit, graded: revise })}
      rows={rows}
      rowKey={(row) => row._id}
      sorting={view.sorting}
      details={(row) => <QuestionDetails row={row} />}
      empty="暂无题目"
    />
  );
  const other = detail.view === 'grid' ? 'list' : 'grid';
  return (
    <>
      <Toolbar start={`共 ${rows.length} 题，已提交 ${submit} 份，已批改 ${revise} 份`}>
        <Button component="a" variant="default" href={view.with({ view: other })}>
          {other === 'grid' ? '表格视图' : '列表视图'}
        </Button>
        <Button component="a" variant="default" href={homeworkAnswers.href(place)}>
          查看答题详情
        </Button>
      </Toolbar>
      {detail.view === 'grid' ? (
        <Island name="question-grid.island" props={{ here: view.here, submit, revise, rows }} fallback={list} />
      ) : (
        list
      )}
    </>
  );
}
