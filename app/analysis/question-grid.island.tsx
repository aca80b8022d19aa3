/** The grid (表格视图) of the question analysis, with the columns and details of the list. */
import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { GridTable } from '../ui/client/grid-table.tsx';
import { mountIsland } from '../ui/client/mount-island.tsx';
import { questionColumns } from './question-columns.tsx';
import { QuestionFigures } from './question-details.tsx';
import { questionAnalysisList, sortingOf } from './screens.ts';

interface QuestionGridProps {
  /** Address of the page; it holds the sort order. */
  here: string;
  submit: number;
  revise: number;
  rows: QuestionAnalysisRow[];
}

function QuestionGrid({ here, submit, revise, rows }: QuestionGridProps) {
  const view = questionAnalysisList.at(new URL(here, location.href));
  return (
    <GridTable<QuestionAnalysisRow>
      caption="题目分析"
      name="questions"
      columns={questionColumns({ submitted: submit, graded: revise }, view.here)}
      rows={rows}
      rowKey={(row) => row._id}
      sorting={sortingOf(view)}
      details={(row) => <QuestionFigures row={row} />}
      empty="暂无题目"
    />
  );
}

mountIsland('question-grid.island', QuestionGrid);
