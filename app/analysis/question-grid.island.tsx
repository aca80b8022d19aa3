/** 表格视图 of the question analysis: the same columns and details as the list. */
import type { QuestionAnalysisRow } from '#server/analysis/contract.ts';
import { GridTable } from '../ui/grid-table.tsx';
import { mountIsland } from '../ui/mount-island.tsx';
import { analysisSorting, type QuestionListProps, questionColumns } from './question-columns.tsx';
import { QuestionFigures } from './question-details.tsx';

function QuestionGrid({ place, header, loaded }: QuestionListProps) {
  return (
    <GridTable<QuestionAnalysisRow>
      caption="题目分析"
      name="questions"
      columns={questionColumns({ submitted: header.submit, graded: header.revise })}
      rows={loaded.rows}
      rowKey={(row) => row._id}
      sorting={analysisSorting(place, loaded.order, 'grid')}
      details={(row) => <QuestionFigures row={row} />}
      empty="暂无题目"
    />
  );
}

mountIsland('question-grid.island', QuestionGrid);
