/** Question analysis as a list or a grid. */
import { Button } from '@mantine/core';
import type { QuestionAnalysisRow } from '#server/analysis/question.contract.ts';
import { flaggedQuestions } from '#server/analysis/rules.ts';
import { publish } from '../homework/screens.ts';
import { Island } from '../ui/island.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import type { Detail } from './detail.server.ts';
import { questionColumns } from './question-columns.tsx';
import { QuestionDetails } from './question-details.tsx';
import { homeworkAnswers, questionAnalysisList, sortingOf } from './screens.ts';
import { remedialThresholds } from './terms.ts';

export function QuestionAnalysis({ detail, rows }: { detail: Detail; rows: QuestionAnalysisRow[] }) {
  const { place, header, may } = detail;
  const { submit, revise } = header;
  const view = useAddress(questionAnalysisList);
  const flagged = flaggedQuestions(rows);
  const list = (
    <ListTable
      caption="题目分析"
      columns={questionColumns({ submitted: submit, graded: revise }, view.here)}
      rows={rows}
      rowKey={(row) => row._id}
      sorting={sortingOf(view)}
      details={(row) => <QuestionDetails row={row} flagged={flagged.has(row._id)} />}
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
        {may.dispatch && <Remedial place={place} rows={rows} back={view.here} />}
      </Toolbar>
      {detail.view === 'grid' ? (
        <Island name="question-grid.island" props={{ here: view.here, submit, revise, rows }} fallback={list} />
      ) : (
        list
      )}
    </>
  );
}

interface RemedialProps {
  place: Detail['place'];
  rows: QuestionAnalysisRow[];
  /** Address of the view. Publishing returns to it. */
  back: string;
}

/**
 * Links that publish remedial homework. They offer the poorly answered questions or, if there are none, every question
 * that some student failed.
 */
function Remedial({ place: { hw_id: id, class_id }, rows, back }: RemedialProps) {
  const wrong = rows.filter(({ right_count, submitted }) => right_count < submitted);
  const below = (percent: number) => wrong.filter((row) => row.average_right_percent < percent);
  const rate = remedialThresholds.find((percent) => below(percent).length > 0);
  const given = rate === undefined ? wrong : below(rate);
  if (given.length === 0) {
    return (
      <Button type="button" variant="default" disabled title="没有答错的题目">
        生成订正作业
      </Button>
    );
  }
  const ques_ids = given.map(({ _id }) => _id);
  return (
    <Button
      component="a"
      variant="default"
      href={publish.href({ type: 'remedial', id, class_id: class_id || undefined, ques_ids, back })}
      title={`${rate === undefined ? '有学员未答对的' : `平均正确率低于${rate}%的`}${given.length}题，布置给有学员未答对的班级`}
    >
      生成订正作业（{given.length}题）
    </Button>
  );
}
