/** The question analysis as a list and as a grid (document 2, section 2.1). */
import { buttonClass } from '../ui/button.tsx';
import { Island } from '../ui/island.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { detailHref, placeHref, type View } from './address.ts';
import type { Detail } from './detail.server.ts';
import { analysisSorting, type LoadedAnalysis, type QuestionListProps, questionColumns } from './question-columns.tsx';
import { QuestionDetails } from './question-details.tsx';
import styles from './toolbar.module.css';

export function QuestionAnalysis({ detail, loaded }: { detail: Detail; loaded: LoadedAnalysis }) {
  const { place, view, header } = detail;
  const props = { place, header: { submit: header.submit, revise: header.revise }, loaded };
  const list = <QuestionList {...props} view={view} />;
  return (
    <>
      <Toolbar detail={detail} loaded={loaded} />
      {view === 'grid' ? <Island name="question-grid.island" props={props} fallback={list} /> : list}
    </>
  );
}

function QuestionList({ place, header, loaded, view }: QuestionListProps & { view: View }) {
  return (
    <ListTable
      caption="题目分析"
      columns={questionColumns({ submitted: header.submit, graded: header.revise })}
      rows={loaded.rows}
      rowKey={(row) => row._id}
      sorting={analysisSorting(place, loaded.order, view)}
      details={(row) => <QuestionDetails row={row} />}
      empty="暂无题目"
    />
  );
}

function Toolbar({ detail: { place, header, view }, loaded }: { detail: Detail; loaded: LoadedAnalysis }) {
  const { sort_field, sort } = loaded.order;
  const other = view === 'grid' ? 'list' : 'grid';
  return (
    <div className={`${styles.toolbar} no-print`}>
      <p>
        共 {loaded.rows.length} 题，已提交 {header.submit} 份，已批改 {header.revise} 份
      </p>
      <a className={buttonClass('plain')} href={detailHref(place, 1, { sort_field, sort }, other)}>
        {other === 'grid' ? '表格视图' : '列表视图'}
      </a>
      <a className={buttonClass('plain')} href={placeHref('/homework/answers', place)}>
        查看答题详情
      </a>
    </div>
  );
}
